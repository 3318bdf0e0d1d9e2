// Replaces a file in a pinned folder as a whole: a temporary file next to it, synced, then renamed
// over it. Nothing is written in place, so readers and other hard links keep the old content.
import { type BigIntStats, closeSync, constants, renameSync } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import type { FileAccess } from "../../core/files/index.js";
import { abortError } from "../../core/index.js";
import { errnoOf } from "../../lib/errno.js";
import {
  changeMode,
  changeOwner,
  open,
  openNow,
  statOpen,
  sync,
  write as writeBytes,
} from "./descriptor.js";
import { accessOf, pathChanged } from "./errors.js";
import { isInPlace, type Pin } from "./pin.js";
import type { Tidier } from "./temporaries/remove-temporaries.js";
import { type Ownership, toTemporaryName } from "./temporaries/temporary-owner.js";

const MAX_NAME_TRIES = 100;
const NEW_FILE_MODE = 0o666;
/** Not permitted, an owner that this namespace does not know, or a file system without owners. */
const CANNOT_GIVE = ["EPERM", "EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];
const MAKE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export interface AtomicWrite {
  readonly folder: Pin;
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly existing: BigIntStats | undefined;
  readonly access?: FileAccess | undefined;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly duringWrite?: (() => Promise<void>) | undefined;
  readonly meanwhile?: (() => void) | undefined;
  readonly ownership: Ownership;
  readonly tidier: Tidier;
}

export async function writeAtomically(write: AtomicWrite): Promise<void> {
  const temporary = await openTemporary(write);
  // First of all, so that everything else is done while it goes to the disk.
  const filled = fillTemporary(temporary.descriptor, write);
  // Neither rejects, and both end before this does: the caller closes the descriptors they use,
  // whose numbers may then mean other files.
  const looked = Promise.allSettled([write.duringWrite?.()]);
  const tidied = write.tidier.tidy(write.folder);
  try {
    await replaceFile(write, {
      temporary,
      filled,
      async isReady() {
        const [look] = await looked;
        if (look.status === "rejected") throw look.reason;
      },
    });
  } finally {
    await looked;
    await tidied;
  }
}

interface Temporary {
  readonly name: string;
  readonly descriptor: number;
}

interface Replacement {
  readonly temporary: Temporary;
  readonly filled: Promise<void>;
  isReady(): Promise<void>;
}

async function replaceFile(write: AtomicWrite, replacement: Replacement): Promise<void> {
  const { folder, name, signal } = write;
  const { temporary, filled, isReady } = replacement;
  const from = `${folder.door}/${temporary.name}`;
  try {
    await changeAndSync([folder], {
      prepare: () => filled,
      async change() {
        await isReady();
        if (!(await isInPlace(folder))) throw pathChanged(write.path);
        if (signal?.aborted) throw abortError(signal);
        const to = `${folder.door}/${name}`;
        if (folder.isLocal) renameSync(from, to);
        else await rename(from, to);
      },
      meanwhile() {
        write.tidier.remember(folder);
        write.meanwhile?.();
      },
    });
  } catch (error) {
    await removeTemporary(from);
    throw error;
  }
}

async function openTemporary(write: AtomicWrite): Promise<Temporary> {
  const mode = accessToHave(write).mode ?? NEW_FILE_MODE;
  const openNew = write.folder.isLocal ? openNow : open;
  for (let tries = 1; ; tries++) {
    const name = toTemporaryName(write.name, write.ownership.nextMark());
    try {
      const opened = openNew(`${write.folder.door}/${name}`, MAKE_NEW, mode);
      return { name, descriptor: typeof opened === "number" ? opened : await opened };
    } catch (error) {
      // Another bridge of this process took the name.
      if (errnoOf(error) !== "EEXIST" || tries === MAX_NAME_TRIES) throw error;
    }
  }
}

/** Closes it too: Windows does not rename an open file. */
async function fillTemporary(descriptor: number, write: AtomicWrite): Promise<void> {
  try {
    const { data, signal } = write;
    const file = { descriptor, isLocal: write.folder.isLocal };
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    for (let written = 0; written < bytes.byteLength; ) {
      if (signal?.aborted) throw abortError(signal);
      const part = writeBytes(file, { bytes, from: written });
      written += typeof part === "number" ? part : await part;
    }
    const wanted = accessToHave(write);
    const isAny = wanted.mode === undefined && wanted.owner === undefined;
    const stats = isAny ? undefined : statOpen(file);
    const own = stats instanceof Promise ? await stats : stats;
    const giving = own && giveAccess(descriptor, { own: accessOf(own), wanted });
    if (giving) await giving;
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface ToGive {
  readonly own: Required<FileAccess>;
  readonly wanted: FileAccess;
}

function giveAccess(descriptor: number, { own, wanted }: ToGive): Promise<void> | undefined {
  const { mode = own.mode, owner = own.owner } = wanted;
  const isGivenAway = own.owner.uid !== owner.uid || own.owner.gid !== owner.gid;
  if (isGivenAway) return giveAway(descriptor, { mode, owner });
  // What the process masks is missing.
  return own.mode === mode ? undefined : changeMode(descriptor, mode);
}

async function giveAway(descriptor: number, { mode, owner }: Required<FileAccess>): Promise<void> {
  await changeOwner(descriptor, owner.uid, owner.gid).catch((error: unknown) => {
    // Only a privileged process may give a file away; without it the writer owns the new file.
    if (!CANNOT_GIVE.includes(errnoOf(error))) throw error;
  });
  // That may take bits off.
  await changeMode(descriptor, mode);
}

function accessToHave({ access, existing }: AtomicWrite): FileAccess {
  return { ...(existing && accessOf(existing)), ...access };
}

/** The write has failed already: why is worth more than why its remains cannot be removed. */
async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

const UNSUPPORTED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EBADF"];

interface FolderChange<T> {
  prepare?(): Promise<void>;
  change(): Promise<T>;
  meanwhile?: (() => void) | undefined;
}

export async function changeAndSync<T>(folders: readonly Pin[], work: FolderChange<T>): Promise<T> {
  const outcomes = await Promise.allSettled([work.prepare?.(), ...folders.map(openFolder)]);
  const opened = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" && outcome.value !== undefined ? [outcome.value] : [],
  );
  try {
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    const result = await work.change();
    const synced = syncAll(opened);
    try {
      work.meanwhile?.();
    } finally {
      await synced;
    }
    return result;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

async function syncAll(opened: readonly number[]): Promise<void> {
  for (const descriptor of opened) await sync(descriptor).catch(passUnsupported);
}

async function openFolder(folder: Pin): Promise<number | undefined> {
  try {
    return await folder.open(constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  } catch (error) {
    // A process may be allowed to write here, but not to list what is here.
    if (errnoOf(error) !== "EACCES") passUnsupported(error);
    return undefined;
  }
}

function passUnsupported(error: unknown): void {
  if (!UNSUPPORTED.includes(errnoOf(error))) throw error;
}
