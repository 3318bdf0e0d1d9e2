// The content of a note: as it is indexed, and the lines of it that a call asks for.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { isToolError, type MemoryLines, quoteForeign } from "../../../core/index.js";
import { judgeHead } from "../../../lib/encoding/judge-head.js";
import { nearestName } from "../../../lib/nearest-name.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { notANote, noteNotText, noteOutside, noteTooLarge, noteUnreadable } from "../settings.js";
import { findNotePlace, type OpenNote, type OpenRequest, withNote } from "./open-note.js";
import type { NoteList } from "./scan.js";

const MAX_INDEXED_BYTES = 2 * 1024 * 1024;
const HEAD_BYTES = 8_192;
const MEBIBYTE = 1024 * 1024;

export interface NoteContent {
  readonly text: string;
  readonly hash: string;
  readonly warning: string | undefined;
}

type NoteReading =
  | { readonly kind: "content"; readonly content: NoteContent }
  | { readonly kind: "gone" }
  | { readonly kind: "skipped"; readonly warning: string };

interface ReadRequest extends OpenRequest {
  readonly path: string;
}

export function readNote(request: ReadRequest): NoteReading {
  const name = quoteForeign(request.path);
  const outcome = withNote(request, (note) =>
    toContent(readHead(note, MAX_INDEXED_BYTES), { note, name }),
  );
  if (outcome.kind === "read") return { kind: "content", content: outcome.value };
  if (outcome.kind === "missing") return { kind: "gone" };
  const warning = {
    outside: `${name} leads out of the notes folder and is skipped.`,
    no_file: `${name} is not a file and is skipped.`,
    unreadable: `${name} cannot be read and is skipped; check its permissions.`,
  }[outcome.kind];
  return { kind: "skipped", warning };
}

function readHead({ descriptor, bytes }: OpenNote, maxBytes: number): Buffer {
  // One more than it had: it may have grown since.
  const buffer = Buffer.allocUnsafe(Math.min(bytes, maxBytes) + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, Math.min(filled, maxBytes));
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

function hashNote(bytes: Buffer): string {
  return createHash("sha256").update(bytes.subarray(0, MAX_INDEXED_BYTES)).digest("base64");
}

function decodeNote(bytes: Buffer): string | undefined {
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

const MAX_READ_BYTES = 64 * 1024 * 1024;
const MAX_NEAREST = 3;
const LINE_END = /\r\n?|\n/;

interface LinesRequest {
  readonly path: string;
  readonly from?: number;
  readonly fromChar?: number;
  readonly lines?: number;
  readonly maxChars: number;
}

interface LinesSource {
  readonly root: string;
  readonly extraPaths: readonly string[];
  readonly list: () => Promise<NoteList>;
  readonly readSource: (note: { path: string; hash?: string }) => Promise<string | undefined>;
}

export async function readLines(source: LinesSource, request: LinesRequest): Promise<MemoryLines> {
  const place = findNotePlace(request.path, source);
  const list = await source.list();
  if (place === undefined) throw notANote(request.path, findNearest(request.path, list));
  const { path, file } = place;
  const outcome = withNote({ file, within: list.within }, (note) => readText(note, path));
  if (outcome.kind === "outside") throw noteOutside(path);
  if (outcome.kind === "no_file") throw notANote(path);
  if (outcome.kind === "unreadable") {
    throw isToolError(outcome.cause) ? outcome.cause : noteUnreadable(path, outcome.cause);
  }
  if (outcome.kind === "missing") {
    const isEmpty = list.notes.length === 0;
    const nearest = findNearest(path, list);
    const sources = await Promise.all(nearest.map((one) => source.readSource({ path: one })));
    const tainted = sources.find((one) => one !== undefined);
    const mark = tainted === undefined ? {} : { source: tainted };
    return { found: false, path, nearest, ...mark, ...(isEmpty ? { isEmpty } : {}) };
  }
  const { text, hash } = outcome.value;
  const tainted = await source.readSource({ path, hash });
  const mark = tainted === undefined ? {} : { source: tainted };
  return { ...cutWindow(text, { ...request, path }), ...mark };
}

function readText(note: OpenNote, path: string) {
  if (note.bytes > MAX_READ_BYTES) throw noteTooLarge(path, MAX_READ_BYTES);
  const bytes = readHead(note, MAX_READ_BYTES);
  const text = decodeNote(bytes);
  if (text === undefined) throw noteNotText(path);
  return { text, hash: hashNote(bytes) };
}

function cutWindow(text: string, request: LinesRequest): MemoryLines {
  const { path, from = 1, lines, maxChars } = request;
  const all = text.split(LINE_END);
  // A line end at the end of a text begins no further line.
  if (all.at(-1) === "") all.pop();
  const wanted = all.slice(from - 1, lines === undefined ? undefined : from - 1 + lines);
  const startChar = toWholeChar(wanted[0] ?? "", request.fromChar ?? 1);
  if (wanted[0] !== undefined) wanted[0] = wanted[0].slice(startChar - 1);
  let chars = 0;
  const isBeyond = (line: string) => {
    chars += line.length + 1;
    return chars > maxChars;
  };
  const end = wanted.findIndex(isBeyond);
  const shown = end === -1 ? wanted : wanted.slice(0, Math.max(1, end));
  const cut = end === 0 ? cutChars(shown[0] ?? "", maxChars) : undefined;
  const isLineCut = cut !== undefined && cut.length < (shown[0] ?? "").length;
  return {
    found: true,
    path,
    text: cut ?? shown.join("\n"),
    startLine: from,
    endLine: from + shown.length - 1,
    totalLines: all.length,
    ...(startChar === 1 ? {} : { startChar }),
    ...(isLineCut ? { nextChar: startChar + cut.length } : {}),
  };
}

function toWholeChar(line: string, char: number): number {
  const isSecondHalf =
    char > 1 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(line.slice(char - 2, char));
  return isSecondHalf ? char - 1 : char;
}

function findNearest(path: string, { notes }: NoteList): string[] {
  const paths = notes.map((note) => note.path);
  const nameOf = (one: string) => one.slice(one.lastIndexOf("/") + 1).toLowerCase();
  const sameName = paths.filter((one) => nameOf(one) === nameOf(path));
  const near = nearestName(path, paths);
  return [...new Set([...sameName, ...(near === undefined ? [] : [near])])].slice(0, MAX_NEAREST);
}
