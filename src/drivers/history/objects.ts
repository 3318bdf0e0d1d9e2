// Old content of files, each under the hash of its bytes, for this user alone. An object is whole or
// absent; one that the disk has damaged is found out when it is read.

import type { Dirent, Stats } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type RandomSource, ToolError } from "../../core/index.js";
import { hashBytes } from "./file-state.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const NAME_BYTES = 8;
const FAN_OUT_CHARS = 2;
const HASH_FORM = /^[0-9a-f]{64}$/;

/** Where old content lies in a state folder. */
export function objectsFolder(stateFolder: string): string {
  return join(stateFolder, "undo", "objects");
}

export interface StoredObject {
  readonly hash: string;
  readonly bytes: number;
  /** When it was last put. */
  readonly touchedAtMs: number;
}

export interface Objects {
  /** Its hash when it is stored. What is there already counts as put now. */
  put(bytes: Uint8Array): Promise<string>;
  has(hash: string): Promise<boolean>;
  /** Throws `failed` / `undo_damaged` when it is not there, or is not what it was. */
  get(hash: string): Promise<Buffer>;
  /** With what a process left that was killed while it put one: `hash` is then "". */
  list(): AsyncIterable<StoredObject & { readonly file: string }>;
  remove(file: string): Promise<void>;
}

export function createObjects({
  folder,
  random,
}: {
  readonly folder: string;
  readonly random: RandomSource;
}): Objects {
  const fileOf = (hash: string) =>
    join(folder, hash.slice(0, FAN_OUT_CHARS), hash.slice(FAN_OUT_CHARS));

  return {
    async put(bytes) {
      const temporary = join(folder, `${random.hex(NAME_BYTES)}.tmp`);
      try {
        const [hash] = await Promise.all([hashBytes(bytes), writeNew(temporary, bytes)]);
        // Over what is there, which is the same: so nobody removes it as old and unused.
        await insideFolder(fileOf(hash), (file) => rename(temporary, file));
        return hash;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    has: async (hash) => (await statIfThere(fileOf(hash))) !== undefined,
    async get(hash) {
      const bytes = await readIfThere(fileOf(hash));
      if (bytes !== undefined && (await hashBytes(bytes)) === hash) return bytes;
      throw new ToolError(
        "failed",
        `The old content ${hash.slice(0, 12)} is ${bytes ? "damaged" : "gone"}; it cannot be put back.`,
        { reason: "undo_damaged" },
      );
    },
    list: () => listObjects(folder),
    remove: (file) => rm(file, { force: true }),
  };
}

/** Not synced: it survives the end of the process, and is checked when it is read. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await insideFolder(file, () => open(file, "wx", FILE_MODE));
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

/** Makes the folder when it turns out that it is missing. */
async function insideFolder<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
    return work(file);
  }
}

async function* listObjects(folder: string) {
  for (const entry of await entriesOf(folder)) {
    const below = entry.isDirectory() ? await entriesOf(join(folder, entry.name)) : [];
    const names = entry.isDirectory()
      ? below.map(({ name }) => join(entry.name, name))
      : [entry.name];
    for (const name of names) {
      const file = join(folder, name);
      const found = await statIfThere(file);
      const plain = name.replaceAll(sep, "");
      const hash = HASH_FORM.test(plain) ? plain : "";
      if (found) yield { hash, file, bytes: found.size, touchedAtMs: found.mtimeMs };
    }
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
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
