// A folder of notes for a test, and memories over it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock, Memory, MemoryAnswer, Net } from "../../src/core/index.js";
import { createSystemClock } from "../../src/drivers/clock.js";
import { createMemory, type MemorySettings } from "../../src/drivers/memory/index.js";

export const SIGNAL = new AbortController().signal;

export interface NotesFolder {
  readonly root: string;
  readonly indexFile: string;
  put(path: string, text: string | Buffer): void;
  /** Closed with the folder. */
  open(settings?: Partial<MemorySettings>, ports?: OpenPorts): Memory;
  close(): Promise<void>;
}

export interface OpenPorts {
  readonly net?: Net;
  readonly now?: () => number;
  readonly after?: Clock["after"];
}

export function makeNotesFolder(notes: Readonly<Record<string, string>> = {}): NotesFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-notes-")));
  const indexFile = join(root, "state", "index.db");
  const opened: Memory[] = [];
  const folder: NotesFolder = {
    root,
    indexFile,
    put(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    open(settings = {}, { net, now, after } = {}) {
      const clock = createSystemClock();
      const memory = createMemory(
        {
          places: { root, extraPaths: [] },
          indexFile,
          chunking: { maxChars: 1_600, overlapChars: 0 },
          query: { maxResults: 6, minScore: 0.15, weights: { words: 0.5, meaning: 0.5 } },
          sync: { watch: false, onSearch: true, debounceMs: 20 },
          embedding: undefined,
          ...settings,
        },
        {
          clock: {
            ...clock,
            ...(now === undefined ? {} : { now }),
            ...(after === undefined ? {} : { after }),
          },
          ...(net === undefined ? {} : { net: async () => net }),
        },
      );
      opened.push(memory);
      return memory;
    },
    async close() {
      for (const memory of opened) await memory.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  for (const [path, text] of Object.entries(notes)) folder.put(path, text);
  return folder;
}

export function search(memory: Memory, query: string): Promise<MemoryAnswer> {
  return memory.search({ query, signal: SIGNAL });
}

export function pathsOf({ hits }: MemoryAnswer): string[] {
  return hits.map(({ path }) => path);
}
