// Which folders a process writes into, noted before it does: what it leaves half-written when it dies
// is looked for there by the next one. A folder is noted once, so that many writes cost one note.

import type { Clock, RandomSource, Store } from "../../core/index.js";
import { readNumber, readText } from "../../lib/read-field.js";
import type { JournalOwner } from "./interrupted-calls.js";

const SPACE = "journal.folders";
const KEY_BYTES = 8;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;
/** More are noted again. */
const MAX_REMEMBERED = 10_000;
const DELETES_PER_WRITE = 500;

export interface NotedFolder {
  readonly root: string;
  readonly folder: string;
}

export interface FolderNotesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owner: JournalOwner;
  readonly root: string;
}

export interface FolderNotes {
  note(folder: string): Promise<void>;
  recover(tidy: (noted: NotedFolder) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export function createFolderNotes(deps: FolderNotesDeps): FolderNotes {
  const { store, clock, random, owner, root } = deps;
  const noted = new Map<string, Promise<unknown>>();
  const written: string[] = [];

  async function write(folder: string): Promise<void> {
    const key = random.hex(KEY_BYTES);
    const value = { root, folder, owner: owner.own, atMs: clock.now() };
    await store.kv.put({ space: SPACE, key, value, ttlMs: MAX_AGE_MS });
    written.push(key);
  }

  return {
    async note(folder) {
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      const writing = noted.get(folder) ?? write(folder);
      noted.set(folder, writing);
      try {
        await writing;
      } catch (error) {
        noted.delete(folder);
        throw error;
      }
    },
    async recover(tidy) {
      for await (const { key, value } of listAll(store)) {
        const found = parseNote(value);
        if (found && !owner.isDead(found.owner, clock.now() - found.atMs)) continue;
        if (found) await tidy({ root: found.root, folder: found.folder });
        await store.kv.delete({ space: SPACE, key });
      }
    },
    async close() {
      await Promise.allSettled(noted.values());
      noted.clear();
      while (written.length > 0) {
        const part = written.splice(0, DELETES_PER_WRITE);
        await store.transact(part.map((key) => ({ kind: "kv.delete", space: SPACE, key })));
      }
    },
  };
}

interface StoredNote extends NotedFolder {
  readonly owner: string;
  readonly atMs: number;
}

function parseNote(value: unknown): StoredNote | undefined {
  const root = readText(value, "root");
  const folder = readText(value, "folder");
  const owner = readText(value, "owner");
  const atMs = readNumber(value, "atMs");
  if (root === undefined || folder === undefined) return undefined;
  return owner === undefined || atMs === undefined ? undefined : { root, folder, owner, atMs };
}

async function* listAll(store: Store) {
  let after: string | undefined;
  do {
    const page = await store.kv.list({ space: SPACE, after });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}
