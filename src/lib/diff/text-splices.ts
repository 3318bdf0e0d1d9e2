// Replaces parts of a text and shows the change as a unified diff.

import { endOfLine, lineNumberAt, startOfLine } from "../line-window.js";
import { diffLines, type LineDiff } from "./line-diff.js";

const CONTEXT_LINES = 3;
const MAX_DIFF_CHARS = 50_000;
const MAX_WINDOW_CHARS = 1024 * 1024;

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface SpliceDiff {
  readonly firstChangedLine: number;
  /** Hunks of a unified diff; absent when none can be shown. */
  readonly diff?: string;
  /** Why some changes are not in the diff. */
  readonly diffOmitted?: NonNullable<LineDiff["omitted"]>;
}

/** Here and below the splices are in order and apart. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const splice of splices) {
    pieces.push(text.slice(from, splice.start), splice.text);
    from = splice.end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

export function diffSplices(text: string, splices: readonly Splice[]): SpliceDiff {
  const windows = toWindows(text, splices);
  const start = windows[0]?.start ?? 0;
  const place = { index: start, before: 1 + countFeeds(text.slice(0, start)), added: 0 };
  const firstChangedLine = place.before + countFeeds(text.slice(start, splices[0]?.start));
  let diff = "";
  for (const { start, end, splices: own } of windows) {
    place.before += countFeeds(text.slice(place.index, start));
    place.index = start;
    const before = text.slice(start, end);
    const moved = own.map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
    const after = applySplices(before, moved);
    const maxChars = MAX_DIFF_CHARS - diff.length;
    const isLong = maxChars <= 0 || before.length + after.length > MAX_WINDOW_CHARS;
    const firstLines = { before: place.before, after: place.before + place.added };
    const shown = isLong ? {} : diffLines(before, after, { firstLines, maxChars });
    if (shown.text === undefined) {
      const diffOmitted = shown.omitted ?? "too_long";
      return { firstChangedLine, ...(diff === "" ? {} : { diff }), diffOmitted };
    }
    diff += shown.text;
    place.added += countFeeds(after) - countFeeds(before);
  }
  return { firstChangedLine, diff };
}

interface Window {
  readonly start: number;
  end: number;
  readonly splices: Splice[];
}

function toWindows(text: string, splices: readonly Splice[]): Window[] {
  const windows: Window[] = [];
  for (const splice of splices) {
    const last = windows.at(-1);
    const start = startOfLine(text, { index: splice.start, count: CONTEXT_LINES });
    const lineEnd = endOfLine(text, { index: splice.end, count: 0 });
    const end = endOfLine(text, { index: lineEnd, count: CONTEXT_LINES - 1 });
    if (last && start <= last.end) {
      last.splices.push(splice);
      last.end = end;
    } else windows.push({ start, end, splices: [splice] });
  }
  return windows;
}

function countFeeds(text: string): number {
  return lineNumberAt(text, text.length) - 1;
}
