// The difference of two texts by lines, as a unified diff. Work and output are bounded.

import { joinWithin } from "../join-within.js";
import { endOfLine, lineNumberAt, startOfLine } from "../line-window.js";
import { findCommonRuns } from "./common-runs.js";
import { countSharedHead, countSharedTail } from "./shared-ends.js";

const MAX_CHANGED_CHARS = 1024 * 1024;
const MAX_CHANGED_LINES = 20_000;
const MAX_DISTANCE = 2_000;
const DEFAULTS = { contextLines: 3, firstLines: { before: 1, after: 1 }, maxChars: 50_000 };
const NO_END = "\n\\ No newline at end of file\n";
const LINE = /[^\n]*\n|[^\n]+/g;

interface LineView {
  /** Equal lines around each change; default 3. */
  readonly contextLines?: number;
  /** Numbers of the first lines, for texts that are parts of longer ones; default 1 and 1. */
  readonly firstLines?: { readonly before: number; readonly after: number };
}

export interface LineDiffOptions extends LineView {
  /** Default 50,000; a longer diff is cut behind a line and ends with `\ 12 more lines`. */
  readonly maxChars?: number;
}

export interface LineDiff {
  /** By its number in `before`; absent when the texts are equal. */
  readonly firstChangedLine?: number;
  /** Hunks, without names on top; "" when the texts are equal; absent when a limit leaves none. */
  readonly text?: string;
  /** Changes span over 1 Mi characters or 20,000 lines of both texts; over 2,000 lines differ. */
  readonly omitted?: "too_long" | "too_different";
}

export function diffLines(before: string, after: string, options: LineDiffOptions = {}): LineDiff {
  if (before === after) return { text: "" };
  const { contextLines, firstLines, maxChars } = { ...DEFAULTS, ...options };
  const head = countSharedHead(before, after);
  const tail = countSharedTail({ one: before, other: after, head });
  const firstChangedLine = firstLines.before - 1 + lineNumberAt(before, head);
  const start = startOfLine(before, { index: head, count: contextLines });
  const end = endOfLine(before, { index: before.length - tail, count: contextLines });
  const growth = after.length - before.length;
  const rows = toRows(before.slice(start, end), after.slice(start, end + growth));
  if (typeof rows === "string") return { firstChangedLine, omitted: rows };
  const line = lineNumberAt(before, start) - 1;
  const shown = { before: firstLines.before + line, after: firstLines.after + line };
  const hunks = toHunks(rows, { contextLines, firstLines: shown });
  const text = joinWithin(hunks, { maxChars, describeRest: (count) => `\\ ${count} more lines\n` });
  return { firstChangedLine, text };
}

function toRows(old: string, fresh: string): string[] | "too_long" | "too_different" {
  if (old.length + fresh.length > MAX_CHANGED_CHARS) return "too_long";
  const [before, after] = [old.match(LINE) ?? [], fresh.match(LINE) ?? []];
  if (before.length + after.length > MAX_CHANGED_LINES) return "too_long";
  const runs = findCommonRuns({ before, after, maxDistance: MAX_DISTANCE });
  if (!runs) return "too_different";
  const rows: string[] = [];
  let place = { before: 0, after: 0 };
  for (const run of [...runs, { before: before.length, after: after.length, length: 0 }]) {
    const end = run.before + run.length;
    for (const line of before.slice(place.before, run.before)) rows.push(`-${line}`);
    for (const line of after.slice(place.after, run.after)) rows.push(`+${line}`);
    for (const line of before.slice(run.before, end)) rows.push(` ${line}`);
    place = { before: end, after: run.after + run.length };
  }
  return rows;
}

function toHunks(rows: readonly string[], view: Required<LineView>): string[] {
  const stretches: { from: number; to: number }[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.startsWith(" ")) continue;
    const from = Math.max(0, index - view.contextLines);
    const last = stretches.at(-1);
    const stretch = last && from <= last.to ? last : { from, to: 0 };
    stretch.to = index + 1 + view.contextLines;
    if (stretch !== last) stretches.push(stretch);
  }
  let { before, after } = view.firstLines;
  return stretches.flatMap(({ from, to }) => {
    const part = rows.slice(from, to);
    const countOf = (mark: string) => part.filter((row) => row.startsWith(mark)).length;
    const [added, removed] = [countOf("+"), countOf("-")];
    const ranges = `-${toRange(before + from, part.length - added)} +${toRange(after + from, part.length - removed)}`;
    [before, after] = [before - added, after - removed];
    return [`@@ ${ranges} @@\n`, ...part.map((row) => (row.endsWith("\n") ? row : row + NO_END))];
  });
}

function toRange(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
