// What the splices change, by lines, for programs and people. Only the lines around them are looked
// at, so that a small change of a large file costs little.

import { diffLines, type LineDiff } from "../../../lib/line-diff.js";
import { endOfLine, startOfLine } from "../../../lib/line-window.js";
import { applySplices, type Splice } from "./splice.js";

const CONTEXT_LINES = 3;
const MAX_DIFF_CHARS = 50_000;
/** Longer stretches are not compared. */
const MAX_WINDOW_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

export interface SpliceDescription {
  readonly firstChangedLine: number;
  /** Hunks of a unified diff; absent when none can be shown. */
  readonly diff?: string;
  /** Why some changes are not in the diff. */
  readonly diffOmitted?: NonNullable<LineDiff["omitted"]>;
}

/** `splices` are in order and at least one. */
export function describeSplices(body: Buffer, splices: readonly Splice[]): SpliceDescription {
  const windows = toWindows(body, splices);
  const start = windows[0]?.start ?? 0;
  const place = { index: start, before: 1 + countLineFeeds(body.subarray(0, start)), added: 0 };
  const changed = body.subarray(start, splices[0]?.start ?? 0);
  const firstChangedLine = place.before + countLineFeeds(changed);
  let diff = "";
  for (const window of windows) {
    place.before += countLineFeeds(body.subarray(place.index, window.start));
    place.index = window.start;
    const maxChars = MAX_DIFF_CHARS - diff.length;
    const firstLines = { before: place.before, after: place.before + place.added };
    const { text, omitted } = diffWindow(body, { window, firstLines, maxChars });
    if (text === undefined) {
      const diffOmitted = omitted ?? "too_long";
      return diff === ""
        ? { firstChangedLine, diffOmitted }
        : { firstChangedLine, diff, diffOmitted };
    }
    diff += text;
    for (const splice of window.splices) place.added += linesAddedBy(splice, body);
  }
  return { firstChangedLine, diff };
}

/** Whole lines around splices that are near each other. */
interface Window {
  readonly start: number;
  end: number;
  /** Behind the line in which the last splice ends. */
  lineEnd: number;
  readonly splices: Splice[];
}

function toWindows(body: Buffer, splices: readonly Splice[]): Window[] {
  const windows: Window[] = [];
  for (const splice of splices) {
    const last = windows.at(-1);
    if (last && splice.end < last.lineEnd) {
      last.splices.push(splice);
      continue;
    }
    const start = startOfLine(body, { index: splice.start, count: CONTEXT_LINES });
    const lineEnd = endOfLine(body, { index: splice.end, count: 0 });
    const end = endOfLine(body, { index: lineEnd, count: CONTEXT_LINES - 1 });
    if (last && start <= last.end) {
      last.splices.push(splice);
      Object.assign(last, { end, lineEnd });
    } else windows.push({ start, end, lineEnd, splices: [splice] });
  }
  return windows;
}

interface WindowView {
  readonly window: Window;
  readonly firstLines: { readonly before: number; readonly after: number };
  readonly maxChars: number;
}

function diffWindow(body: Buffer, { window, firstLines, maxChars }: WindowView): LineDiff {
  const { start, end, splices } = window;
  const newBytes = splices.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (maxChars <= 0 || end - start + newBytes > MAX_WINDOW_BYTES) return { omitted: "too_long" };
  const before = body.subarray(start, end);
  const inside = splices.map((splice) => ({
    ...splice,
    start: splice.start - start,
    end: splice.end - start,
  }));
  const after = applySplices(before, inside).toString("utf8");
  return diffLines(before.toString("utf8"), after, {
    contextLines: CONTEXT_LINES,
    firstLines,
    maxChars,
  });
}

function linesAddedBy({ start, end, bytes }: Splice, body: Buffer): number {
  return countLineFeeds(bytes) - countLineFeeds(body.subarray(start, end));
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  let index = bytes.indexOf(LINE_FEED);
  while (index !== -1) {
    count++;
    index = bytes.indexOf(LINE_FEED, index + 1);
  }
  return count;
}
