// The lines of a text by their number, counted from 0; of very many only the first.

const MAX_LINES = 500_000;

export interface LineList {
  readonly count: number;
  /** Without its line end; "" past the last line. */
  lineAt(index: number): string;
  /** The first line that has this text in it; undefined when there is none. */
  findLine(text: string): number | undefined;
}

export function listLines(text: string): LineList {
  const starts = [0];
  let end = text.indexOf("\n");
  while (end !== -1 && starts.length < MAX_LINES) {
    starts.push(end + 1);
    end = text.indexOf("\n", end + 1);
  }
  // What follows the last line end is a line only if something is there.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  return {
    count: starts.length,
    lineAt(index) {
      const start = starts[index];
      if (start === undefined) return "";
      const feed = text.indexOf("\n", start);
      const line = text.slice(start, feed === -1 ? text.length : feed);
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    },
    findLine(part) {
      const place = text.indexOf(part);
      const next = starts.findIndex((start) => start > place);
      if (place === -1) return undefined;
      return (next === -1 ? starts.length : next) - 1;
    },
  };
}
