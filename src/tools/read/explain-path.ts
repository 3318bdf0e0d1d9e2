// Why a path cannot be read, said with what the folder holds: the first names of a folder, names
// near a missing one. A bridge that cannot list is told of in fewer words.

import { fileMissing, isDirectory } from "../../core/files/index.js";
import {
  type FsBridge,
  type FsEntry,
  type FsPath,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { findNear, findVariants } from "./near-names.js";

/** Names beyond these are not looked at. */
const MAX_LISTED = 1_000;
const MAX_SHOWN = 20;
const MAX_NAME_CHARS = 80;
/** The folder, and the name in it; nothing when the path ends like that of a folder. */
const LAST_NAME = /^(?:(.*)\/)?(?!\.{1,2}$)([^/]+)$/s;

/** A file whose name looks the same. */
export interface Variant {
  readonly path: string;
}

export async function explainFolder(bridge: FsBridge, folder: FsPath): Promise<ToolError> {
  const path = folder.filePath;
  const entries = await listNames(bridge, folder);
  if (!entries) return isDirectory(path);
  const names = entries.map(({ name, type }) => (type === "directory" ? `${name}/` : name)).sort();
  const shown = names.slice(0, MAX_SHOWN).map(quote).join(", ");
  const isMore = names.length > MAX_SHOWN;
  const count = entries.length === MAX_LISTED ? `${MAX_LISTED} or more` : `${names.length}`;
  const holds =
    names.length === 0 ? "it is empty" : `it holds ${shown}${isMore ? ` … (${count} names)` : ""}`;
  return new ToolInputError(`"${toPrintable(path)}" is a folder: ${holds}. Name a file in it.`, {
    reason: "is_directory",
    details: { entries: names.slice(0, MAX_SHOWN) },
  });
}

/** The one file whose name looks the same; throws when there is none, or more than one. */
export async function explainMissing(bridge: FsBridge, file: FsPath): Promise<Variant> {
  const [, folder, name] = LAST_NAME.exec(file.filePath) ?? [];
  if (name === undefined) throw fileMissing(file.filePath);
  const parent = folder === undefined ? "." : folder === "" ? "/" : folder;
  const entries = await listNames(bridge, { ...file, filePath: parent });
  if (!entries) throw fileMissing(file.filePath);
  const toPath = (own: string) => (folder === undefined ? own : `${folder}/${own}`);
  const variants = findVariants(
    name,
    entries.filter(({ type }) => type !== "directory").map((entry) => entry.name),
  );
  const [variant] = variants;
  if (variant !== undefined && variants.length === 1) return { path: toPath(variant) };
  if (variants.length > 1) throw ambiguous(file.filePath, variants.map(toPath));
  const others = entries.map((entry) => entry.name).filter((own) => own !== name);
  throw missingNear(file.filePath, findNear(name, others).map(toPath));
}

/** undefined when the bridge cannot list, or this folder not: the error is about the file. */
async function listNames(bridge: FsBridge, folder: FsPath): Promise<FsEntry[] | undefined> {
  if (typeof bridge.list !== "function") return undefined;
  try {
    const entries = await bridge.list({ ...folder, limit: MAX_LISTED });
    return entries.filter(({ name }) => typeof name === "string");
  } catch (error) {
    if (folder.signal?.aborted) throw error;
    return undefined;
  }
}

function missingNear(path: string, near: readonly string[]): ToolError {
  if (near.length === 0) return fileMissing(path);
  return new ToolError(
    "not_found",
    `"${toPrintable(path)}" does not exist. Did you mean ${near.map(quote).join(" or ")}?`,
    { reason: "file_missing", details: { near } },
  );
}

function ambiguous(path: string, variants: readonly string[]): ToolError {
  const shown = variants.slice(0, MAX_SHOWN).map(escapeUnlike).join(", ");
  return new ToolInputError(
    `"${toPrintable(path)}" does not exist, and more than one name looks like it: ${shown}. Name one of them.`,
    { reason: "path_ambiguous", details: { variants: variants.slice(0, MAX_SHOWN) } },
  );
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_NAME_CHARS)}"`;
}

/** As JSON with nothing but ASCII: names that look the same must be told apart. */
function escapeUnlike(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
