// Replaces a file in a pinned folder as a whole: a temporary file beside it, synced, then renamed
// over it. Nothing is written in place, so readers and other hard links keep the old content.

import { type BigIntStats, constants, fstatSync } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { abortError } from "../../core/index.js";
import { errnoOf, pathChanged } from "./errors.js";
import { isInPlace, type Pin } from "./pin.js";
import type { Tidier } from "./remove-temporaries.js";
import { changeAndSync } from "./sync-folder.js";
import { type Ownership, toTemporaryName } from "./temporary-owner.js";

const MAX_NAME_TRIES = 100;
const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o777n;
const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export interface AtomicWrite {
  readonly folder: Pin;
  readonly name: string;
  readonly data: string | Uint8Array;
  /** The file that is replaced; its mode and, where permitted, its owner are kept. */
  readonly existing: BigIntStats | undefined;
  /** The caller's own words, for messages. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly ownership: Ownership;
  readonly tidier: Tidier;
}

export async function writeAtomically(write: AtomicWrite): Promise<void> {
  const { folder, name, signal, tidier } = write;
  const temporary = await openTemporary(write);
  const from = `${folder.door}/${temporary.name}`;
  // Beside the sync, which takes longer.
  const tidied = tidier.tidy(folder);
  try {
    await changeAndSync([folder], {
      prepare: () => fillTemporary(temporary.handle, write),
      async change() {
        if (!(await isInPlace(folder))) throw pathChanged(write.path);
        if (signal?.aborted) throw abortError(signal);
        await rename(from, `${folder.door}/${name}`);
      },
      release: () => temporary.handle.close(),
    });
    tidier.remember(folder);
  } catch (error) {
    await removeTemporary(from);
    throw error;
  } finally {
    // The caller closes the folder's descriptor, whose number may then mean another folder.
    await tidied;
  }
}

async function openTemporary(write: AtomicWrite): Promise<{ name: string; handle: FileHandle }> {
  const mode = write.existing ? permissionsOf(write.existing) : NEW_FILE_MODE;
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
  await writeWhole(handle, write);
  if (write.existing) await copyOwnerAndMode(handle, write.existing);
  await handle.sync();
  // Windows renames no file that is open.
  if (process.platform === "win32") await handle.close();
}

async function writeWhole(handle: FileHandle, { data, signal }: AtomicWrite): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  let written = 0;
  while (written < bytes.byteLength) {
    if (signal?.aborted) throw abortError(signal);
    const { bytesWritten } = await handle.write(bytes, written);
    written += bytesWritten;
  }
}

async function copyOwnerAndMode(handle: FileHandle, existing: BigIntStats): Promise<void> {
  const own = fstatSync(handle.fd, { bigint: true });
  const isGivenAway = own.uid !== existing.uid || own.gid !== existing.gid;
  if (isGivenAway) {
    await handle.chown(Number(existing.uid), Number(existing.gid)).catch((error: unknown) => {
      // Only a privileged process may give a file away; without it the writer owns the new file.
      if (errnoOf(error) !== "EPERM") throw error;
    });
  }
  // What the process masks is missing, and giving a file away may take bits off.
  const isSame = permissionsOf(own) === permissionsOf(existing);
  if (isGivenAway || !isSame) await handle.chmod(permissionsOf(existing));
}

function permissionsOf(stats: BigIntStats): number {
  return Number(stats.mode & PERMISSION_BITS);
}

/** The write has failed already: why is worth more than why its remains cannot be removed. */
async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
