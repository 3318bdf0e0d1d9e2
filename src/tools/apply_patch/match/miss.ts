// The errors for a hunk that fits nowhere in its file, or in more than one place.

import { findNearestLines } from "../../../core/files/index.js";
import { ToolInputError } from "../../../core/index.js";
import { countSharedHead } from "../../../lib/diff/shared-ends.js";
import { quoteSamples, toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { Anchor, Hunk } from "../parse/read-hunks.js";
import type { SourceText } from "../source-text.js";
import {
  createEffort,
  createLineFinder,
  foldPunctuation,
  type LineFinder,
  type Match,
} from "./line-finder.js";

const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 120;
const MAX_DIFFERENCE_CHARS = 40;
const LINES_ABOVE = 4;

export interface MissedHunk {
  readonly path: string;
  readonly source: SourceText;
  readonly hunk: Hunk;
  readonly from: number;
}

interface Finding {
  readonly text: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function hunkMissing(missed: MissedHunk): ToolInputError {
  const { hunk, source } = missed;
  const wanted = hunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
  const fresh = hunk.lines.filter(({ mark }) => mark !== "-").map(({ text }) => text);
  const finder = createLineFinder({
    lines: source.lines,
    wanted: [...wanted, ...fresh],
    effort: createEffort(),
  });
  const finding =
    findElsewhere({ ...missed, finder, wanted }) ??
    findApplied({ ...missed, finder, fresh }) ??
    describeNearest(source.lines, wanted);
  return new ToolInputError(
    [
      `${nameHunk(missed)} does not fit; nothing was written. It looks for:`,
      showLines(wanted),
      finding.text,
      ...describeSlips(missed),
      isOfOtherEncoding(source)
        ? "Change the file with edit, which knows the encoding of what read shows as text."
        : "Read the file and send the hunk with the lines it has now.",
    ].join("\n"),
    { reason: "hunk_not_found", details: { ...describeHunk(missed), ...finding.details } },
  );
}

export function anchorMissing(missed: MissedHunk, anchor: Anchor): ToolInputError {
  const { source, path, from } = missed;
  const wanted = [anchor.text];
  const finder = createLineFinder({ lines: source.lines, wanted, effort: createEffort() });
  const found = finder.find({ wanted, from: 0, isAtEnd: false });
  const finding: Finding = found
    ? {
        text: `It is at line ${found.start + 1}, above line ${from + 1}, where the hunk before ended; hunks go from top to bottom.`,
        details: { foundLine: found.start + 1 },
      }
    : describeNearest(source.lines, wanted);
  const details = { ...describeHunk(missed), line: anchor.line, ...finding.details };
  return new ToolInputError(
    [
      `${nameHunk(missed)} is to stand behind a line that "${toPrintable(path)}" does not have there; nothing was written. Line ${anchor.line} of the patch looks for:`,
      showLines(wanted),
      finding.text,
      "Behind @@ give one whole line of the file, or nothing.",
    ].join("\n"),
    { reason: "anchor_not_found", details },
  );
}

export function hunkAmbiguous(missed: MissedHunk, match: Match): ToolInputError {
  const places = [match.start, ...match.others].map((start) => start + 1);
  return new ToolInputError(
    `${nameHunk(missed)} fits in more than one place when ${match.likeness.ignores} may differ (lines ${places.join(", ")}), and exactly in none; nothing was written. Copy the lines from the file as they are, or add more of them.`,
    { reason: "hunk_ambiguous", details: { ...describeHunk(missed), lines: places } },
  );
}

interface Sought extends MissedHunk {
  readonly finder: LineFinder;
  readonly wanted: readonly string[];
}

function findElsewhere({ finder, wanted, from, hunk }: Sought): Finding | undefined {
  const match = finder.find({ wanted, from: 0, isAtEnd: false });
  if (!match) return undefined;
  const foundLine = match.start + 1;
  const text =
    match.start < from
      ? `These lines stand at line ${foundLine}, above line ${from + 1}, from which on it is looked for; hunks go from top to bottom.`
      : `These lines stand at line ${foundLine}, not at the end of the file; leave out "*** End of File".`;
  return match.start >= from && !hunk.isAtEnd ? undefined : { text, details: { foundLine } };
}

function findApplied(
  sought: Omit<Sought, "wanted"> & { readonly fresh: readonly string[] },
): Finding | undefined {
  const { finder, fresh, hunk } = sought;
  if (fresh.length === 0 || !hunk.lines.some(({ mark }) => mark === "+")) return undefined;
  const match = finder.find({ wanted: fresh, from: 0, isAtEnd: false });
  if (!match) return undefined;
  const foundLine = match.start + 1;
  return {
    text: `What it would make of them is at line ${foundLine} already; it may have been applied before.`,
    details: { foundLine },
  };
}

function describeNearest(lines: readonly string[], wanted: readonly string[]): Finding {
  const [start] = findNearestLines(lines, wanted);
  if (start === undefined) return { text: "No line of the file is like them." };
  const difference = findDifference({ lines, wanted, start });
  const first = Math.max(start, (difference?.line ?? 0) - 1 - LINES_ABOVE);
  const count = Math.min(Math.max(wanted.length, 1), MAX_SHOWN_LINES);
  const shown = lines
    .slice(first, first + count)
    .map((line, index) => `${first + index + 1}: ${cut(line)}`);
  const { line, column } = difference ?? {};
  return {
    text: ["Nearest in the file:", ...shown, ...describeDifference(difference)].join("\n"),
    details: { nearestLine: start + 1, ...(difference && { difference: { line, column } }) },
  };
}

function describeDifference(difference: Difference | undefined): string[] {
  if (!difference) return [];
  const { line, column, sides } = difference;
  const [found, wanted] = quoteSamples(sides, MAX_DIFFERENCE_CHARS).map(
    (side) => side || "nothing more",
  );
  return [
    `Line ${line} differs from column ${column} on: the file has ${found}, the hunk ${wanted}.`,
  ];
}

function describeSlips({ hunk, source }: MissedHunk): string[] {
  const bare = hunk.lines.find(({ isBare, text }) => isBare && text !== "");
  const slips: string[] = [];
  if (bare) {
    slips.push(
      `Line ${bare.line} of the patch has no " ", "-" or "+" in front and was taken for context.`,
    );
  }
  if (source.encoding === "bytes") {
    slips.push("The file is not UTF-8; its other characters were compared as Latin-1.");
  }
  return slips;
}

/** UTF-16 without a mark passes for UTF-8 with NUL in it. */
function isOfOtherEncoding({ encoding, body }: SourceText): boolean {
  return encoding === "bytes" || body.includes("\0");
}

function nameHunk({ path, hunk }: MissedHunk): string {
  return `Hunk ${hunk.number} of "${toPrintable(path)}" (line ${hunk.line} of the patch)`;
}

function describeHunk({ path, hunk }: MissedHunk): Record<string, unknown> {
  return { path, hunk: hunk.number, line: hunk.line };
}

function showLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_SHOWN_LINES).map(cut);
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more lines`] : [])].join("\n");
}

function cut(line: string): string {
  return line.length <= MAX_SHOWN_CHARS ? line : `${cutChars(line, MAX_SHOWN_CHARS)}…`;
}

interface Difference {
  readonly line: number;
  readonly column: number;
  readonly sides: readonly string[];
}

/** Indentation counts only where nothing else differs. */
function findDifference(at: {
  lines: readonly string[];
  wanted: readonly string[];
  start: number;
}): Difference | undefined {
  const { lines, wanted, start } = at;
  const position = wanted.findIndex(
    (text, index) => foldPunctuation(text) !== foldPunctuation(lines[start + index] ?? ""),
  );
  const line = lines[start + position];
  const text = wanted[position];
  if (line === undefined || text === undefined) return undefined;
  const [found, sought] = [line.trimStart(), text.trimStart()];
  const shared = countSharedHead(found, sought);
  return {
    line: start + position + 1,
    column: line.length - found.length + shared + 1,
    sides: [found.slice(shared), sought.slice(shared)],
  };
}
