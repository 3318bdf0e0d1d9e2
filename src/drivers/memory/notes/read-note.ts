// Reads the text of a note for the index: only the beginning of a very long note, and nothing, with the
// reason, when it is not text.

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { quoteForeign } from "../../../core/index.js";
import { judgeHead } from "../../../lib/encoding/judge-head.js";
import { type OpenNote, type OpenRequest, withNote } from "./open-note.js";

/** Of a longer note the beginning is indexed. */
const MAX_INDEXED_BYTES = 2 * 1024 * 1024;
const HEAD_BYTES = 8_192;
const MEBIBYTE = 1024 * 1024;

export interface NoteContent {
  /** Empty for what is not text. */
  readonly text: string;
  readonly hash: string;
  /** A sentence when not all of it is in the text. */
  readonly warning: string | undefined;
}

export type NoteReading =
  | { readonly kind: "content"; readonly content: NoteContent }
  | { readonly kind: "gone" }
  | { readonly kind: "skipped"; readonly warning: string };

export interface ReadRequest extends OpenRequest {
  /** As warnings name it. */
  readonly path: string;
}

export function readNote(request: ReadRequest): NoteReading {
  const name = quoteForeign(request.path);
  const outcome = withNote(request, (note) => toContent(readHead(note), { note, name }));
  if (outcome.kind === "read") return { kind: "content", content: outcome.value };
  if (outcome.kind === "missing") return { kind: "gone" };
  const warning = {
    outside: `${name} leads out of the notes folder and is skipped.`,
    no_file: `${name} is not a file and is skipped.`,
    unreadable: `${name} cannot be read and is skipped; check its permissions.`,
  }[outcome.kind];
  return { kind: "skipped", warning };
}

function readHead({ descriptor, bytes }: OpenNote): Buffer {
  // One more than it had: it may have grown since.
  const buffer = Buffer.allocUnsafe(Math.min(bytes, MAX_INDEXED_BYTES) + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, Math.min(filled, MAX_INDEXED_BYTES));
}

function toContent(
  bytes: Buffer,
  { note, name }: { readonly note: OpenNote; readonly name: string },
): NoteContent {
  const hash = hashNote(bytes);
  const text = decodeNote(bytes);
  if (text === undefined) {
    return { text: "", hash, warning: `${name} is a binary file and is skipped.` };
  }
  const isCut = note.bytes > bytes.length;
  const size = `${Math.ceil(note.bytes / MEBIBYTE)} MB`;
  const warning = isCut
    ? `Of ${name} (${size}) only the first ${MAX_INDEXED_BYTES / MEBIBYTE} MB are searched; divide it.`
    : undefined;
  return { text, hash, warning };
}

/** Of the part that is indexed. */
export function hashNote(bytes: Buffer): string {
  return createHash("sha256").update(bytes.subarray(0, MAX_INDEXED_BYTES)).digest("base64");
}

/** undefined when it is not text. */
export function decodeNote(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.includes(0) && isUtf8(bytes)) return withoutMark(bytes.toString("utf8"));
  const isLast = bytes.length <= HEAD_BYTES;
  const finding = judgeHead({ bytes: head, isLast });
  if (finding === undefined) return undefined;
  const decoder = new TextDecoder(finding.encoding ?? "utf-8");
  return decoder.decode(bytes);
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
