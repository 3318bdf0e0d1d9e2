// Opens what a path names, through any bridge. What cannot be opened is reported as helpfully as the
// bridge allows: the names in a folder, names near a missing one.

import {
  assertRegularFile,
  describeMissing,
  fileMissing,
  findVariants,
  isDirectory,
  listNames,
  lookAround,
  notRegularFile,
  toBytes,
  toPlainLetters,
  toPlainPath,
  toStat,
  withFiles,
} from "../../core/files/index.js";
import {
  type FsBridge,
  type FsFile,
  type FsPath,
  isToolError,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_BYTES, MAX_LISTED_NAMES, MAX_NAMES } from "./limits.js";

const MAX_NAME_CHARS = 80;
const MAX_SHOWN = 20;

export interface OpenedFile {
  readonly path: string;
  readonly source: ByteSource;
  readonly requestedPath?: string;
}

export async function withFile<T>(
  bridge: FsBridge,
  file: FsPath,
  use: (opened: OpenedFile) => Promise<T>,
): Promise<T> {
  const first = await openAndUse({ bridge, file, use });
  if (!("failure" in first)) return first.result;
  if (first.failure.reason === "is_directory") {
    throw await explainFolder(bridge, file);
  }
  const again = { ...file, filePath: await findVariant(bridge, file) };
  const second = await openAndUse({
    bridge,
    file: again,
    use: (opened) => use({ ...opened, requestedPath: file.filePath }),
  });
  if ("failure" in second) throw second.failure;
  return second.result;
}

type Outcome<T> = { readonly result: T } | { readonly failure: ToolError };

interface Use<T> {
  readonly bridge: FsBridge;
  readonly file: FsPath;
  readonly use: (opened: OpenedFile) => Promise<T>;
}

/** A bridge that knows turns of its own sees to them itself; for others reads wait here. */
function openAndUse<T>({ bridge, file, use }: Use<T>): Promise<Outcome<T>> {
  const run = async (own: FsBridge): Promise<Outcome<T>> => {
    const source = await openSource(own, file);
    if (source instanceof ToolError) return { failure: source };
    try {
      return { result: await use({ path: file.filePath, source }) };
    } finally {
      await source.close();
    }
  };
  return typeof bridge.exclusive === "function" ? run(bridge) : withFiles(bridge, [file], run);
}

async function openSource(bridge: FsBridge, file: FsPath): Promise<ByteSource | ToolError> {
  if (typeof bridge.openFile !== "function") return loadSource(bridge, file);
  try {
    const opened = await bridge.openFile(file);
    if (opened.stat.type === "file") return createFileSource(opened, file.filePath);
    await opened.close();
    throw notRegularFile(file.filePath);
  } catch (error) {
    if (isToolError(error)) return passOn(error);
    // A bridge of the caller's may throw anything; what is there says more.
    const failure = await judgePath(bridge, file);
    if (failure) return failure;
    throw error;
  }
}

async function loadSource(bridge: FsBridge, file: FsPath): Promise<ByteSource | ToolError> {
  const failure = await judgePath(bridge, file);
  if (failure) return failure;
  const bytes = toBytes(await bridge.readFile(file), file.filePath);
  assertSize(file.filePath, bytes.length);
  return createBufferSource(bytes);
}

async function judgePath(bridge: FsBridge, file: FsPath): Promise<ToolError | undefined> {
  const path = file.filePath;
  const stat = toStat(await bridge.stat(file), path);
  if (stat === null) return fileMissing(path);
  if (stat.type === "directory") return isDirectory(path);
  assertRegularFile(stat, path);
  assertSize(path, stat.size);
  return undefined;
}

function passOn(error: ToolError): ToolError {
  if (error.reason === "file_missing" || error.reason === "is_directory") return error;
  throw error;
}

function assertSize(path: string, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    "limit",
    `"${toPrintable(path)}" has ${size} bytes; through this bridge read takes files of at most ${MAX_FILE_BYTES}. Split the file, or look at a part of it with another tool.`,
    { reason: "file_too_large", details: { size, maxBytes: MAX_FILE_BYTES } },
  );
}

async function findVariant(bridge: FsBridge, file: FsPath): Promise<string> {
  const around = await lookAround(bridge, file);
  if (!around) throw fileMissing(file.filePath);
  const { folder, name, rest, entries } = around;
  const files = entries.filter(({ type }) => type === "file").map((entry) => entry.name);
  const variants = rest.length === 0 ? findVariants(name, files) : [];
  const toPath = (own: string) => toPlainPath(`${folder}/${own}`);
  const [variant] = variants;
  if (variant === undefined) throw await describeMissing(bridge, { file, around });
  if (variants.length > 1) throw ambiguous(file.filePath, variants.map(toPath));
  return toPath(variant);
}

function ambiguous(path: string, variants: readonly string[]): ToolError {
  const shown = variants.slice(0, MAX_SHOWN).map(toPlainLetters).join(", ");
  return new ToolInputError(
    `"${toPrintable(path)}" does not exist, and more than one name looks like it: ${shown}. Name one of them.`,
    { reason: "path_ambiguous", details: { variants: variants.slice(0, MAX_SHOWN) } },
  );
}

async function explainFolder(bridge: FsBridge, folder: FsPath): Promise<ToolError> {
  const path = folder.filePath;
  const entries = await listNames(bridge, { ...folder, limit: MAX_LISTED_NAMES });
  if (!entries) return isDirectory(path);
  const names = entries.map(({ name, type }) => (type === "directory" ? `${name}/` : name)).sort();
  const shown = names.slice(0, MAX_NAMES);
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  const holds =
    names.length === 0 ? "it is empty" : `it holds ${shown.map(quote).join(", ")}${rest}`;
  return new ToolInputError(
    `"${toPrintable(path)}" is a folder: ${holds}. Name a file in it${rest === "" ? "" : ", or list it with ls"}.`,
    { reason: "is_directory", details: { entries: shown, totalEntries: names.length } },
  );
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_NAME_CHARS)}"`;
}

export interface Part {
  readonly bytes: Buffer;
  readonly position: number;
  readonly isLast: boolean;
}

export interface ByteSource {
  readonly size: number;
  read(position: number, maxBytes: number): Promise<Part>;
  close(): Promise<void>;
}

export function createBufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    async read(position, maxBytes) {
      const end = position + maxBytes;
      return { bytes: bytes.subarray(position, end), position, isLast: end >= bytes.length };
    },
    close: async () => undefined,
  };
}

function createFileSource(file: FsFile, path: string): ByteSource {
  const { size } = file.stat;
  let buffer = Buffer.alloc(0);
  return {
    size,
    async read(position, maxBytes) {
      // Some systems say 0 for files whose content is made when it is read.
      const room = size === 0 ? maxBytes : Math.min(maxBytes, Math.max(0, size - position));
      if (room === 0) return { bytes: buffer.subarray(0, 0), position, isLast: true };
      if (buffer.length < room) buffer = Buffer.allocUnsafe(room);
      const bytes = buffer.subarray(
        0,
        await readInto({ file, path, position, into: buffer.subarray(0, room) }),
      );
      const isWhole = size > 0 && position + bytes.length >= size;
      return { bytes, position, isLast: isWhole || bytes.length < room };
    },
    close: () => file.close(),
  };
}

interface Reading {
  readonly file: FsFile;
  readonly path: string;
  readonly position: number;
  readonly into: Buffer;
}

async function readInto({ file, path, position, into }: Reading): Promise<number> {
  const count: unknown = await file.read(into, position);
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= into.length) {
    return count;
  }
  throw new ToolError(
    "failed",
    `The read of an opened file must give the number of bytes; for "${toPrintable(path)}" it gave ${toPrintable(String(count))}.`,
    { reason: "bridge_invalid" },
  );
}
