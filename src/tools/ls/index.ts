// What the model sees of `ls`; what it does is in execute.ts.

import { type DetailsOf, defineBuiltIn, PATH_ALIASES, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  path: t.optional(t.string({ description: "Folder; default the root.", minLength: 1 })),
  limit: t.optional(
    t.integer({ description: "Entries per call; default 500.", minimum: 1, maximum: 5_000 }),
  ),
  offset: t.optional(t.integer({ description: "Entries to skip.", minimum: 0 })),
});

const needs = ["bridge", "root"] as const;

export type LsCall = ToolCall<typeof parameters, typeof needs>;

export type LsDetails = DetailsOf<typeof import("./execute.js").execute>;

export const ls = defineBuiltIn({
  name: "ls",
  description:
    "List one folder, hidden files included: folders end with a slash, links with @, files have their size in bytes.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { ...PATH_ALIASES, folder: "path", dir: "path" },
  guidance: ["List a folder with ls before you guess the names in it."],
  load: () => import("./execute.js"),
});
