// Opens a note and makes sure, on what was opened, that it is a file and itself a note: a link that is
// put there in between leads nowhere.

import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { isNoteFile } from "./note-path.js";

/** A pipe with that name must not hold up whoever opens it. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);

export interface OpenNote {
  readonly descriptor: number;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export type NoteOutcome<Value> =
  | { readonly kind: "read"; readonly value: Value }
  | { readonly kind: "missing" }
  /** It leads to what is no note. */
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
  let descriptor: number;
  try {
    descriptor = openInside(file, within);
  } catch (cause) {
    return judgeFailure(cause);
  }
  try {
    const { size, mtimeMs, isFile } = readFacts(descriptor);
    const kind = !isFile
      ? "no_file"
      : isNoteFile(locate(descriptor, file), within)
        ? "open"
        : "outside";
    if (kind === "open") return { kind, note: { descriptor, bytes: size, mtimeMs } };
    closeSync(descriptor);
    return { kind };
  } catch (cause) {
    closeSync(descriptor);
    return judgeFailure(cause);
  }
}

/** A link is followed only where it leads to a note; nothing else is ever opened. */
function openInside(file: string, within: readonly string[]): number {
  try {
    return openSync(file, FLAGS);
  } catch (error) {
    if (codeOf(error) !== "ELOOP") throw error;
    const real = realpathSync.native(file);
    if (!isNoteFile(real, within)) throw Object.assign(new Error("outside"), { code: "OUTSIDE" });
    return openSync(real, FLAGS);
  }
}

function readFacts(descriptor: number) {
  const stat = fstatSync(descriptor);
  return { size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile() };
}

/** Where what was opened lies; by its name where the system does not say. */
function locate(descriptor: number, file: string): string {
  if (process.platform !== "linux") return realpathSync.native(file);
  return readlinkSync(`/proc/self/fd/${descriptor}`);
}

function judgeFailure(cause: unknown): Exclude<NoteOutcome<never>, { kind: "read" }> {
  const code = codeOf(cause);
  if (code === "OUTSIDE") return { kind: "outside" };
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  // A socket, a device without a driver.
  if (code === "ENXIO" || code === "EISDIR") return { kind: "no_file" };
  return { kind: "unreadable", cause };
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}
