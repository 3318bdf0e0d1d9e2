// Opens a note and makes sure, on what was opened, that it is a file and itself a note: a link that is
// put there in between leads nowhere.

import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { errnoOf } from "../../../lib/errno.js";
import { isNoteFile } from "./note-path.js";

/** A pipe with that name must not hold up anyone who opens it. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);

export interface OpenNote {
  readonly descriptor: number;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export type NoteOutcome<Value> =
  | { readonly kind: "read"; readonly value: Value }
  | { readonly kind: "missing" }
  /** It leads to what is not a note. */
  | { readonly kind: "outside" }
  /** A folder, a pipe, a device. */
  | { readonly kind: "no_file" }
  | { readonly kind: "unreadable"; readonly cause: unknown };

export interface OpenRequest {
  /** Absolute. */
  readonly file: string;
  /** Real paths of the places of notes. */
  readonly within: readonly string[];
}

type Opened = Exclude<NoteOutcome<never>, { kind: "read" }> | { kind: "open"; note: OpenNote };

/** What is done at once with an open note. */
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

/** The same for work that waits. Rejects with what `use` rejects with. */
export async function withNoteAwaited<Value>(
  request: OpenRequest,
  use: (note: OpenNote) => Promise<Value>,
): Promise<NoteOutcome<Value>> {
  const opened = openNote(request);
  if (opened.kind !== "open") return opened;
  try {
    return { kind: "read", value: await use(opened.note) };
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

/** Follows a link only to a note; undefined for a link to anything else. */
function openInside(file: string, within: readonly string[]): number | undefined {
  try {
    return openSync(file, FLAGS);
  } catch (error) {
    if (errnoOf(error) !== "ELOOP") throw error;
    const real = realpathSync.native(file);
    return isNoteFile(real, within) ? openSync(real, FLAGS) : undefined;
  }
}

/** Where what was opened is; by its name where the system does not say. */
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
