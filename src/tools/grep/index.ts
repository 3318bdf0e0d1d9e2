// What the model sees of `grep`; what it does is in execute.ts.

import { type DetailsOf, defineBuiltIn, type ToolCall, t } from "../../core/index.js";
import { DEFAULT_HITS, MAX_CONTEXT, MAX_FILE_MIB, MAX_HITS } from "./limits.js";

const parameters = t.object({
  pattern: t.string({
    description: "JavaScript regular expression, matched line by line.",
    minLength: 1,
    maxLength: 2_000,
  }),
  path: t.optional(t.string({ description: "File or folder; default the root.", minLength: 1 })),
  glob: t.optional(
    t.string({
      description: 'Only these files: "*.ts", "src/**/*.{js,ts}"; "!" in front excludes.',
      minLength: 1,
    }),
  ),
  type: t.optional(
    t.string({ description: 'Only files of this kind: "ts", "py", "md" …', maxLength: 16 }),
  ),
  ignoreCase: t.optional(t.boolean({ description: "Match either case." })),
  literal: t.optional(t.boolean({ description: "Take pattern as plain text." })),
  context: t.optional(
    t.integer({
      description: "Lines shown before and after each match.",
      minimum: 0,
      maximum: MAX_CONTEXT,
    }),
  ),
  output: t.optional(
    t.choice(["lines", "files", "count"], {
      description: "Matching lines (default), file names only, or the count per file.",
    }),
  ),
  limit: t.optional(
    t.integer({
      description: `Results per call; default ${DEFAULT_HITS}.`,
      minimum: 1,
      maximum: MAX_HITS,
    }),
  ),
  offset: t.optional(t.integer({ description: "Results to skip.", minimum: 0 })),
  includeIgnored: t.optional(t.boolean({ description: "Search what .gitignore leaves out too." })),
});

const needs = ["bridge", "root"] as const;

export type GrepCall = ToolCall<typeof parameters, typeof needs>;

export type GrepDetails = DetailsOf<typeof import("./execute.js").execute>;

export const grep = defineBuiltIn({
  name: "grep",
  description: `Search file contents by regular expression. Sorted by path; skips .git, what .gitignore leaves out, binary files and files over ${MAX_FILE_MIB} MiB.`,
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: {
    ...{ query: "pattern", regex: "pattern", include: "glob", "-i": "ignoreCase" },
    ...{ "-C": "context", head_limit: "limit", output_mode: "output", folder: "path" },
  },
  synonyms: {
    output: {
      content: { output: "lines" },
      files_with_matches: { output: "files" },
    },
  },
  guidance: ["Find code with grep and find, then read only the lines you need."],
  load: () => import("./execute.js"),
});
