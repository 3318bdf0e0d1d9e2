// Opens a note and makes sure, on what was opened, that it is a file and itself a note: a link that is
// put there in between leads nowhere.
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { isAbsolute, join, normalize, relative, sep } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import type { NotePlaces } from "../settings.js";

/** A pipe with that name must not hold up anyone who opens it. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);

export interface OpenNote {
  readonly descriptor: number;
  readonly bytes: number;
  readonly mtimeMs: number;
}

type NoteOutcome<Value> =
  | { readonly kind: "read"; readonly value: Value }
  | { readonly kind: "missing" }
  | { readonly kind: "outside" }
  | { readonly kind: "no_file" }
  | { readonly kind: "unreadable"; readonly cause: unknown };

export interface OpenRequest {
  readonly file: string;
  readonly within: readonly string[];
}

type Opened = Exclude<NoteOutcome<never>, { kind: "read" }> | { kind: "open"; note: OpenNote };

export function withNote<Value>(
  request: OpenRequest,
  use: (note: OpenNote) => Value,
): NoteOutcome<Value> {
  const opened = openNote(request);
  if (opened.kind !== "open") return opened;
  try {
    return { kind: "read", value: use(opened.note) };
  } catch (cause) {
    return { kind: "unreadable", cause };
  } finally {
    closeSync(opened.note.descriptor);
  }
}

function openNote({ file, within }: OpenRequest): Opened {
  let descriptor: number | undefined;
  try {
    descriptor = openInside(file, within);
  } catch (cause) {
    return judgeFailure(cause);
  }
  if (descriptor === undefined) return { kind: "outside" };
  try {
    const stat = fstatSync(descriptor);
    const kind = !stat.isFile()
      ? "no_file"
      : isNoteFile(locate(descriptor, file), within)
        ? "open"
        : "outside";
    if (kind === "open")
      return { kind, note: { descriptor, bytes: stat.size, mtimeMs: stat.mtimeMs } };
    closeSync(descriptor);
    return { kind };
  } catch (cause) {
    closeSync(descriptor);
    return judgeFailure(cause);
  }
}

function openInside(file: string, within: readonly string[]): number | undefined {
  try {
    return openSync(file, FLAGS);
  } catch (error) {
    if (errnoOf(error) !== "ELOOP") throw error;
    const real = realpathSync.native(file);
    return isNoteFile(real, within) ? openSync(real, FLAGS) : undefined;
  }
}

function locate(descriptor: number, file: string): string {
  if (process.platform !== "linux") return realpathSync.native(file);
  return readlinkSync(`/proc/self/fd/${descriptor}`);
}

function judgeFailure(cause: unknown): Exclude<NoteOutcome<never>, { kind: "read" }> {
  const code = errnoOf(cause);
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  // A socket, a device without a driver.
  if (code === "ENXIO" || code === "EISDIR") return { kind: "no_file" };
  return { kind: "unreadable", cause };
}

export const MAIN_NOTES: readonly string[] = ["MEMORY.md", "memory.md"];
export const NOTES_FOLDER = "memory";
const MARKDOWN = /\.md$/i;
const MAX_PATH_CHARS = 4_096;

export interface NotePlace {
  readonly path: string;
  readonly file: string;
}

export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

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

/** A link counts as what it leads to, whatever its own name is. */
export function isNoteFile(real: string, within: readonly string[]): boolean {
  return within.some((place) => real === place || (isInside(real, place) && isMarkdown(real)));
}

export function labelOf(file: string, root: string): string {
  return isInside(file, root) ? relative(root, file).split(sep).join("/") : file;
}
