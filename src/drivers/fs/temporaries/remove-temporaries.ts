// Removes what writes of processes that are gone have left in a folder. A live owner's file stays.

import type { Dirent } from "node:fs";
import { lstat, opendir, readdir, unlink } from "node:fs/promises";
import { resolve } from "node:path";
import type { Pin } from "../pin.js";
import { createWithRoot, pinExisting } from "../root.js";
import {
  createOwnership,
  type Ownership,
  parseTemporaryName,
  type TemporaryOwner,
} from "./temporary-owner.js";

const MAX_ENTRIES = 1_000;
const SMALL_FOLDER_BYTES = 64n * 1024n;
const LOOK_AGAIN_MS = 1_000;
const MAX_KNOWN_FOLDERS = 100;

export interface Tidier {
  /** Never throws: no change fails because of what another has left, and the next one tries again. */
  tidy(folder: Pin): Promise<void>;
  /** Called after a change of ours: what the folder looks like now is not a sign of others. */
  remember(folder: Pin): void;
}

interface KnownFolder {
  mtimeNs: bigint;
  lookedAtMs: number;
}

export function createTidier(ownership: Ownership): Tidier {
  const known = new Map<string, KnownFolder>();
  return {
    async tidy(folder) {
      const before = known.get(keyOf(folder));
      const now = performance.now();
      const isFresh = before !== undefined && now - before.lookedAtMs < LOOK_AGAIN_MS;
      if (isFresh && before.mtimeNs === folder.stats.mtimeNs) return;
      known.delete(keyOf(folder));
      const [oldest] = known.keys();
      if (known.size >= MAX_KNOWN_FOLDERS && oldest !== undefined) known.delete(oldest);
      known.set(keyOf(folder), { mtimeNs: folder.stats.mtimeNs, lookedAtMs: now });
      await removeDeadTemporaries(folder, ownership);
    },
    remember(folder) {
      const entry = known.get(keyOf(folder));
      const stats = folder.statNow();
      if (entry && stats) entry.mtimeNs = stats.mtimeNs;
    },
  };
}

/** In folders of a root, without a write of one's own. */
export async function tidyFolders(root: string, folders: readonly string[]): Promise<void> {
  const base = resolve(root);
  const withRoot = createWithRoot({ base, container: base });
  const ownership = createOwnership();
  const tidy = (filePath: string) =>
    withRoot(async (found) => {
      const pin = await pinExisting(found, found.locate({ filePath }));
      try {
        if (pin?.stats.isDirectory()) await removeDeadTemporaries(pin, ownership);
      } finally {
        pin?.close();
      }
    });
  // What is gone has nothing left in it; what cannot be opened is not ours to tidy.
  await Promise.allSettled(folders.map(tidy));
}

function keyOf({ stats }: Pin): string {
  return `${stats.dev}:${stats.ino}`;
}

async function removeDeadTemporaries(folder: Pin, ownership: Ownership): Promise<void> {
  // A process may be allowed to write here, but not to list what is here.
  const listed = await findTemporaries(folder).catch(() => []);
  const found = listed.filter(({ owner }) => !ownership.isOwn(owner));
  if (found.length === 0 || !(await folder.confirm().catch(() => false))) return;
  await Promise.allSettled(found.map((file) => removeIfDead(file, ownership)));
}

interface Found {
  readonly path: string;
  readonly owner: TemporaryOwner;
}

async function removeIfDead({ path, owner }: Found, ownership: Ownership): Promise<void> {
  const { mtimeMs } = await lstat(path);
  if (ownership.isDead(owner, Date.now() - mtimeMs)) await unlink(path);
}

async function findTemporaries(folder: Pin): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of await listEntries(folder)) {
    const owner = entry.isFile() ? parseTemporaryName(entry.name) : undefined;
    if (owner) found.push({ path: `${folder.door}/${entry.name}`, owner });
  }
  return found;
}

async function listEntries(folder: Pin): Promise<Dirent[]> {
  const { size } = folder.stats;
  // One step instead of four; where a folder has no size, it may be large.
  if (size > 0n && size <= SMALL_FOLDER_BYTES) {
    const entries = await readdir(`${folder.door}/.`, { withFileTypes: true });
    return entries.slice(0, MAX_ENTRIES);
  }
  const entries: Dirent[] = [];
  for await (const entry of await opendir(`${folder.door}/.`, { bufferSize: MAX_ENTRIES })) {
    entries.push(entry);
    if (entries.length === MAX_ENTRIES) break;
  }
  return entries;
}
