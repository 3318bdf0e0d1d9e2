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
  type FsPath,
  isToolError,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_FILE_BYTES, MAX_LISTED_NAMES, MAX_NAMES } from "./limits.js";
import { type ByteSource, createBufferSource, createFileSource } from "./source.js";

const MAX_NAME_CHARS = 80;

/** Which of its names are asked for. */
interface FolderPage {
  /** The first name, from 1. */
  readonly offset: number;
  readonly limit: number | undefined;
}

interface NextNames {
  readonly nextOffset: number;
  /** How many of the names that were asked for are still to come. */
  readonly nextLimit?: number;
}

const MAX_SHOWN = 20;

export interface OpenedFile {
  readonly path: string;
  readonly source: ByteSource;
  /** The name that was asked for, when a file of a like name was opened instead. */
  readonly requestedPath?: string;
}

interface FileUse<T> {
  readonly use: (opened: OpenedFile) => Promise<T>;
  /** Which names to list when the path names a folder. */
  readonly page: FolderPage;
}

/** Runs `use` on the opened file, and closes it. */
export async function withFile<T>(
  bridge: FsBridge,
  file: FsPath,
  { use, page }: FileUse<T>,
): Promise<T> {
  const first = await openAndUse({ bridge, file, use });
  if (!("failure" in first)) return first.result;
  if (first.failure.reason === "is_directory") {
    throw await explainFolder(bridge, { folder: file, page });
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

/** Gives back the error when nothing is there, or a folder; throws every other. */
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

/** The path of the one file whose name looks the same; throws when there is none, or more than one. */
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

/** A bridge that cannot list gets a shorter message. */
async function explainFolder(
  bridge: FsBridge,
  { folder, page }: { readonly folder: FsPath; readonly page: FolderPage },
): Promise<ToolError> {
  const path = folder.filePath;
  const entries = await listNames(bridge, { ...folder, limit: MAX_LISTED_NAMES });
  if (!entries) return isDirectory(path);
  const names = entries.map(({ name, type }) => (type === "directory" ? `${name}/` : name)).sort();
  const { offset } = page;
  if (offset > Math.max(names.length, 1)) return offsetPastNames({ path, offset, names });
  const count = Math.min(page.limit ?? MAX_NAMES, MAX_NAMES);
  const shown = names.slice(offset - 1, offset - 1 + count);
  const next = findNext({ page, shown: shown.length, total: names.length });
  const holds = names.length === 0 ? "it is empty" : `it holds ${shown.map(quote).join(", ")}`;
  const place = describePlace({ offset, shown: shown.length, total: names.length, next });
  return new ToolInputError(
    `"${toPrintable(path)}" is a folder: ${holds}${place}. Name a file in it.`,
    {
      reason: "is_directory",
      details: { entries: shown, offset, totalEntries: names.length, ...next },
    },
  );
}

/** undefined when nothing is left. */
function findNext(given: {
  readonly page: FolderPage;
  readonly shown: number;
  readonly total: number;
}): NextNames | undefined {
  const { page, shown, total } = given;
  const { offset, limit } = page;
  if (offset - 1 + shown >= total) return undefined;
  const isShort = limit !== undefined && limit > shown;
  return { nextOffset: offset + shown, ...(isShort ? { nextLimit: limit - shown } : {}) };
}

/** "" when all names are shown. */
function describePlace(given: {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly next: NextNames | undefined;
}): string {
  const { offset, shown, total, next } = given;
  if (shown === total) return "";
  const all = total === MAX_LISTED_NAMES ? `${total} or more` : `${total}`;
  const limit = next?.nextLimit === undefined ? "" : `, limit=${next.nextLimit}`;
  const call = next ? `; the next with offset=${next.nextOffset}${limit}` : "";
  return ` (names ${offset}-${offset + shown - 1} of ${all}${call})`;
}

function offsetPastNames(past: {
  readonly path: string;
  readonly offset: number;
  readonly names: readonly string[];
}): ToolError {
  const { path, offset, names } = past;
  const totalEntries = names.length;
  const count = totalEntries === 1 ? "1 name" : `${totalEntries} names`;
  return new ToolInputError(
    `"${toPrintable(path)}" is a folder with ${count}, and offset ${offset} is past them. Name a file in it.`,
    { reason: "is_directory", details: { totalEntries } },
  );
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_NAME_CHARS)}"`;
}
