// Text for a terminal: wrapped at spaces, and two columns of which the second is wrapped. A command
// that a person may copy stays on one line.

const GAP = "  ";
/** Below this the right column is under the left one instead of next to it. */
const MIN_RIGHT_WIDTH = 24;
const MAX_LEFT_WIDTH = 26;
const UNDER_INDENT = 4;
/** A command in backticks, with the punctuation around it, or a word. */
const PARTS = /[^\s`]*`[^`]+`[^\s`]*|\S+/g;

export interface Columns {
  /** A list on the right is printed line by line, unwrapped. */
  readonly rows: ReadonlyArray<readonly [left: string, right: string | readonly string[]]>;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Breaks at spaces, but not inside backticks; a word longer than a line is cut. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of (text.match(PARTS) ?? []).flatMap((part) => cutWord(part, width))) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Every line begins with two spaces and keeps within `width`. */
export function formatColumns({ rows, width }: Columns): string[] {
  const longest = Math.max(0, ...rows.map(([left]) => left.length));
  const leftWidth = Math.min(longest, MAX_LEFT_WIDTH);
  const rightWidth = width - leftWidth - 2 * GAP.length;
  const areBeside = rightWidth >= MIN_RIGHT_WIDTH;
  return rows.flatMap(([left, right]) => {
    if (!areBeside || left.length > leftWidth) return formatUnder({ left, right, width });
    const [first = "", ...rest] = toLines(right, rightWidth);
    const head = `${GAP}${left.padEnd(leftWidth)}${GAP}${first}`.trimEnd();
    const margin = " ".repeat(leftWidth + 2 * GAP.length);
    return [head, ...rest.map((line) => margin + line)];
  });
}

function toLines(right: Columns["rows"][number][1], width: number): readonly string[] {
  return typeof right === "string" ? wrapText(right, width) : right;
}

function formatUnder(row: {
  left: string;
  right: Columns["rows"][number][1];
  width: number;
}): string[] {
  const { left, right, width } = row;
  const margin = " ".repeat(UNDER_INDENT);
  return [
    ...wrapText(left, width - GAP.length).map((line) => GAP + line),
    ...(right === "" ? [] : toLines(right, width - UNDER_INDENT).map((line) => margin + line)),
  ];
}

function cutWord(word: string, width: number): string[] {
  if (word.length <= width || word.includes("`")) return [word];
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
