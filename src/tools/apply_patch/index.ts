// What the model sees of `apply_patch`: the patch format and its one parameter.

import { type DetailsOf, defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const MAX_ARGUMENT_CHARS = 32 * 1024 * 1024;

const PATCH_FORMAT = `*** Begin Patch
*** Add File: path
+each line of the new file
*** Update File: path
*** Move to: new path (only to rename)
@@ one whole line above the change (or bare @@)
 context line
-old line
+new line
*** End of File (only when the hunk ends the file)
*** Delete File: path
*** End Patch`;

const parameters = t.object({
  input: t.string({ description: "The whole patch, from Begin Patch to End Patch.", minLength: 1 }),
});

const needs = ["bridge", "root"] as const;

export type ApplyPatchCall = ToolCall<typeof parameters, typeof needs>;

export type ApplyPatchDetails = DetailsOf<typeof import("./execute.js").execute>;

export const applyPatch = defineBuiltIn({
  name: "apply_patch",
  description: `Add, update, rename and delete several files in one patch, all or nothing. Returns the changed files marked A, M or D; when a hunk does not match, nothing is written and the error shows the lines it looked for. Format:
${PATCH_FORMAT}`,
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: false },
  filesOnly: true,
  needs,
  aliases: { patch: "input", patch_text: "input", diff: "input" },
  alsoKnownAs: ["apply-patch"],
  maxArgumentChars: MAX_ARGUMENT_CHARS,
  guidance: [
    "Use apply_patch for changes with several hunks or files; use `edit` for one small change.",
    "Give about three context lines around a change, more when the same lines occur elsewhere.",
  ],
  load: () => import("./execute.js"),
});
