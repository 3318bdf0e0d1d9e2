// The changed lines of a file as a unified diff. The places are known, so nothing has to be compared,
// however far apart they are.

import { diffLines } from "../../../lib/line-diff.js";
import { lineNumberAt } from "../../../lib/line-number.js";
import { countSharedHead } from "../../../lib/shared-ends.js";
import { MAX_DIFF_CHARS } from "../limits.js";
import { lineEndOf, type SourceText } from "../text/source-text.js";
import type { Rewrite } from "./rewrite.js";

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
