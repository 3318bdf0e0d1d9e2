// What the model sees of `write`; what it does is in execute.ts.

import { defineBuiltIn, PATH_ALIASES, type ToolCall, t } from "../../core/index.js";

const MAX_ARGUMENT_CHARS = 128 * 1024 * 1024;

const parameters = t.object({
  path: t.string({
    description: "File to write, relative to the root or absolute inside it.",
    minLength: 1,
  }),
  content: t.string({ description: "The whole new content; may be empty." }),
});

const needs = ["bridge", "root"] as const;

export type WriteCall = ToolCall<typeof parameters, typeof needs>;

export interface WriteDetails {
  path: string;
  bytes: number;
  created: boolean;
  changed: boolean;
  firstChangedLine?: number;
  diff?: string;
  diffOmitted?: "too_long" | "too_different" | "not_text" | "not_read";
}

export const write = defineBuiltIn({
  name: "write",
  description:
    "Create a file, or replace the whole content of one. Missing parent folders are made. Returns the number of bytes written.",
  parameters,
  effects: { destructive: true, idempotent: true, openWorld: false },
  filesOnly: true,
  needs,
  aliases: {
    ...PATH_ALIASES,
    contents: "content",
    file_text: "content",
  },
  maxArgumentChars: MAX_ARGUMENT_CHARS,
  guidance: ["Use write for new files and whole rewrites; use `edit` to change a part of a file."],
  load: () => import("./execute.js"),
});
