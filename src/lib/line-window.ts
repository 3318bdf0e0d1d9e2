// Counts lines of a text and finds whole lines around a place in it.

/** A string, or a Buffer of UTF-8. */
export interface Lines {
  readonly length: number;
  indexOf(text: string, from: number): number;
  lastIndexOf(text: string, from: number): number;
}

export interface LinePlace {
  readonly index: number;
  readonly count: number;
}

export function startOfLine(lines: Lines, { index, count }: LinePlace): number {
  let start = index + 1;
  for (let left = count; left >= 0; left--) {
    // The line feed at start - 1 ends the line before, so the search begins in front of it.
    if (start < 2) return 0;
    start = lines.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

export function endOfLine(lines: Lines, { index, count }: LinePlace): number {
  let end = index;
  for (let left = count; left >= 0; left--) {
    const found = lines.indexOf("\n", end);
    if (found === -1) return lines.length;
    end = found + 1;
  }
  return end;
}

export function countLines(text: string): number {
  if (text === "") return 0;
  return lineNumberAt(text, text.length - 1);
}

export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  let end = text.indexOf("\n");
  while (end !== -1 && end < index) {
    line++;
    end = text.indexOf("\n", end + 1);
  }
  return line;
}
