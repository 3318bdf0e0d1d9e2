// A process with a memory over a folder of notes: indexes, or searches, and says what it sees; also
// on a disk that it fills itself.

import { mkdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Memory, MemoryAnswer, MemoryStatus } from "../../src/core/index.js";
import { createSystemClock } from "../../src/drivers/clock.js";
import { createMemory } from "../../src/drivers/memory/index.js";

const STANDARD_OUTPUT = 1;
export const NEW_NOTES = 40;
const FILLER = "lorem ipsum dolor sit amet ".repeat(400);

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
  if (role === "fill")
    say(JSON.stringify(await fillDisk(memory, { root, isFirst: query === "first" })));
  await memory.close();
}

export interface FillReport {
  readonly before: MemoryAnswer | undefined;
  /** For the old word, while the disk is full. */
  readonly full: MemoryAnswer;
  /** What `index` is refused with then. */
  readonly refusal: string;
  /** For a new word, when there is space again. */
  readonly after: MemoryAnswer;
  readonly status: MemoryStatus;
}

/** The folder of the index is a small disk of its own. */
async function fillDisk(
  memory: Memory,
  { root, isFirst }: { readonly root: string; readonly isFirst: boolean },
): Promise<FillReport> {
  const { signal } = new AbortController();
  const ask = (query: string) => memory.search({ query, signal });
  const before = isFirst ? undefined : await ask("walrus");
  const ballast = join(root, "state", "ballast");
  fillWith(ballast);
  mkdirSync(join(root, "memory", "new"), { recursive: true });
  for (let index = 0; index < NEW_NOTES; index++) {
    writeFileSync(join(root, "memory", "new", `n${index}.md`), `zebra${index} ${FILLER}`);
  }
  const full = await ask("walrus");
  const refusal = await memory.index({ signal }).then(() => "", codeOf);
  rmSync(ballast);
  await memory.index({ signal });
  const after = await ask(`zebra${NEW_NOTES - 1}`);
  return { before, full, refusal, after, status: await memory.status() };
}

/** Until nothing more goes in, not even a page. */
function fillWith(file: string): void {
  for (const bytes of [64 * 1024, 4096, 1]) {
    const chunk = Buffer.alloc(bytes, 1);
    for (;;) {
      try {
        writeFileSync(file, chunk, { flag: "a" });
      } catch (error) {
        if (codeOf(error) === "ENOSPC") break;
        throw error;
      }
    }
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return String(Reflect.get(error, "reason") ?? Reflect.get(error, "code"));
}
