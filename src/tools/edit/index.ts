// What the model sees of `edit`; what it does is in execute.ts.

import { defineBuiltIn, PATH_ALIASES, type ToolCall, t } from "../../core/index.js";

const MAX_ARGUMENT_CHARS = 32 * 1024 * 1024;
const MAX_EDITS = 500;

const parameters = t.object({
  path: t.string({
    description: "File to edit, relative to the root or absolute inside it.",
    minLength: 1,
  }),
  oldText: t.optional(
    t.string({ description: "Text to replace; must occur once, or set replaceAll." }),
  ),
  newText: t.optional(t.string({ description: "Text to put there; empty deletes." })),
  replaceAll: t.optional(t.boolean({ description: "Replace every occurrence." })),
  edits: t.optional(
    t.array(
      t.object({
        oldText: t.string({ description: "As above." }),
        newText: t.string({ description: "As above." }),
        replaceAll: t.optional(t.boolean({ description: "As above." })),
      }),
      {
        description:
          "Instead of oldText and newText: several changes, each matched against the original file; they must not overlap.",
        maxItems: MAX_EDITS,
      },
    ),
  ),
});

const needs = ["bridge", "root"] as const;

export type EditCall = ToolCall<typeof parameters, typeof needs>;

export interface EditDetails {
  path: string;
  changed: boolean;
  replacements: number;
  bytes: number;
  firstChangedLine?: number;
  fit?: "exact" | "line_ends" | "loose";
  encoding?: string;
  diff?: string;
  diffOmitted?: "too_long" | "too_different";
}

export const edit = defineBuiltIn({
  name: "edit",
  description:
    "Replace text in a file; all other bytes stay as they are. Give oldText and newText, or edits. Only line ends, kinds of quotes, dashes and spaces, and trailing spaces may differ. When nothing matches, the file is unchanged and the error shows the nearest lines.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: false },
  filesOnly: true,
  needs,
  aliases: {
    ...PATH_ALIASES,
    old_string: "oldText",
    new_string: "newText",
    old_str: "oldText",
    new_str: "newText",
    search: "oldText",
    replace: "newText",
    changes: "edits",
    replacements: "edits",
  },
  maxArgumentChars: MAX_ARGUMENT_CHARS,
  guidance: [
    "Copy oldText from `read`, without line numbers, with just enough lines to occur once.",
    "Make several changes to one file in one edit call with edits.",
  ],
  load: () => import("./execute.js"),
});
