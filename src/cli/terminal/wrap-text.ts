// Wraps text for a terminal, or sets it in two columns. Colours have no width.

const GAP = "  ";
/** Otherwise the right column goes below the left one. */
const MIN_RIGHT_WIDTH = 24;
const MAX_LEFT_WIDTH = 32;
const UNDER_INDENT = 4;
const PARTS = /[^\s`]*`[^`]+`[^\s`]*|\S+/g;
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");

type Row = readonly [left: string, right: string | readonly string[]];

export interface Columns {
  /** Lists on the right are not wrapped. */
  readonly rows: readonly Row[];
  readonly width: number;
}

/** Breaks at spaces outside of backticks, so commands can be copied; long words are cut. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of (text.match(PARTS) ?? []).flatMap((part) => cutWord(part, width))) {
    if (line !== "" && visibleLength(line) + 1 + visibleLength(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Every line begins with two spaces and stays within `width`. */
export function formatColumns({ rows, width }: Columns): string[] {
  const longest = Math.max(0, ...rows.map(([left]) => visibleLength(left)));
  const leftWidth = Math.min(longest, MAX_LEFT_WIDTH);
  const rightWidth = width - leftWidth - 2 * GAP.length;
  return rows.flatMap(([left, right]) => {
    if (rightWidth < MIN_RIGHT_WIDTH || visibleLength(left) > leftWidth) {
      return formatUnder([left, right], width);
    }
    const [first = "", ...rest] = toLines(right, rightWidth);
    const head = `${GAP}${padTo(left, leftWidth)}${GAP}${first}`.trimEnd();
    const margin = " ".repeat(leftWidth + 2 * GAP.length);
    return [head, ...rest.map((line) => margin + line)];
  });
}

/** `1 note`, `2 notes`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function cutLine(text: string, width: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}

function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleLength(text)));
}

function visibleLength(text: string): number {
  return text.replace(COLOR, "").length;
}

function toLines(right: Row[1], width: number): readonly string[] {
  return typeof right === "string" ? wrapText(right, width) : right;
}

function formatUnder([left, right]: Row, width: number): string[] {
  const margin = " ".repeat(UNDER_INDENT);
  return [
    ...wrapText(left, width - GAP.length).map((line) => GAP + line),
    ...(right === "" ? [] : toLines(right, width - UNDER_INDENT).map((line) => margin + line)),
  ];
}

function cutWord(word: string, width: number): string[] {
  if (visibleLength(word) <= width || word.includes("`")) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part.length + character.length > width) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}
