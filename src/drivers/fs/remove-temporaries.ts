// Removes what writes of processes that are gone have left in a folder. A live owner's file stays.

import { lstat, opendir, unlink } from "node:fs/promises";
import type { Pin } from "./pin.js";
import { type Ownership, parseTemporaryName, type TemporaryOwner } from "./temporary-owner.js";

/** A folder is not searched further, so that a write into a large one stays quick. */
const MAX_ENTRIES = 1_000;

interface Found {
  readonly path: string;
  readonly owner: TemporaryOwner;
}

/** Never throws: no write fails because of what another has left, and the next one tries again. */
export async function removeDeadTemporaries(folder: Pin, ownership: Ownership): Promise<void> {
  // A process may be allowed to write here, but not to list what is here.
  const found = await findTemporaries(folder).catch(() => []);
  if (found.length === 0 || !(await folder.confirm().catch(() => false))) return;
  await Promise.allSettled(found.map((file) => removeIfDead(file, ownership)));
}

async function removeIfDead({ path, owner }: Found, ownership: Ownership): Promise<void> {
  const { mtimeMs } = await lstat(path);
  if (ownership.isDead(owner, Date.now() - mtimeMs)) await unlink(path);
}

async function findTemporaries(folder: Pin): Promise<Found[]> {
  const found: Found[] = [];
  let looked = 0;
  for await (const entry of await opendir(`${folder.door}/.`, { bufferSize: MAX_ENTRIES })) {
    const owner = entry.isFile() ? parseTemporaryName(entry.name) : undefined;
    if (owner) found.push({ path: `${folder.door}/${entry.name}`, owner });
    if (++looked === MAX_ENTRIES) break;
  }
  return found;
}
