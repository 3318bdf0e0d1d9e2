// The changed lines of a file as a unified diff. The places are known, so nothing has to be compared,
// however far apart they are.

import { ToolInputError } from "../../../core/index.js";
import { diffLines } from "../../../lib/line-diff.js";
import { lineNumberAt } from "../../../lib/line-number.js";
import { toPrintable } from "../../../lib/printable.js";
import { countSharedHead } from "../../../lib/shared-ends.js";
import { MAX_DIFF_CHARS } from "../limits.js";
import type { Placement } from "../match/locate-hunks.js";
import type { HunkLine } from "../parse/read-hunks.js";
import { binaryFile, lineEndOf, type SourceText } from "../text/source-text.js";

const DEFAULT_LINE_END = "\n";

const MAX_ASCII = 0x7f;

const MAX_BYTE = 0xff;

/** Lines `start` to `end` (from 0, the last not included) and what is there instead. */
interface Rewrite {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The lines as a diff shows them, each with its mark in front and its end. */
  readonly rows: readonly string[];
}

interface Writer {
  readonly isOpen: boolean;
  write(text: string, lineEnd: string): void;
  join(): string;
}

const CONTEXT_LINES = 3;
const NO_END = "\n\\ No newline at end of file\n";

export interface BodyDiff {
  /** Hunks, without names on top; "" when nothing changed. */
  readonly text: string;
  /** Before the change, from 1; undefined when nothing changed. */
  readonly firstChangedLine: number | undefined;
}

/** `rewrites` are in order and do not overlap. */
export function diffRewrites(source: SourceText, rewrites: readonly Rewrite[]): BodyDiff {
  const changed = rewrites.filter((rewrite) => hasChange(source, rewrite));
  // A last line without an end changes with what is put behind it: these are compared after all.
  const hasLastEnd = lineEndOf(source, source.lines.length - 1) !== "";
  const known = changed.filter(({ end }) => hasLastEnd || end < source.lines.length);
  const texts: string[] = [];
  const place = { before: 0, shift: 0 };
  let chars = 0;
  for (const [index, rewrite] of known.entries()) {
    if (chars > MAX_DIFF_CHARS) {
      texts.push(`\\ ${known.length - index} more hunks\n`);
      break;
    }
    const limit = changed[index + 1]?.start ?? source.lines.length;
    const text = showHunk(source, { rewrite, place, limit });
    texts.push(text);
    chars += text.length;
  }
  const tail = compareTail(source, { rewrites: changed.slice(known.length), place });
  const [first] = known;
  return {
    text: texts.join("") + (chars > MAX_DIFF_CHARS ? "" : tail.text),
    firstChangedLine: first ? findFirstChange(source, first) : tail.firstChangedLine,
  };
}

export function leftOut(reason: string | undefined): string {
  return `\\ left out: ${reason ?? "unknown"}\n`;
}

function hasChange({ body, starts }: SourceText, { start, end, text }: Rewrite): boolean {
  return body.slice(starts[start], starts[end]) !== text;
}

/** From 1. */
function findFirstChange({ body, starts }: SourceText, { start, end, text }: Rewrite): number {
  const old = body.slice(starts[start], starts[end]);
  return start + lineNumberAt(old, countSharedHead(old, text));
}

interface DiffPlace {
  /** The first line of the file that no hunk has shown yet. */
  before: number;
  /** How many lines were added so far, less those removed. */
  shift: number;
}

/** With up to three lines of the file above and below, as far as `limit`. */
function showHunk(
  source: SourceText,
  at: { rewrite: Rewrite; place: DiffPlace; limit: number },
): string {
  const { place, limit } = at;
  const { start, end, rows } = at.rewrite;
  const above = CONTEXT_LINES - Math.min(CONTEXT_LINES, countContext(rows));
  const below = CONTEXT_LINES - Math.min(CONTEXT_LINES, countContext(rows.toReversed()));
  const from = Math.max(place.before, start - above);
  const to = Math.min(limit, end + below);
  const added = rows.filter((row) => row.startsWith("+")).length;
  const removed = rows.filter((row) => row.startsWith("-")).length;
  const count = to - from;
  const ranges = `-${toRange(from, count)} +${toRange(from + place.shift, count + added - removed)}`;
  place.before = to;
  place.shift += added - removed;
  const head = listContext(source, { from, to: start });
  const tail = listContext(source, { from: end, to });
  const shown = [`@@ ${ranges} @@\n`, ...head, ...rows, ...tail];
  return shown.map((row) => (row.endsWith("\n") ? row : row + NO_END)).join("");
}

function listContext(source: SourceText, { from, to }: { from: number; to: number }): string[] {
  const { body, starts } = source;
  const rows: string[] = [];
  for (let line = from; line < to; line++) {
    rows.push(` ${body.slice(starts[line], starts[line + 1])}`);
  }
  return rows;
}

function countContext(rows: readonly string[]): number {
  const count = rows.findIndex((row) => !row.startsWith(" "));
  return count === -1 ? rows.length : count;
}

function compareTail(
  source: SourceText,
  { rewrites, place }: { rewrites: readonly Rewrite[]; place: DiffPlace },
): BodyDiff {
  const [first] = rewrites;
  if (!first) return { text: "", firstChangedLine: undefined };
  const { body, starts } = source;
  const line = Math.max(place.before, first.start - CONTEXT_LINES);
  const parts: string[] = [];
  let at = starts[line] ?? 0;
  for (const { start, end, text } of rewrites) {
    parts.push(body.slice(at, starts[start]), text);
    at = starts[end] ?? body.length;
  }
  const firstLines = { before: line + 1, after: line + 1 + place.shift };
  const before = body.slice(starts[line]);
  const { text, omitted, firstChangedLine } = diffLines(before, parts.join(""), { firstLines });
  return { text: text ?? leftOut(omitted), firstChangedLine };
}

/** An empty range has the number of the line before it. */
function toRange(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

/** `placements` are in order and do not overlap. */
export function toRewrites(source: SourceText, placements: readonly Placement[]): Rewrite[] {
  const count = source.lines.length;
  let isOpen = false;
  let covered = 0;
  return placements.map((placement) => {
    const { start } = placement;
    // A last line that stays and has no end gets one as soon as something is put behind it.
    if (start === count && covered < count) isOpen = lineEndOf(source, count - 1) === "";
    const writer = createWriter(source, isOpen);
    const rows = writeHunk(writer, { source, placement });
    isOpen = writer.isOpen;
    covered = start + placement.count;
    return { start, end: covered, text: writer.join(), rows };
  });
}

export function applyRewrites(source: SourceText, rewrites: readonly Rewrite[]): string {
  const { body, starts } = source;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of rewrites) {
    parts.push(body.slice(from, starts[start]), text);
    from = starts[end] ?? body.length;
  }
  parts.push(body.slice(from));
  return parts.join("");
}

/** Throws when a file would get characters that it may write in another way. */
export function assertEncodable(
  source: SourceText,
  { placements, path }: { placements: readonly Placement[]; path: string },
): void {
  // A line that fits shows that the file is read in the right way.
  const isUnproven = placements.some(({ count }) => count === 0);
  if (isUnproven && source.body.includes("\0")) throw binaryFile(path);
  if (source.encoding !== "bytes") return;
  const lines = placements.flatMap((placement) => placement.lines);
  const isLatin = lines.some(({ mark, text }) => mark !== "+" && !isWithin(text, MAX_ASCII));
  const limit = isLatin ? MAX_BYTE : MAX_ASCII;
  const foreign = lines.find(({ mark, text }) => mark === "+" && !isWithin(text, limit));
  if (!foreign) return;
  throw new ToolInputError(
    `"${toPrintable(path)}" is not UTF-8, and line ${foreign.line} of the patch adds characters that it may write in another way; nothing was written. Change it with edit.`,
    { reason: "not_utf8", details: { path, line: foreign.line } },
  );
}

function createWriter(source: SourceText, isOpenBefore: boolean): Writer {
  const parts: string[] = [];
  let isOpen = isOpenBefore;
  return {
    get isOpen() {
      return isOpen;
    },
    write(text, lineEnd) {
      if (isOpen) parts.push(lineEndOf(source, 0) || DEFAULT_LINE_END);
      parts.push(text, lineEnd);
      isOpen = lineEnd === "";
    },
    join: () => parts.join(""),
  };
}

/** Gives the rows of a diff. */
function writeHunk(
  writer: Writer,
  { source, placement }: { source: SourceText; placement: Placement },
): string[] {
  const { lines } = placement;
  const { body, starts } = source;
  const rows: string[] = [];
  let line = placement.start;
  for (let index = 0; index < lines.length; index++) {
    const run = takeRun(lines, index);
    const added = run.filter(({ mark }) => mark === "+");
    const removed = run.length - added.length;
    for (let at = line; at < line + removed; at++) {
      rows.push(`-${body.slice(starts[at], starts[at + 1])}`);
    }
    for (const [position, { text }] of added.entries()) {
      const isLast = position === added.length - 1;
      const model = line + (isLast ? removed - 1 : Math.min(position, removed - 1));
      const lineEnd = removed > 0 ? lineEndOf(source, model) : lineEndNear(source, line);
      writer.write(text, lineEnd);
      rows.push(`+${text}${lineEnd}`);
    }
    line += removed;
    index += run.length;
    if (index >= lines.length) break;
    writer.write(source.lines[line] ?? "", lineEndOf(source, line));
    rows.push(` ${body.slice(starts[line], starts[line + 1])}`);
    line++;
  }
  return rows;
}

/** The removed and added lines up to the next line that stays. */
function takeRun(lines: readonly HunkLine[], from: number): readonly HunkLine[] {
  let to = from;
  while (to < lines.length && lines[to]?.mark !== " ") to++;
  return lines.slice(from, to);
}

/** For what is put before line `line`: as the line above has it, else the one below. */
function lineEndNear(source: SourceText, line: number): string {
  if (source.lines.length === 0) return DEFAULT_LINE_END;
  return lineEndOf(source, line > 0 ? line - 1 : 0);
}

function isWithin(text: string, maxCode: number): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > maxCode) return false;
  }
  return true;
}
