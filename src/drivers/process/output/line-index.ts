// Where lines are in an output, roughly: a mark every 64 KiB, with how many line feeds came before.
// Marks of what is no longer kept are forgotten.

const STEP_BYTES = 64 * 1024;
const PRUNE_COUNT = 2_048;

export interface LineMark {
  readonly byte: number;
  /** Line feeds before that byte. */
  readonly line: number;
}

export interface LineIndex {
  /** To be told of the end of the output before each piece that is added. */
  note(mark: LineMark): void;
  /** The last mark before which the line begins or has begun: the line itself lies behind it. */
  before(line: number): LineMark;
  /** The first mark at or behind a byte. */
  from(byte: number): LineMark | undefined;
}

export function createLineIndex(isKept: (byte: number) => boolean): LineIndex {
  let marks: LineMark[] = [{ byte: 0, line: 0 }];
  let last = 0;
  let pruneAt = PRUNE_COUNT;

  return {
    note(mark) {
      if (mark.byte - last < STEP_BYTES) return;
      last = mark.byte;
      marks.push(mark);
      if (marks.length < pruneAt) return;
      marks = marks.filter(({ byte }) => isKept(byte));
      pruneAt = marks.length + PRUNE_COUNT;
    },
    before(line) {
      return marks.findLast((mark) => mark.line < line) ?? { byte: 0, line: 0 };
    },
    from: (wanted) => marks.find(({ byte }) => byte >= wanted),
  };
}
