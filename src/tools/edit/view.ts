// A text in another form, with the way to it and back: with line feeds only, or loosely, without
// white space at line ends and with plain marks and composed letters. Places count UTF-16 units.

import { ToolError } from "../../core/index.js";
import { toPlainMarks } from "../../lib/plain-marks.js";

/** Bound how long making a view holds the event loop. */
const MAX_PAIRS = 4_000_000;
const MAX_CHANGED = 1_000_000;
/** A longer cluster is left as it is: putting its marks in order takes the square of their number. */
const MAX_CLUSTER_CHARS = 128;
/** What may join with the character before it: marks, Hangul vowels and finals, voicing marks. */
const JOINS = String.raw`[\p{M}\u1161-\u11FF\u3131-\u3163\uFF9E-\uFFDC\u{16D67}\u{16D68}]`;
const CLUSTER = new RegExp(String.raw`[^\0-\x7F]${JOINS}*|[\0-\x7F]${JOINS}+`, "gsu");
const LONG_CLUSTER = new RegExp(`${JOINS}{64}`, "u");
const NOT_ASCII = /[^\0-\x7F]/;
const FIELDS = { viewStart: 0, viewEnd: 1, start: 2, end: 3 } as const;
const FIELD_COUNT = 4;

export interface TextView {
  readonly text: string;
  /** The original place of something that begins here; undefined inside of a part that differs. */
  toStart(place: number): number | undefined;
  /** The original place of something that ends here; what the view left out behind it is not in it. */
  toEnd(place: number): number | undefined;
  /** Where a place of the original is in the view; undefined inside of a part that differs. */
  fromOriginal(place: number): number | undefined;
}

export function createPlainView(text: string): TextView {
  const same = (place: number) => place;
  return { text, toStart: same, toEnd: same, fromOriginal: same };
}

export function createLineFeedView(original: string): TextView {
  const builder = createViewBuilder(original, MAX_PAIRS);
  let start = original.indexOf("\r\n");
  while (start !== -1) {
    builder.replace({ start, end: start + 2 }, "\n");
    start = original.indexOf("\r\n", start + 2);
  }
  return builder.finish();
}

/** Case and the number of spaces within a line still count. */
export function createLooseView(original: string): TextView {
  const builder = createViewBuilder(original, MAX_CHANGED);
  let start = 0;
  while (start < original.length) {
    const feed = original.indexOf("\n", start);
    const next = feed === -1 ? original.length : feed + 1;
    const isPair = feed > start && original[feed - 1] === "\r";
    const end = isPair ? feed - 1 : feed === -1 ? next : feed;
    const line = original.slice(start, end);
    const kept = line.trimEnd();
    if (!isPlain(kept)) replaceClusters(builder, { line: kept, start });
    if (kept.length < line.length) builder.replace({ start: start + kept.length, end }, "");
    if (isPair) builder.replace({ start: end, end: next }, "\n");
    start = next;
  }
  return builder.finish();
}

function isPlain(line: string): boolean {
  if (!NOT_ASCII.test(line)) return true;
  return !LONG_CLUSTER.test(line) && toForm(line) === line;
}

function toForm(text: string): string {
  return toPlainMarks(text.normalize("NFKC"));
}

function replaceClusters(
  builder: ViewBuilder,
  { line, start }: { readonly line: string; readonly start: number },
): void {
  for (const { 0: cluster, index } of line.matchAll(CLUSTER)) {
    if (cluster.length > MAX_CLUSTER_CHARS) continue;
    const form = toForm(cluster);
    const at = start + index;
    if (form !== cluster) builder.replace({ start: at, end: at + cluster.length }, form);
  }
}

interface ViewBuilder {
  replace(range: { readonly start: number; readonly end: number }, form: string): void;
  finish(): TextView;
}

function createViewBuilder(original: string, maxParts: number): ViewBuilder {
  const parts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let done = 0;
  return {
    replace({ start, end }, form) {
      if (parts.length === maxParts * FIELD_COUNT) throw tooIntricate(maxParts);
      if (start > done) pieces.push(original.slice(done, start));
      pieces.push(form);
      length += start - done;
      parts.push(length, length + form.length, start, end);
      length += form.length;
      done = end;
    },
    finish() {
      if (parts.length === 0) return createPlainView(original);
      pieces.push(original.slice(done));
      return createView(pieces.join(""), parts);
    },
  };
}

function createView(text: string, parts: readonly number[]): TextView {
  const field = (part: number, name: keyof typeof FIELDS) => parts[part + FIELDS[name]] ?? 0;
  const lastBelow = (name: keyof typeof FIELDS, limit: number): number => {
    let low = 0;
    let high = parts.length / FIELD_COUNT;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (field(middle * FIELD_COUNT, name) < limit) low = middle + 1;
      else high = middle;
    }
    return (low - 1) * FIELD_COUNT;
  };
  const toOriginal = (part: number, place: number): number | undefined => {
    if (part < 0) return place;
    const behind = place - field(part, "viewEnd");
    return behind < 0 ? undefined : field(part, "end") + behind;
  };
  return {
    text,
    toStart(place) {
      const part = lastBelow("viewStart", place + 1);
      const isAtPart =
        part >= 0 && field(part, "viewStart") === place && field(part, "viewEnd") > place;
      return isAtPart ? field(part, "start") : toOriginal(part, place);
    },
    toEnd: (place) => toOriginal(lastBelow("viewStart", place), place),
    fromOriginal(place) {
      const part = lastBelow("start", place);
      if (part < 0) return place;
      const behind = place - field(part, "end");
      if (behind >= 0) return field(part, "viewEnd") + behind;
      return field(part, "viewStart") === field(part, "viewEnd")
        ? field(part, "viewStart")
        : undefined;
    },
  };
}

function tooIntricate(maxParts: number): ToolError {
  return new ToolError(
    "limit",
    `The file has more than ${maxParts} line ends or special characters, too many to look past them; send oldText exactly as it is in the file, line ends included.`,
    { reason: "text_too_intricate", details: { maxParts } },
  );
}
