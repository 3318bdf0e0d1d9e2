// Which names are those of notes: `MEMORY.md`, `memory/**.md`, and what the further paths hold.

import { isAbsolute, join, normalize, relative, sep } from "node:path";
import { isInside } from "../../../lib/is-inside.js";
import type { NotePlaces } from "../settings.js";

export const MAIN_NOTES: readonly string[] = ["MEMORY.md", "memory.md"];
export const NOTES_FOLDER = "memory";
const MARKDOWN = /\.md$/i;
const MAX_PATH_CHARS = 4_096;

export interface NotePlace {
  /** Relative to the root, with `/`; of a note outside of it the whole path. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

/** undefined when the path cannot be that of a note. Whether there is one is not looked at. */
export function findNotePlace(given: string, places: NotePlaces): NotePlace | undefined {
  if (given.length > MAX_PATH_CHARS || given.includes("\0") || !isMarkdown(given)) return undefined;
  const slashed = given.replaceAll("\\", "/");
  const file = normalize(isAbsolute(slashed) ? slashed : join(places.root, slashed));
  const path = labelOf(file, places.root);
  const isOurs =
    MAIN_NOTES.includes(path) ||
    path.startsWith(`${NOTES_FOLDER}/`) ||
    places.extraPaths.some((extra) => isInside(file, normalize(extra)));
  return isOurs ? { path, file } : undefined;
}

/**
 * Whether a real path is that of a note, given the real places of notes. By it a link counts as what
 * it leads to, whatever its own name is.
 */
export function isNoteFile(real: string, within: readonly string[]): boolean {
  return within.some((place) => real === place || (isInside(real, place) && isMarkdown(real)));
}

/** The name that hits and citations show. */
export function labelOf(file: string, root: string): string {
  return isInside(file, root) ? relative(root, file).split(sep).join("/") : file;
}
