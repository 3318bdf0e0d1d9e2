// Open, read, write and stat by descriptor.
import nodeFs, {
  type BigIntStats,
  fchmod,
  fchown,
  fstatSync,
  fstat as fstatWithCallback,
  openSync,
  open as openWithCallback,
  readSync,
  read as readWithCallback,
  writeSync,
  write as writeWithCallback,
} from "node:fs";
import { promisify } from "node:util";
import { isOutOfFiles, whenFilesFree } from "../../lib/system/file-descriptors.js";

/** So much is read or written at once where it is near: more would hold up everybody else. */
const SMALL_BYTES = 66_000;
const openSoon = promisify(openWithCallback);
const readSoon = promisify(readWithCallback);
const writeSoon = promisify(writeWithCallback);
const fstat = promisify(fstatWithCallback);
export const changeMode = promisify(fchmod);
export const changeOwner = promisify(fchown);

/** Waits a little when too many files are open. */
export const open: typeof openSoon = (...how: Parameters<typeof openSoon>) =>
  whenFilesFree(() => openSoon(...how));

export function openNow(path: string, flags: number, mode?: number): number | Promise<number> {
  try {
    return openSync(path, flags, mode);
  } catch (error) {
    if (isOutOfFiles(error)) return open(path, flags, mode);
    throw error;
  }
}

export interface OpenFile {
  readonly descriptor: number;
  readonly isLocal: boolean;
}

export function statOpen({ descriptor, isLocal }: OpenFile): BigIntStats | Promise<BigIntStats> {
  const how = { bigint: true } as const;
  return isLocal ? fstatSync(descriptor, how) : fstat(descriptor, how);
}

interface PartToRead {
  readonly into: Uint8Array;
  readonly from: number;
  readonly position: number | null;
}

export async function read(
  { descriptor, isLocal }: OpenFile,
  { into, from, position }: PartToRead,
): Promise<number> {
  const room = into.byteLength - from;
  if (isLocal && room <= SMALL_BYTES) return readSync(descriptor, into, from, room, position);
  return (await readSoon(descriptor, into, from, room, position)).bytesRead;
}

export function write(
  { descriptor, isLocal }: OpenFile,
  { bytes, from }: { readonly bytes: Uint8Array; readonly from: number },
): number | Promise<number> {
  if (isLocal && bytes.byteLength - from <= SMALL_BYTES) return writeSync(descriptor, bytes, from);
  return writeSoon(descriptor, bytes, from).then(({ bytesWritten }) => bytesWritten);
}

export function sync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    nodeFs.fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}
