// Lines of an output by number, as far as they are kept.

import type { ByteRange } from "./run-log.js";

const STEP_BYTES = 64 * 1024;
const PRUNE_COUNT = 2_048;

interface LineMark {
  readonly byte: number;
  /** Line feeds before that byte. */
  readonly line: number;
}

type LineIndex = ReturnType<typeof createLineIndex>;

const READ_BYTES = 64 * 1024;
/** A longer line is cut. */
const MAX_BYTES = 1024 * 1024;

export interface LineSource {
  readonly index: LineIndex;
  /** Kept ranges, oldest first. */
  ranges(): readonly ByteRange[];
  read(range: ByteRange): Promise<Buffer>;
}

export interface ReadLines {
  readonly text: string;
  readonly firstLine: number;
  /** `text` includes the end of the output. */
  readonly reachesEnd: boolean;
  /** Characters still to skip. */
  readonly columnLeft: number;
}

export interface WantedLines {
  readonly line: number;
  readonly limit: number;
  /** Characters of the first line to skip. */
  readonly column: number;
}

/** At most `limit` lines from `line`, or from the first kept one after it. */
export async function readLines(source: LineSource, wanted: WantedLines): Promise<ReadLines> {
  const { line, limit } = wanted;
  const found = await readFrom(source, wanted);
  if (found) return found;
  const next = nextKeptLine(source, line);
  const later =
    next === undefined ? undefined : await readFrom(source, { line: next, limit, column: 0 });
  return later ?? { text: "", firstLine: line, reachesEnd: true, columnLeft: 0 };
}

/** A later range probably begins inside a line. */
function nextKeptLine({ index, ranges }: LineSource, line: number): number | undefined {
  const later = ranges().filter(({ from, to }) => from > 0 && to > from);
  const marks = later.map(({ from }) => index.from(from));
  const mark = marks.find((candidate) => candidate !== undefined && candidate.line >= line);
  return mark === undefined ? undefined : mark.line + 1;
}

async function readFrom(
  source: LineSource,
  { line, limit, column }: WantedLines,
): Promise<ReadLines | undefined> {
  const mark = source.index.before(line);
  const ranges = source.ranges();
  const range = ranges.find(({ from, to }) => mark.byte >= from && mark.byte <= to);
  if (range === undefined) return undefined;
  const walk = createWalk({ skip: line - mark.line, limit, column });
  let position = mark.byte;
  while (position < range.to && !walk.isDone) {
    const to = Math.min(position + READ_BYTES, range.to);
    const bytes = await source.read({ from: position, to });
    if (bytes.length === 0) return undefined;
    walk.take(bytes);
    position += bytes.length;
  }
  const reachesEnd = !walk.isDone && range === ranges.at(-1);
  const text = reachesEnd || column > 0 ? walk.text() : walk.wholeLines();
  if (text === "" && !reachesEnd) return undefined;
  return { text, firstLine: line, reachesEnd, columnLeft: walk.columnLeft };
}

interface WalkRequest extends Omit<WantedLines, "line"> {
  readonly skip: number;
}

function createWalk({ skip, limit, column }: WalkRequest) {
  const parts: Buffer[] = [];
  let [passed, gathered, bytesKept, columnLeft] = [0, 0, 0, column];
  let isInColumn = column > 0;

  function pass(bytes: Buffer): Buffer {
    let start = 0;
    while (passed < skip) {
      const feed = bytes.indexOf(0x0a, start);
      if (feed === -1) return bytes.subarray(bytes.length);
      start = feed + 1;
      passed++;
    }
    return bytes.subarray(start);
  }

  function passColumn(bytes: Buffer): Buffer {
    if (!isInColumn || passed < skip) return bytes;
    const { end, left } = passChars(bytes, columnLeft);
    columnLeft = left;
    isInColumn = end === bytes.length;
    return bytes.subarray(end);
  }

  function endOfLines(bytes: Buffer): number {
    let end = 0;
    while (gathered < limit) {
      const feed = bytes.indexOf(0x0a, end);
      if (feed === -1) return bytes.length;
      end = feed + 1;
      gathered++;
    }
    return end;
  }

  const text = () => Buffer.concat(parts).toString("utf8");

  return {
    get isDone() {
      return gathered >= limit || bytesKept >= MAX_BYTES;
    },
    get columnLeft() {
      return columnLeft;
    },
    take(bytes: Buffer) {
      const rest = passColumn(pass(bytes));
      const kept = Buffer.from(rest.subarray(0, endOfLines(rest)));
      parts.push(kept);
      bytesKept += kept.length;
    },
    text,
    /** Drops an unfinished last line unless it alone is too long. */
    wholeLines() {
      const all = text();
      const end = all.lastIndexOf("\n") + 1;
      return end === 0 && bytesKept >= MAX_BYTES ? all : all.slice(0, end);
    },
  };
}

/** Where this many UTF-16 units of one line end in UTF-8. */
function passChars(bytes: Buffer, chars: number): { readonly end: number; readonly left: number } {
  let end = 0;
  let left = chars;
  for (; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0;
    if (byte === 0x0a) return { end, left: 0 };
    // Continuation bytes belong to the previous character.
    if ((byte & 0xc0) === 0x80) continue;
    if (left <= 0) break;
    left -= byte >= 0xf0 ? 2 : 1;
  }
  return { end, left: Math.max(0, left) };
}

export function createLineIndex(isKept: (byte: number) => boolean) {
  let marks: LineMark[] = [{ byte: 0, line: 0 }];
  let last = 0;
  let pruneAt = PRUNE_COUNT;

  return {
    /** Called with the end of the output before each piece. */
    note(mark: LineMark) {
      if (mark.byte - last < STEP_BYTES) return;
      last = mark.byte;
      marks.push(mark);
      if (marks.length < pruneAt) return;
      marks = marks.filter(({ byte }) => isKept(byte));
      pruneAt = marks.length + PRUNE_COUNT;
    },
    /** The last mark before the line. */
    before(line: number) {
      return marks.findLast((mark) => mark.line < line) ?? { byte: 0, line: 0 };
    },
    from: (wanted: number) => marks.find(({ byte }) => byte >= wanted),
  };
}
