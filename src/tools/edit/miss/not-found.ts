// The error for a text that is not in the file: the likely reason, and what the file has instead.

import { findNearestLines } from "../../../core/files/index.js";
import { ToolInputError } from "../../../core/index.js";
import { joinWithin } from "../../../lib/join-within.js";
import { quoteSamples, toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { MatchRequest } from "../find-matches.js";
import { findSlip, type Slip, type SlipKind } from "./find-slip.js";
import {
  type Comparison,
  type Difference,
  type DifferenceKind,
  findDifferenceKind,
  findFirstDifference,
} from "./first-difference.js";

const MAX_SEARCHED_CHARS = 16 * 1024 * 1024;
const MAX_SEARCHED_LINES = 500_000;
const MAX_WANTED_LINES = 1_000;
const MAX_SHOWN_CHARS = 1_500;
const MAX_REGIONS = 3;
const MAX_EXPLAINED = 8;
const MAX_SHIFTED_LINES = 10;
const LINES_BEFORE = 4;
const LINES_AFTER = 7;
const LINES_OF_OTHERS = 2;
const MAX_LINE_CHARS = 160;
const LEAD_CHARS = 60;
const MAX_SAMPLE_CHARS = 16;

export function notFound({ change, source, path }: MatchRequest): ToolInputError {
  const { oldText, prefix, ending } = change;
  const wanted = oldText.split("\n", MAX_WANTED_LINES);
  const lines = listLines(source.text);
  const slip = findSlip(source, change);
  const starts = slip ? [slip.line - 1] : findNearestLines(lines, wanted);
  const miss = readMiss({ lines, wanted, starts });
  const why = slip ? SLIPS[slip.kind](slip) : KINDS[miss.kind](miss);
  return new ToolInputError(
    `${prefix}oldText does not occur in "${toPrintable(path)}".${ending} ${why}${showMiss(miss)}`,
    { reason: "not_found_in_file", details: toDetails(miss, slip) },
  );
}

function listLines(text: string): string[] {
  const lines = text.slice(0, MAX_SEARCHED_CHARS).split("\n", MAX_SEARCHED_LINES);
  // What follows the last line end is a line only if something is there.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

interface Regions extends Pick<Comparison, "lines" | "wanted"> {
  /** The first lines of the nearest regions, counted from 0; the best first. */
  readonly starts: readonly number[];
}

interface Miss extends Regions {
  readonly kind: DifferenceKind | "unlike";
  readonly difference: Difference | undefined;
}

/** A region whose difference can be named goes before a nearer one. */
function readMiss(regions: Regions): Miss {
  const { lines, wanted, starts } = regions;
  const kinds = starts
    .slice(0, MAX_EXPLAINED)
    .map((start) => findDifferenceKind({ lines, wanted, start }));
  const best = Math.max(
    0,
    kinds.findIndex((kind) => kind !== "text"),
  );
  const [kind, nearest] = [kinds[best], starts[best]];
  if (kind === undefined || nearest === undefined) {
    return { ...regions, kind: "unlike", difference: undefined };
  }
  const start = kind === "text" ? (findSameHead(regions, nearest) ?? nearest) : nearest;
  const chosen = [start];
  for (const other of starts) {
    const isApart = chosen.every((known) => Math.abs(known - other) >= wanted.length);
    if (isApart && chosen.length < MAX_REGIONS) chosen.push(other);
  }
  const difference = findFirstDifference({ lines, wanted, start });
  return { lines, wanted, starts: chosen, kind, difference };
}

/** A region near the best one that begins with the first wanted line. */
function findSameHead({ lines, wanted, starts }: Regions, best: number): number | undefined {
  const head = (wanted[0] ?? "").trim();
  const isHead = (at: number) => (lines[at] ?? "").trim() === head;
  if (wanted.length < 2 || head === "" || isHead(best)) return undefined;
  return starts.find((at) => Math.abs(at - best) <= MAX_SHIFTED_LINES && isHead(at));
}

const SLIPS = {
  line_numbers: ({ line }) =>
    `Its lines begin with numbers that are not in the file; without them it is at line ${line}.`,
  fence: ({ line }) => `It is in a fence of Markdown; without the fence it is at line ${line}.`,
  diff_marks: ({ line }) =>
    `Its lines begin with the "-", "+" or " " of a diff; without them it is at line ${line}.`,
  escapes: ({ line }) =>
    `Line ends, tabs or quotes are escaped (such as \\n) on one side only; otherwise it is at line ${line}.`,
  entities: ({ line }) =>
    `It has characters written as HTML entities (such as &lt;); as plain characters it is at line ${line}.`,
  final_line_end: ({ line }) =>
    `It ends with a line end that the file does not have there; without it, it is at line ${line}.`,
  first_line_end: ({ line }) =>
    `It begins with a line end that the file does not have there; without it, it is at line ${line}.`,
  already_applied: ({ line }) =>
    `newText is there already, at line ${line}: the change may have been made before.`,
} as const satisfies Record<SlipKind, (slip: Slip) => string>;

const KINDS = {
  indentation: ({ lines, wanted, difference }) =>
    difference
      ? `Only the indentation differs: line ${difference.line + 1} has ${describeIndentation(lines[difference.line])}, oldText has ${describeIndentation(wanted[difference.wantedLine])}.`
      : "Only the indentation differs.",
  letter_case: () => "Only the case of letters differs.",
  unseen_characters: () =>
    "Only invisible characters differ, such as U+200B; send them as they are in the file, or choose a text next to them.",
  white_space: () => "Only white space within lines differs.",
  line_breaks: () => "Only line breaks or blank lines differ.",
  text: () => "The text differs; copy it as it is in the file.",
  unlike: () => "No line is like it; read the file first.",
} as const satisfies Record<Miss["kind"], (miss: Miss) => string>;

function describeIndentation(line = ""): string {
  const space = /^[^\S\n]*/.exec(line)?.[0] ?? "";
  const tabs = space.split("\t").length - 1;
  const counts = [
    [tabs, "tab"],
    [space.length - tabs, "space"],
  ] as const;
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`);
  return said.join(" and ") || "none";
}

function showMiss({ lines, wanted, starts, difference }: Miss): string {
  const [start, ...others] = starts;
  if (start === undefined) return "";
  const middle = difference?.line ?? start;
  const first = Math.max(start, middle - LINES_BEFORE);
  const last = Math.min(start + wanted.length - 1, middle + LINES_AFTER);
  const rows = [
    "Nearest:",
    ...showLines(lines, { from: first, to: middle }),
    ...(difference
      ? showDifference(difference, { lines, wanted })
      : showLines(lines, { from: middle, to: middle + 1 })),
    ...showLines(lines, { from: middle + 1, to: last + 1 }),
    ...others.flatMap((from) => [
      "Also near:",
      ...showLines(lines, { from, to: from + Math.min(wanted.length, LINES_OF_OTHERS) }),
    ]),
  ];
  return joinWithin(
    rows.map((row) => `\n${row}`),
    { maxChars: MAX_SHOWN_CHARS, describeRest: (left) => `\n[${left} more lines]` },
  );
}

function toDetails({ starts, kind, difference }: Miss, slip: Slip | undefined) {
  return {
    difference: slip?.kind ?? kind,
    nearestLines: starts.map((start) => start + 1),
    ...(difference ? { line: difference.line + 1, column: difference.column + 1 } : {}),
  };
}

function showLines(
  lines: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): string[] {
  return lines
    .slice(from, Math.max(from, to))
    .map((line, index) => `${from + index + 1}: ${cutLine(line, 0).text}`);
}

function showDifference(
  { line, column, wantedLine, wantedColumn }: Difference,
  { lines, wanted }: Pick<Comparison, "lines" | "wanted">,
): string[] {
  const whole = lines[line] ?? "";
  const { text, offset } = cutLine(whole, column);
  const number = `${line + 1}: `;
  // Tabs stay, so that the mark is in the right place.
  const gap = text.slice(0, column - offset).replace(/[^\t]/g, " ");
  const rests = [whole.slice(column), (wanted[wantedLine] ?? "").slice(wantedColumn)];
  const [here, there] = quoteSamples(rests, MAX_SAMPLE_CHARS);
  const end = line === lines.length - 1 ? "its end" : "the end of the line";
  const wantedEnd = wantedLine === wanted.length - 1 ? "its end" : "the end of a line";
  const said = `column ${column + 1}: the file has ${here || end}, oldText has ${there || wantedEnd}`;
  return [`${number}${text}`, `${" ".repeat(number.length)}${gap}^ ${said}`];
}

/** A part that shows the column; `offset` is what its first character is in the line. */
function cutLine(line: string, column: number): { text: string; offset: number } {
  if (line.length <= MAX_LINE_CHARS) return { text: line, offset: 0 };
  const from = column < MAX_LINE_CHARS - LEAD_CHARS ? 0 : column - LEAD_CHARS;
  const part = cutChars(line.slice(from), MAX_LINE_CHARS);
  const isEnd = from + part.length >= line.length;
  const text = `${from > 0 ? "…" : ""}${part}${isEnd ? "" : "…"}`;
  return { text, offset: from > 0 ? from - 1 : 0 };
}
