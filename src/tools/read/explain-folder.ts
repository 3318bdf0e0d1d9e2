// The error for a folder in the place of a file: what it holds, so many names at a time.

import { isDirectory, listNames } from "../../core/files/index.js";
import { type FsBridge, type FsPath, type ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { MAX_LISTED_NAMES, MAX_NAMES } from "./limits.js";

const MAX_NAME_CHARS = 80;

/** Which of its names are asked for. */
export interface FolderPage {
  /** The first name, from 1. */
  readonly offset: number;
  readonly limit: number | undefined;
}

/** A bridge that cannot list is told of in fewer words. */
export async function explainFolder(
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

interface NextNames {
  readonly nextOffset: number;
  /** How many of the names that were asked for are still to come. */
  readonly nextLimit?: number;
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
