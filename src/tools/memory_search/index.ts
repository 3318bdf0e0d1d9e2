// What the model sees of `memory_search`; the index of notes is left to the memory driver.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  query: t.string({ description: "Words to look for.", minLength: 1 }),
  also: t.optional(
    t.array(t.string(), {
      description:
        "3 to 6 synonyms and other words the note may use; searched together with query.",
      maxItems: 32,
    }),
  ),
  maxResults: t.optional(
    t.integer({ description: "Most hits; default 6.", minimum: 1, maximum: 50 }),
  ),
  minScore: t.optional(
    t.number({ description: "Leave out hits that score lower.", minimum: 0, maximum: 1 }),
  ),
});

const needs = ["agentDir"] as const;

export type MemorySearchCall = ToolCall<typeof parameters, typeof needs>;

export const memorySearch = defineBuiltIn({
  name: "memory_search",
  description:
    "Search the notes in MEMORY.md and memory/*.md. Any word may match, by spelling, typos forgiven; more and rarer words rank higher. Returns path, lines, score and snippet of each hit; read more with memory_get.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { limit: "maxResults", synonyms: "also" },
  guidance: [
    "Before you answer about earlier work, decisions, people, dates or preferences, call memory_search, then memory_get for the lines you need.",
    "Fill also with synonyms: the search knows spelling, you know meaning. Without a hit, try other words once.",
  ],
  load: () => import("./execute.js"),
});
