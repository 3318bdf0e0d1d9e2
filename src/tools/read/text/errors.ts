// What is said when a window lies where the text has nothing.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

export function offsetPastEnd(past: {
  readonly path: string;
  readonly offset: number;
  readonly totalLines: number;
}): ToolInputError {
  const { path, offset, totalLines } = past;
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  return new ToolInputError(
    `offset ${offset} is past the end of "${toPrintable(path)}", which has ${lines}; use an offset from 1 to ${totalLines}.`,
    { reason: "offset_past_end", details: { totalLines } },
  );
}

export function cursorPastEnd(past: {
  readonly path: string;
  readonly offset: number;
  readonly cursor: number;
  readonly lineChars: number;
}): ToolInputError {
  const { path, offset, cursor, lineChars } = past;
  return new ToolInputError(
    `cursor ${cursor} is past the end of line ${offset} of "${toPrintable(path)}", which has ${lineChars} characters; use a smaller cursor, or offset=${offset + 1} for the next line.`,
    { reason: "cursor_past_end", details: { lineChars } },
  );
}

export function cursorInsideCharacter(cursor: number): ToolInputError {
  return new ToolInputError(
    `cursor ${cursor} is inside of a character that counts as two; use cursor=${cursor - 1} or cursor=${cursor + 1}.`,
    { reason: "cursor_inside_character" },
  );
}
