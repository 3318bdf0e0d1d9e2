// What the model sees of `memory_search`; the index of notes is left to the memory driver.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";
import { MAX_ALSO, MAX_HITS } from "./limits.js";

const parameters = t.object({
  query: t.string({ description: "Words to look for.", minLength: 1 }),
  also: t.optional(
    t.array(t.string(), {
      description: `3 to 6 synonyms and other words the note may use, at most ${MAX_ALSO}; searched together with query.`,
      maxItems: MAX_ALSO,
    }),
  ),
  maxResults: t.optional(t.integer({ description: `Most hits, 1 to ${MAX_HITS}; default 6.` })),
  minScore: t.optional(
    t.number({
      description: "Leave out hits below this share of the best score, 0 to 1; default 0.15.",
    }),
  ),
});

const needs = ["agentDir"] as const;

export type MemorySearchCall = ToolCall<typeof parameters, typeof needs>;

export const memorySearch = defineBuiltIn({
  name: "memory_search",
  description:
    "Search the notes in MEMORY.md and memory/*.md by words, and by meaning too when memorySearch.provider is set. Any word may match, typos forgiven; more and rarer words rank higher. Returns path, lines, score and snippet of each hit; read more with memory_get.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { q: "query", limit: "maxResults", synonyms: "also" },
  guidance: [
    "Before you answer about earlier work, decisions, people, dates or preferences, call memory_search, then memory_get for the lines you need.",
    "Fill also with synonyms: the search knows spelling, you know meaning. Without a hit, try other words once.",
  ],
  load: () => import("./execute.js"),
});
