// What a file becomes when its hunks are put where they fit. Lines that stay are taken from the file,
// never from the patch, and added lines get the line end of their place.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Placement } from "../match/locate-hunks.js";
import type { HunkLine } from "../parse/read-hunks.js";
import { binaryFile, lineEndOf, type SourceText } from "../text/source-text.js";

const DEFAULT_LINE_END = "\n";
const MAX_ASCII = 0x7f;
const MAX_BYTE = 0xff;

/** Lines `start` to `end` (from 0, the last not included) and what stands there instead. */
export interface Rewrite {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The lines as a diff shows them, each with its mark in front and its end. */
  readonly rows: readonly string[];
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

interface Writer {
  readonly isOpen: boolean;
  write(text: string, lineEnd: string): void;
  join(): string;
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
