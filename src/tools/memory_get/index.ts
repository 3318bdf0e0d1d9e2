// What the model sees of `memory_get`: lines of one note.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  path: t.string({
    description: "MEMORY.md or memory/….md, as memory_search gives it.",
    minLength: 1,
  }),
  from: t.optional(t.integer({ description: "First line, counted from 1.", minimum: 1 })),
  lines: t.optional(
    t.integer({ description: "Number of lines; default: to the end of the note.", minimum: 1 }),
  ),
});

const needs = ["agentDir"] as const;

export type MemoryGetCall = ToolCall<typeof parameters, typeof needs>;

export const memoryGet = defineBuiltIn({
  name: "memory_get",
  description:
    "Read lines of a note in MEMORY.md or memory/*.md. When the text is cut, it names the from or path that continues.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { file_path: "path", offset: "from", startLine: "from", limit: "lines" },
  guidance: ["Use memory_get after memory_search, and ask only for the lines you need."],
  load: () => import("./execute.js"),
});
