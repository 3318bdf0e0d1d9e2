// A process with a memory over a folder of notes: indexes, or searches, and says what it sees.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { createSystemClock } from "../../src/drivers/clock/index.js";
import { createMemory } from "../../src/drivers/memory/index.js";

const STANDARD_OUTPUT = 1;

export async function useMemory([role = "", root = "", query = ""]: readonly string[]) {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const memory = createMemory(
    {
      places: { root, extraPaths: [] },
      indexFile: join(root, "state", "index.db"),
      chunking: { maxChars: 1_600, overlapChars: 0 },
      query: { maxResults: 6, minScore: 0, weights: { words: 0.5, meaning: 0.5 } },
      sync: { watch: false, onSearch: true, debounceMs: 20 },
      embedding: undefined,
    },
    { clock: createSystemClock() },
  );
  const { signal } = new AbortController();
  if (role === "search") say(JSON.stringify(await memory.search({ query, signal })));
  if (role === "index" || role === "fresh") {
    await memory.index({
      isFresh: role === "fresh",
      signal,
      onProgress: ({ done }) => say(`${done}`),
    });
    say("all");
  }
  await memory.close();
}
