// What is at a path: nothing, or bytes that are known by their hash.
import { createHash, webcrypto } from "node:crypto";
import {
  type FileAccess,
  type OldFile,
  readAccess,
  toBytes,
  toPlainPath,
  toStat,
} from "../../core/files/index.js";
import type { FsBridge, FsFile, FsPath } from "../../core/index.js";

const MIN_THREAD_BYTES = 64 * 1024;

export type FileState =
  | { readonly kind: "absent" }
  | KeptFile
  /** Something is there whose bytes were not kept. */
  | { readonly kind: "unkept"; readonly reason: string };

interface KeptFile extends FileAccess {
  readonly kind: "file";
  readonly hash: string;
  readonly bytes: number;
}

export const ABSENT: FileState = { kind: "absent" };

export type Sight = Exclude<FileState, { readonly kind: "file" }> | SeenBytes;

export interface SeenBytes extends FileAccess {
  readonly kind: "bytes";
  readonly bytes: Buffer;
  hash(): Promise<string>;
  readonly linkTo?: OldFile["linkTo"];
}

interface Look {
  readonly path: FsPath;
  readonly maxBytes: number;
}

export async function lookAt(bridge: FsBridge, look: Look): Promise<Sight> {
  const opened = await openIfThere(bridge, look.path);
  if (opened) return readOpened(opened, look);
  const stat = toStat(await bridge.stat(look.path), look.path.filePath);
  if (stat === null) return { kind: "absent" };
  if (stat.type !== "file") return { kind: "unkept", reason: "not_regular_file" };
  if (stat.size > look.maxBytes) return { kind: "unkept", reason: "file_too_large" };
  const { path } = look;
  return seeBytes(toBytes(await bridge.readFile(path), path.filePath));
}

export async function lookAtOld(old: OldFile | undefined, maxBytes: number): Promise<Sight> {
  if (!old) return { kind: "absent" };
  if (old.size > maxBytes) return { kind: "unkept", reason: "file_too_large" };
  const { linkTo } = old;
  return { ...seeBytes(await old.read(), readAccess(old)), linkTo };
}

function seeBytes(bytes: Buffer, access: FileAccess = {}): SeenBytes {
  let hash: Promise<string> | undefined;
  return {
    kind: "bytes",
    bytes,
    ...access,
    hash: () => {
      hash ??= hashBytes(bytes);
      return hash;
    },
  };
}

interface SeenFile {
  readonly state: FileState;
  readonly bytes?: Buffer;
}

export async function seeFile(bridge: FsBridge, look: Look): Promise<SeenFile> {
  const sight = await lookAt(bridge, look);
  if (sight.kind !== "bytes") return { state: sight };
  return { state: await stateOfSeen(sight), bytes: sight.bytes };
}

export async function stateOfSeen(seen: SeenBytes): Promise<KeptFile> {
  return toKeptFile(seen, await seen.hash());
}

export function toKeptFile(seen: SeenBytes, hash: string): KeptFile {
  return { kind: "file", hash, bytes: seen.bytes.byteLength, ...readAccess(seen) };
}

export async function stateOf(bytes: Uint8Array): Promise<FileState> {
  return { kind: "file", hash: await hashBytes(bytes), bytes: bytes.byteLength };
}

/** Of much at once in another thread. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength < MIN_THREAD_BYTES) return hashOf(bytes);
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

export function hashOf(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

export function accessOfState(state: FileState): FileAccess {
  return state.kind === "file" ? readAccess(state) : {};
}

/** What is not known is the same as nothing. */
export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === "file") return other.kind === "file" && one.hash === other.hash;
  return one.kind === "absent" && other.kind === "absent";
}

/** One look instead of two, where the bridge can; whatever is wrong, `stat` says it better. */
async function openIfThere(bridge: FsBridge, path: FsPath): Promise<FsFile | undefined> {
  try {
    return await bridge.openFile?.(path);
  } catch {
    return undefined;
  }
}

async function readOpened(file: FsFile, { maxBytes }: Look): Promise<Sight> {
  try {
    const { size } = file.stat;
    if (size > maxBytes) return { kind: "unkept", reason: "file_too_large" };
    const bytes = Buffer.allocUnsafeSlow(size + 1);
    const count = await file.read(bytes, 0);
    if (count <= size) return seeBytes(bytes.subarray(0, count), readAccess(file));
  } finally {
    await file.close();
  }
  // It grew while it was read: someone else writes to it.
  return { kind: "unkept", reason: "not_readable" };
}

export interface StoredPaths {
  readonly root: string;
  readonly realRoot: string;
  /** Nothing in this folder is remembered. */
  readonly excluded: string | undefined;
}

export function toStoredPath(
  { filePath, cwd }: FsPath,
  { root, excluded }: StoredPaths,
): string | undefined {
  if (typeof filePath !== "string" || !(cwd === undefined || typeof cwd === "string")) {
    return undefined;
  }
  const whole = toPlainPath(filePath, cwd ?? root);
  if (excluded !== undefined && isInside(whole, excluded)) return undefined;
  return relativeTo(toPlainPath(root), whole);
}

export function toStoredPlace(realPath: string, { realRoot }: StoredPaths): string {
  return relativeTo(toPlainPath(realRoot), toPlainPath(realPath));
}

export function fromStoredPath(path: string, { root }: StoredPaths): FsPath {
  return { filePath: path, ...(root !== "" && { cwd: root }) };
}

function relativeTo(folder: string, whole: string): string {
  return folder !== "" && whole !== folder && isInside(whole, folder)
    ? whole.slice(toPrefix(folder).length)
    : whole;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(toPrefix(folder));
}

function toPrefix(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
