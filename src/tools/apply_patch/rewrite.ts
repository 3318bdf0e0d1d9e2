// What the hunks of an update change in the text of their file, with line ends as the file has them.

import { ToolInputError } from "../../core/index.js";
import { countSharedHead, countSharedTail } from "../../lib/diff/shared-ends.js";
import type { Splice } from "../../lib/diff/text-splices.js";
import { toPrintable } from "../../lib/printable.js";
import type { Placement } from "./match/locate-hunks.js";
import type { HunkLine } from "./parse/read-hunks.js";
import { binaryFile, lineEndOf, type SourceText } from "./source-text.js";

const DEFAULT_LINE_END = "\n";
const MAX_ASCII = 0x7f;
const MAX_BYTE = 0xff;

interface Writer {
  readonly isOpen: boolean;
  write(text: string, lineEnd: string): void;
  join(): string;
}

export function toSplices(source: SourceText, placements: readonly Placement[]): Splice[] {
  const { body, starts } = source;
  const count = source.lines.length;
  let isOpen = false;
  let covered = 0;
  return placements.flatMap((placement) => {
    const { start } = placement;
    // A last line that stays and has no end gets one as soon as something is put behind it.
    if (start === count && covered < count) isOpen = lineEndOf(source, count - 1) === "";
    const writer = createWriter(source, isOpen);
    writeHunk(writer, { source, placement });
    isOpen = writer.isOpen;
    covered = start + placement.count;
    const [from, to] = [starts[start] ?? 0, starts[covered] ?? body.length];
    const text = writer.join();
    const old = body.slice(from, to);
    const head = countSharedHead(old, text);
    const tail = countSharedTail({ one: old, other: text, head });
    const change = text.slice(head, text.length - tail);
    return old === text ? [] : [{ start: from + head, end: to - tail, text: change }];
  });
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

function writeHunk(
  writer: Writer,
  { source, placement }: { source: SourceText; placement: Placement },
): void {
  const { lines } = placement;
  let line = placement.start;
  for (let index = 0; index < lines.length; index++) {
    const run = takeRun(lines, index);
    const added = run.filter(({ mark }) => mark === "+");
    const removed = run.length - added.length;
    for (const [position, { text }] of added.entries()) {
      const isLast = position === added.length - 1;
      const model = line + (isLast ? removed - 1 : Math.min(position, removed - 1));
      const lineEnd = removed > 0 ? lineEndOf(source, model) : lineEndNear(source, line);
      writer.write(text, lineEnd);
    }
    line += removed;
    index += run.length;
    if (index >= lines.length) break;
    writer.write(source.lines[line] ?? "", lineEndOf(source, line));
    line++;
  }
}

function takeRun(lines: readonly HunkLine[], from: number): readonly HunkLine[] {
  let to = from;
  while (to < lines.length && lines[to]?.mark !== " ") to++;
  return lines.slice(from, to);
}

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
