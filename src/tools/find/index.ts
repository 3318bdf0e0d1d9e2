// What the model sees of `find`; what it does is in execute.ts.

import { type DetailsOf, defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const DEFAULT_PATHS = 500;
const MAX_PATHS = 5_000;

const parameters = t.object({
  pattern: t.string({
    description:
      'Glob: "*.ts" at any depth, "src/**/*.{js,ts}" from path on; "!" in front excludes.',
    minLength: 1,
    maxLength: 1_000,
  }),
  path: t.optional(t.string({ description: "Folder to search; default the root.", minLength: 1 })),
  type: t.optional(t.choice(["file", "directory"], { description: "Default: files and folders." })),
  limit: t.optional(
    t.integer({
      description: `Paths per call; default ${DEFAULT_PATHS}.`,
      minimum: 1,
      maximum: MAX_PATHS,
    }),
  ),
  offset: t.optional(t.integer({ description: "Paths to skip.", minimum: 0 })),
  includeIgnored: t.optional(t.boolean({ description: "List what .gitignore leaves out too." })),
});

const needs = ["bridge", "root"] as const;

export type FindCall = ToolCall<typeof parameters, typeof needs>;

export type FindDetails = DetailsOf<typeof import("./execute.js").execute>;

export const find = defineBuiltIn({
  name: "find",
  description:
    "Find files and folders by name. Sorted by path; skips .git and what .gitignore leaves out. Folders end with a slash.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { glob: "pattern", name: "pattern", folder: "path", head_limit: "limit" },
  guidance: ["To find a file whose folder you do not know, call find with a glob."],
  load: () => import("./execute.js"),
});
