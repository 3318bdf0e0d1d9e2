// Makes a view from left to right: what is not named is taken over as it is.

import {
  createPartList,
  createPlainView,
  createView,
  type Part,
  type TextView,
} from "./text-view.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const SPARE_BYTES = 1024;
const MAX_BYTES_BY_HAND = 48;

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface ViewBuilder {
  /** Everything before this place of the original is in the view. */
  readonly done: number;
  /** `range` begins at or behind `done`. */
  replace(range: Range, bytes: Buffer): void;
  /** Leaves out the white space in front of a place at or behind `done`. */
  trimBefore(end: number): void;
  finish(): TextView;
}

export function createViewBuilder(original: Buffer, maxParts: number): ViewBuilder {
  const parts = createPartList(maxParts);
  /** Where the last part ends in the original. */
  let lastEnd = -1;
  let view = Buffer.allocUnsafe(original.length + SPARE_BYTES);
  let length = 0;
  let done = 0;

  function makeRoom(bytes: number): void {
    if (length + bytes <= view.length) return;
    const larger = Buffer.allocUnsafe(2 * (length + bytes));
    view.copy(larger, 0, 0, length);
    view = larger;
  }

  function append({ bytes, start, end }: Range & { bytes: Buffer }): void {
    const count = end - start;
    makeRoom(count);
    // A call into the engine's copying costs more than some bytes by hand.
    if (count > MAX_BYTES_BY_HAND) bytes.copy(view, length, start, end);
    else
      for (let index = 0; index < count; index++) view[length + index] = bytes[start + index] ?? 0;
    length += count;
  }

  function takeOver(end: number): void {
    if (end > done) append({ bytes: original, start: done, end });
    done = end;
  }

  /** A part that reads as white space; a line end is none. */
  function isSpace({ viewStart, viewEnd }: Part): boolean {
    const text = view.toString("utf8", viewStart, viewEnd);
    return text !== "\n" && text.trim() === "";
  }

  return {
    get done() {
      return done;
    },
    replace({ start, end }, bytes) {
      takeOver(start);
      const viewStart = length;
      append({ bytes, start: 0, end: bytes.length });
      parts.push({ viewStart, viewEnd: length, start, end });
      lastEnd = end;
      done = end;
    },
    trimBefore(end) {
      if (!isSpaceByte(original[end - 1]) && lastEnd !== end) return;
      takeOver(end);
      let start = end;
      for (;;) {
        const last = parts.at(parts.length - 1);
        if (last?.end === start && isSpace(last)) {
          parts.pop();
          length = last.viewStart;
          start = last.start;
        } else if (start > (last?.end ?? 0) && isSpaceByte(original[start - 1])) {
          start--;
          length--;
        } else break;
      }
      if (start < end) parts.push({ viewStart: length, viewEnd: length, start, end });
      lastEnd = parts.at(parts.length - 1)?.end ?? -1;
    },
    finish() {
      if (parts.length === 0) return createPlainView(original);
      takeOver(original.length);
      return createView(view.subarray(0, length), parts);
    },
  };
}

function isSpaceByte(byte: number | undefined): boolean {
  if (byte === undefined || byte > SPACE) return false;
  return byte === SPACE || (byte >= TAB && byte <= CARRIAGE_RETURN && byte !== LINE_FEED);
}
