// The error for a text that fits nowhere: why, as far as that can be reported, and what is there instead.

import { ToolInputError } from "../../../core/index.js";
import { joinWithin } from "../../../lib/paths.js";
import { mayLookAlike, nameFirstCodePoint, toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { MatchRequest } from "../find-matches.js";
import {
  type DifferenceKind,
  findDifferenceKind,
  findFirstDifference,
  type LineList,
  listLines,
  type Place,
} from "./explain-difference.js";
import { findSlip, type Slip, type SlipKind } from "./find-slip.js";
import { findNearestRegions } from "./nearest-regions.js";

const MAX_LINE_CHARS = 160;

/** Of a long line so much is shown before the difference. */
const LEAD_CHARS = 60;

const MAX_SAMPLE_CHARS = 16;

interface ShownLines {
  /** Counted from 0. */
  readonly start: number;
  readonly count: number;
}

const MAX_SEARCHED_CHARS = 16 * 1024 * 1024;
const MAX_WANTED_LINES = 1_000;
const MAX_SHOWN_CHARS = 1_500;
const MAX_REGIONS = 3;
const MAX_EXPLAINED = 8;
/** This many lines may be missing or too much. */
const MAX_SHIFTED_LINES = 10;
const LINES_BEFORE = 4;
const LINES_BEHIND = 7;
const LINES_OF_OTHERS = 2;

export function notFound({ change, source, path }: MatchRequest): ToolInputError {
  const { oldText, prefix, ending } = change;
  const wanted = oldText.split("\n", MAX_WANTED_LINES);
  const lines = listLines(source.text.slice(0, MAX_SEARCHED_CHARS));
  const slip = findSlip(source, change);
  const starts = slip ? [slip.line - 1] : findNearestRegions(lines, wanted);
  const miss = readMiss({ lines, wanted, starts });
  const why = slip ? SLIPS[slip.kind](slip) : KINDS[miss.kind](miss);
  return new ToolInputError(
    `${prefix}oldText does not occur in "${toPrintable(path)}".${ending} ${why}${showMiss(miss)}`,
    { reason: "not_found_in_file", details: toDetails(miss, slip) },
  );
}

interface Regions {
  readonly lines: LineList;
  readonly wanted: readonly string[];
  /** The first lines of the nearest regions, counted from 0; the best first. */
  readonly starts: readonly number[];
}

interface Miss extends Regions {
  /** In what the nearest region differs. */
  readonly kind: DifferenceKind | "unlike";
  /** Where it differs first. */
  readonly place: Place | undefined;
}

/** A region whose difference can be reported goes before a better one whose difference cannot. */
function readMiss({ lines, wanted, starts }: Regions): Miss {
  const explained = starts
    .slice(0, MAX_EXPLAINED)
    .map((start) => ({ start, kind: findDifferenceKind({ lines, wanted, start }) }));
  const first = explained.find(({ kind }) => kind !== "text") ?? explained[0];
  const best = first && (findSameHead({ lines, wanted, starts }, first) ?? first);
  if (!best) return { lines, wanted, starts, kind: "unlike", place: undefined };
  return {
    lines,
    wanted,
    starts: [best.start, ...listApart(starts, { from: best.start, lines: wanted.length })],
    kind: best.kind,
    place: findFirstDifference({ lines, wanted, start: best.start }),
  };
}

/**
 * Where a line is missing or too much, most lines fit some lines further on or back. There the text
 * would differ from its beginning on, so a region that begins with its first line goes before.
 */
function findSameHead(
  { lines, wanted, starts }: Regions,
  { start, kind }: Pick<Miss, "kind"> & { start: number },
) {
  const head = (wanted[0] ?? "").trim();
  const isHead = (at: number) => lines.lineAt(at).trim() === head;
  if (kind !== "text" || wanted.length < 2 || head === "" || isHead(start)) return undefined;
  const found = starts.find((at) => Math.abs(at - start) <= MAX_SHIFTED_LINES && isHead(at));
  return found === undefined ? undefined : { start: found, kind };
}

/** The next ones that do not show the same lines again. */
function listApart(starts: readonly number[], best: { from: number; lines: number }): number[] {
  const chosen = [best.from];
  for (const start of starts) {
    const isApart = chosen.every((other) => Math.abs(other - start) >= best.lines);
    if (isApart && chosen.length < MAX_REGIONS) chosen.push(start);
  }
  return chosen.slice(1);
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
    `It ends with a line end that is not there in the file; without it, it is at line ${line}.`,
  first_line_end: ({ line }) =>
    `It begins with a line end that is not there in the file; without it, it is at line ${line}.`,
  already_applied: ({ line }) =>
    `newText is there already, at line ${line}: the change may have been made before.`,
} as const satisfies Record<SlipKind, (slip: Slip) => string>;

const KINDS = {
  indentation: ({ lines, wanted, place }) =>
    place
      ? `Only the indentation differs: line ${place.line + 1} has ${describeIndentation(lines.lineAt(place.line))}, oldText has ${describeIndentation(wanted[place.wantedLine] ?? "")}.`
      : "Only the indentation differs.",
  letter_case: () => "Only the case of letters differs.",
  unseen_characters: () =>
    "Only characters that no one sees differ, such as U+200B; send them as they are in the file, or a text next to them.",
  white_space: () => "Only white space within lines differs.",
  line_breaks: () => "Only line breaks or blank lines differ.",
  text: () => "The text differs; copy it as it is in the file.",
  unlike: () => "No line is like it; read the file first.",
} as const satisfies Record<Miss["kind"], (miss: Miss) => string>;

function describeIndentation(line: string): string {
  const space = /^[^\S\n]*/.exec(line)?.[0] ?? "";
  const tabs = space.split("\t").length - 1;
  if (space === "") return "none";
  if (tabs === 0) return space.length === 1 ? "1 space" : `${space.length} spaces`;
  const tabsText = tabs === 1 ? "1 tab" : `${tabs} tabs`;
  return tabs === space.length ? tabsText : `${tabsText} and ${space.length - tabs} spaces`;
}

function showMiss({ lines, wanted, starts, place }: Miss): string {
  const [start, ...others] = starts;
  if (start === undefined) return "";
  const middle = place?.line ?? start;
  const first = Math.max(start, middle - LINES_BEFORE);
  const last = Math.min(start + wanted.length - 1, middle + LINES_BEHIND);
  const rows = [
    "Nearest:",
    ...showLines(lines, { start: first, count: middle - first }),
    ...(place
      ? showDifference(lines, { place, wanted })
      : showLines(lines, { start: middle, count: 1 })),
    ...showLines(lines, { start: middle + 1, count: last - middle }),
    ...others.flatMap((other) => [
      "Also near:",
      ...showLines(lines, { start: other, count: Math.min(wanted.length, LINES_OF_OTHERS) }),
    ]),
  ];
  return joinWithin(
    rows.map((row) => `\n${row}`),
    { maxChars: MAX_SHOWN_CHARS, describeRest: (count) => `\n[${count} more lines]` },
  );
}

function toDetails({ starts, kind, place }: Miss, slip: Slip | undefined) {
  return {
    difference: slip?.kind ?? kind,
    nearestLines: starts.map((start) => start + 1),
    ...(place ? { line: place.line + 1, column: place.column + 1 } : {}),
  };
}

/** As many of the lines as there are. */
function showLines(lines: LineList, { start, count }: ShownLines): string[] {
  const last = Math.min(start + count, lines.count);
  return Array.from({ length: Math.max(0, last - start) }, (_, index) => {
    const { text } = cutLine(lines.lineAt(start + index), 0);
    return `${start + index + 1}: ${text}`;
  });
}

/** The line with the difference, and under it the mark and what is there on both sides. */
function showDifference(
  lines: LineList,
  { place, wanted }: { place: Place; wanted: readonly string[] },
): string[] {
  const { line, column, wantedLine, wantedColumn } = place;
  const whole = lines.lineAt(line);
  const { text, offset } = cutLine(whole, column);
  const number = `${line + 1}: `;
  // Tabs stay, so that the mark is where it should.
  const gap = text.slice(0, column - offset).replace(/[^\t]/g, " ");
  const end = line === lines.count - 1 ? "its end" : "the end of the line";
  const looked = wanted[wantedLine] ?? "";
  const isNamed = mayLookAlike([whole.slice(column), looked.slice(wantedColumn)]);
  const sampleAt = isNamed ? sampleWithName : samplePlain;
  const here = sampleAt(whole, column) ?? end;
  const there = sampleAt(looked, wantedColumn) ?? describeEnd(wanted, wantedLine);
  const said = `column ${column + 1}: the file has ${here}, oldText has ${there}`;
  return [`${number}${text}`, `${" ".repeat(number.length)}${gap}^ ${said}`];
}

function describeEnd(wanted: readonly string[], line: number): string {
  return line === wanted.length - 1 ? "its end" : "the end of a line";
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

/** undefined at the end of the line. */
function samplePlain(line: string, column: number): string | undefined {
  const rest = line.slice(column);
  if (rest === "") return undefined;
  const sample = cutChars(rest, MAX_SAMPLE_CHARS);
  return `${toPrintable(JSON.stringify(sample))}${sample.length < rest.length ? "…" : ""}`;
}

/** The same, and which character it begins with. */
function sampleWithName(line: string, column: number): string | undefined {
  const sample = samplePlain(line, column);
  return sample && `${sample} (${nameFirstCodePoint(line.slice(column))})`;
}
