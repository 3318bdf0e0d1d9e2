// The errors for a hunk that fits nowhere in its file, or in more than one place.

import { findNearestLines } from "../../../core/files/index.js";
import { ToolInputError } from "../../../core/index.js";
import { countSharedHead } from "../../../lib/diff/shared-ends.js";
import { quoteSamples, toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type Anchor, type Hunk, toWanted } from "../parse/read-hunks.js";
import type { SourceText } from "../source-text.js";
import { createEffort, createLineFinder, foldPunctuation, type Match } from "./line-finder.js";

const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 120;
const MAX_DIFFERENCE_CHARS = 40;
const LINES_ABOVE = 4;

interface MissedHunk {
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
  const wanted = toWanted(hunk.lines);
  const finding =
    findElsewhere(missed, wanted) ?? findApplied(missed) ?? describeNearest(source.lines, wanted);
  // UTF-16 without a mark passes for UTF-8 with NUL in it.
  const isOfOtherEncoding = source.encoding === "bytes" || source.body.includes("\0");
  return refuse(missed, {
    reason: "hunk_not_found",
    said: [
      "does not fit; nothing was written. It looks for:",
      showLines(wanted),
      finding.text,
      ...describeSlips(missed),
      isOfOtherEncoding
        ? "Change the file with edit, which knows the encoding of what read shows as text."
        : "Read the file and send the hunk with the lines it has now.",
    ],
    details: finding.details,
  });
}

export function anchorMissing(missed: MissedHunk, { text, line }: Anchor): ToolInputError {
  const { source, path, from } = missed;
  const foundLine = findLine(source, [text]);
  const finding: Finding = foundLine
    ? {
        text: `It is at line ${foundLine}, above line ${from + 1}, where the hunk before ended; hunks go from top to bottom.`,
        details: { foundLine },
      }
    : describeNearest(source.lines, [text]);
  return refuse(missed, {
    reason: "anchor_not_found",
    said: [
      `is to stand behind a line that "${toPrintable(path)}" does not have there; nothing was written. Line ${line} of the patch looks for:`,
      showLines([text]),
      finding.text,
      "Behind @@ give one whole line of the file, or nothing.",
    ],
    details: { line, ...finding.details },
  });
}

export function hunkAmbiguous(missed: MissedHunk, match: Match): ToolInputError {
  const lines = [match.start, ...match.others].map((start) => start + 1);
  return refuse(missed, {
    reason: "hunk_ambiguous",
    said: [
      `fits in more than one place when ${match.likeness.ignores} may differ (lines ${lines.join(", ")}), and exactly in none; nothing was written. Copy the lines from the file as they are, or add more of them.`,
    ],
    details: { lines },
  });
}

function refuse(
  { path, hunk: { number, line } }: MissedHunk,
  refusal: {
    readonly reason: string;
    readonly said: readonly string[];
    readonly details: Finding["details"];
  },
): ToolInputError {
  const { reason, said, details } = refusal;
  return new ToolInputError(
    `Hunk ${number} of "${toPrintable(path)}" (line ${line} of the patch) ${said.join("\n")}`,
    { reason, details: { path, hunk: number, line, ...details } },
  );
}

/** Counted from 1; undefined when the lines are nowhere in the file. */
function findLine({ lines }: SourceText, wanted: readonly string[]): number | undefined {
  const match = createLineFinder({ lines, wanted, effort: createEffort() }).find({
    wanted,
    from: 0,
  });
  return match && match.start + 1;
}

function findElsewhere(
  { source, from, hunk }: MissedHunk,
  wanted: readonly string[],
): Finding | undefined {
  const foundLine = findLine(source, wanted);
  if (foundLine === undefined || (foundLine > from && !hunk.isAtEnd)) return undefined;
  const text =
    foundLine <= from
      ? `These lines stand at line ${foundLine}, above line ${from + 1}, from which on it is looked for; hunks go from top to bottom.`
      : `These lines stand at line ${foundLine}, not at the end of the file; leave out "*** End of File".`;
  return { text, details: { foundLine } };
}

function findApplied({ source, hunk }: MissedHunk): Finding | undefined {
  const fresh = hunk.lines.filter(({ mark }) => mark !== "-").map(({ text }) => text);
  const isAdding = hunk.lines.some(({ mark }) => mark === "+");
  const foundLine = isAdding ? findLine(source, fresh) : undefined;
  if (foundLine === undefined) return undefined;
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
  const text = ["Nearest in the file:", ...shown].join("\n");
  if (!difference) return { text, details: { nearestLine: start + 1 } };
  const { line, column, sides } = difference;
  const [found, sought] = quoteSamples(sides, MAX_DIFFERENCE_CHARS).map(
    (side) => side || "nothing more",
  );
  return {
    text: `${text}\nLine ${line} differs from column ${column} on: the file has ${found}, the hunk ${sought}.`,
    details: { nearestLine: start + 1, difference: { line, column } },
  };
}

/** Indentation counts only where nothing else differs. Line and column count from 1. */
function findDifference(at: {
  lines: readonly string[];
  wanted: readonly string[];
  start: number;
}) {
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

function describeSlips({ hunk, source }: MissedHunk): string[] {
  const bare = hunk.lines.find(({ isBare, text }) => isBare && text !== "");
  const isLatin = source.encoding === "bytes";
  return [
    ...(bare
      ? [
          `Line ${bare.line} of the patch has no " ", "-" or "+" in front and was taken for context.`,
        ]
      : []),
    ...(isLatin ? ["The file is not UTF-8; its other characters were compared as Latin-1."] : []),
  ];
}

function showLines(lines: readonly string[]): string {
  const left = lines.length - MAX_SHOWN_LINES;
  const shown = lines.slice(0, MAX_SHOWN_LINES).map(cut);
  return [...shown, ...(left > 0 ? [`… and ${left} more lines`] : [])].join("\n");
}

function cut(line: string): string {
  return line.length <= MAX_SHOWN_CHARS ? line : `${cutChars(line, MAX_SHOWN_CHARS)}…`;
}
