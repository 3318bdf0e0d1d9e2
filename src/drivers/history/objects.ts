// Old content of files, each under the hash of its bytes, for this user alone. An object is whole or
// absent; one that the disk has damaged is found out when it is read.

import { type Dirent, type Stats, statSync } from "node:fs";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RandomSource } from "../../core/index.js";
import { isMissing } from "../../lib/errno.js";
import { makeFolder } from "../../lib/make-folder.js";
import { whenFilesFree } from "../../lib/system/file-descriptors.js";
import { contentDamaged } from "./errors.js";
import { hashBytes, type SeenBytes } from "./file-state.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const NAME_BYTES = 8;
const HASH_FORM = /^[0-9a-f]{64}$/;

export interface StoredObject {
  readonly hash: string;
  readonly bytes: number;
  readonly touchedAtMs: number;
  /** It is one with a file outside: one that a write was about to replace, and has not. */
  readonly isShared: boolean;
}

export interface Objects {
  put(seen: SeenBytes): Promise<string>;
  has(hash: string): Promise<boolean>;
  get(hash: string): Promise<Buffer>;
  detach(hash: string): Promise<void>;
}

export interface StoredObjects extends Objects {
  /** With what a process left that was killed while it put one: `hash` is then "". */
  list(): AsyncIterable<StoredObject & { readonly file: string }>;
  remove(file: string): Promise<void>;
  setAside(file: string): Promise<string | undefined>;
  bringBack(aside: string, file: string): Promise<void>;
}

export function createObjects({
  folder,
  random,
}: {
  readonly folder: string;
  readonly random: RandomSource;
}): StoredObjects {
  const fileOf = (hash: string) => join(folder, hash);
  const nameTemporary = () => join(folder, `${random.hex(NAME_BYTES)}.tmp`);

  return {
    async put(seen) {
      const linked = await putLink(seen, { fileOf, nameTemporary });
      return linked ?? putCopy(seen, { fileOf, nameTemporary });
    },
    // At once, as the store next to it works.
    has: async (hash) => statSync(fileOf(hash), { throwIfNoEntry: false }) !== undefined,
    async get(hash) {
      const bytes = await readIfThere(fileOf(hash));
      if (bytes !== undefined && (await hashBytes(bytes)) === hash) return bytes;
      throw contentDamaged(hash, bytes);
    },
    async detach(hash) {
      const found = await statIfThere(fileOf(hash));
      if (found === undefined || found.nlink === 1) return;
      const temporary = nameTemporary();
      await withoutTemporary(temporary, async () => {
        await writeNew(temporary, await readFile(fileOf(hash)));
        await rename(temporary, fileOf(hash));
      });
    },
    list: () => listObjects(folder),
    remove: (file) => rm(file, { force: true }),
    async setAside(file) {
      const aside = nameTemporary();
      try {
        await rename(file, aside);
        return aside;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    bringBack: (aside, file) => rename(aside, file),
  };
}

interface Names {
  fileOf(hash: string): string;
  nameTemporary(): string;
}

/** Keeps the file itself, which a write takes out of its folder; undefined when that cannot be. */
async function putLink(seen: SeenBytes, names: Names): Promise<string | undefined> {
  const { linkTo } = seen;
  if (!linkTo) return undefined;
  const hash = await seen.hash();
  const file = names.fileOf(hash);
  const outcome = await insideFolder(file, linkTo).catch((error: unknown) => {
    // The folder is there by now, so the file is not: its bytes were read in time.
    if (isMissing(error)) return "refused" as const;
    throw error;
  });
  if (outcome === "linked") return hash;
  const temporary = names.nameTemporary();
  if (outcome === "refused" || (await linkTo(temporary)) !== "linked") return undefined;
  return withoutTemporary(temporary, async () => {
    await rename(temporary, file);
    // Two names of one file are left as they are by a rename.
    await rm(temporary, { force: true });
    return hash;
  });
}

async function putCopy(seen: SeenBytes, names: Names): Promise<string> {
  const temporary = names.nameTemporary();
  return withoutTemporary(temporary, async () => {
    const [hash] = await Promise.all([seen.hash(), writeNew(temporary, seen.bytes)]);
    // Over what is there, which is the same: so no one removes it as old and unused.
    await rename(temporary, names.fileOf(hash));
    return hash;
  });
}

async function withoutTemporary<T>(temporary: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Not synced: it survives the end of the process, and is checked when it is read. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await insideFolder(file, () => whenFilesFree(() => open(file, "wx", FILE_MODE)));
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

async function insideFolder<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(file), FOLDER_MODE);
    return work(file);
  }
}

async function* listObjects(folder: string) {
  for (const { name } of await entriesOf(folder)) {
    const file = join(folder, name);
    const found = await statIfThere(file);
    const hash = HASH_FORM.test(name) ? name : "";
    if (!found?.isFile()) continue;
    const { size: bytes, ctimeMs: touchedAtMs, nlink } = found;
    yield { hash, file, bytes, touchedAtMs, isShared: hash !== "" && nlink > 1 };
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function statIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await whenFilesFree(() => readFile(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
