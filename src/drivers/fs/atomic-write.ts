// Replaces a file in a pinned folder as a whole: a temporary file beside it, synced, then renamed
// over it. Nothing is written in place, so readers and other hard links keep the old content.

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { abortError } from "../../core/index.js";
import { errnoOf, pathChanged } from "./errors.js";
import type { Pin } from "./pin.js";
import { removeDeadTemporaries } from "./remove-temporaries.js";
import { syncFolder } from "./sync-folder.js";
import { type Ownership, toTemporaryName } from "./temporary-owner.js";

const MAX_NAME_TRIES = 100;
const NEW_FILE_MODE = 0o666;
const PRIVATE_MODE = 0o600;
const PERMISSION_BITS = 0o777n;
const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export interface AtomicWrite {
  readonly folder: Pin;
  readonly name: string;
  readonly data: string | Buffer;
  /** The file that is replaced; its mode and, where permitted, its owner are kept. */
  readonly existing: BigIntStats | undefined;
  /** The caller's own words, for messages. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly ownership: Ownership;
}

export async function writeAtomically(write: AtomicWrite): Promise<void> {
  const { folder, name, signal } = write;
  const temporary = await openTemporary(write);
  const from = `${folder.door}/${temporary.name}`;
  // Beside the sync, which takes longer.
  const tidied = removeDeadTemporaries(folder, write.ownership);
  try {
    await fillTemporary(temporary.handle, write);
    if (!(await folder.confirm())) throw pathChanged(write.path);
    if (signal?.aborted) throw abortError(signal);
    await rename(from, `${folder.door}/${name}`);
  } catch (error) {
    await removeTemporary(from);
    throw error;
  } finally {
    // The caller closes the folder's descriptor, whose number may then mean another folder.
    await tidied;
  }
  await syncFolder(folder);
}

async function openTemporary(write: AtomicWrite): Promise<{ name: string; handle: FileHandle }> {
  const mode = write.existing ? PRIVATE_MODE : NEW_FILE_MODE;
  for (let tries = 1; ; tries++) {
    const name = toTemporaryName(write.name, write.ownership.nextMark());
    try {
      return { name, handle: await open(`${write.folder.door}/${name}`, MAKE_NEW, mode) };
    } catch (error) {
      // Another bridge of this process took the name.
      if (errnoOf(error) !== "EEXIST" || tries === MAX_NAME_TRIES) throw error;
    }
  }
}

async function fillTemporary(handle: FileHandle, write: AtomicWrite): Promise<void> {
  try {
    await handle.writeFile(write.data, { ...(write.signal ? { signal: write.signal } : {}) });
    if (write.existing) await copyOwnerAndMode(handle, write.existing);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyOwnerAndMode(handle: FileHandle, existing: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    await handle.chown(Number(existing.uid), Number(existing.gid)).catch((error: unknown) => {
      // Only a privileged process may give a file away; without it the writer owns the new file.
      if (errnoOf(error) !== "EPERM") throw error;
    });
  }
  await handle.chmod(Number(existing.mode & PERMISSION_BITS));
}

/** The write has failed already: why is worth more than why its remains cannot be removed. */
async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
