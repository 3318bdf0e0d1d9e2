// A text in another form, with the way to it and back. Between the parts that differ, view and
// original are the same byte for byte.

import { ToolError } from "../../../core/index.js";

const FIRST_ROOM = 64;

const FIELDS = 4;

/** A part of the original that reads differently in the view; one without length is left out. */
export interface Part {
  readonly viewStart: number;
  readonly viewEnd: number;
  readonly start: number;
  readonly end: number;
}

interface PartList {
  readonly length: number;
  at(index: number): Part | undefined;
  push(part: Part): void;
  pop(): void;
}

export interface TextView {
  readonly bytes: Buffer;
  /** The original place of something that begins here; undefined inside of a part that differs. */
  toStart(place: number): number | undefined;
  /** The original place of something that ends here; what the view left out behind it is not in it. */
  toEnd(place: number): number | undefined;
  /** Where a place of the original is in the view; undefined inside of a part that differs. */
  fromOriginal(place: number): number | undefined;
}

/** The text itself. */
export function createPlainView(bytes: Buffer): TextView {
  const same = (place: number) => place;
  return { bytes, toStart: same, toEnd: same, fromOriginal: same };
}

/** `parts` are in order and do not overlap. */
export function createView(bytes: Buffer, parts: PartList): TextView {
  return {
    bytes,
    toStart(place) {
      const part = lastPart(parts, ({ viewStart }) => viewStart <= place);
      if (part?.viewStart === place && part.viewEnd > place) return part.start;
      return toOriginal(part, place);
    },
    toEnd(place) {
      return toOriginal(
        lastPart(parts, ({ viewStart }) => viewStart < place),
        place,
      );
    },
    fromOriginal(place) {
      const part = lastPart(parts, ({ start }) => start < place);
      if (!part) return place;
      if (place >= part.end) return part.viewEnd + place - part.end;
      return part.viewStart === part.viewEnd ? part.viewStart : undefined;
    },
  };
}

function toOriginal(part: Part | undefined, place: number): number | undefined {
  if (!part) return place;
  return place < part.viewEnd ? undefined : part.end + place - part.viewEnd;
}

/** The last of those that are before something. */
function lastPart(parts: PartList, isBefore: (part: Part) => boolean): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const part = parts.at(middle);
    if (part && isBefore(part)) low = middle + 1;
    else high = middle;
  }
  return parts.at(low - 1);
}

/** `maxParts` bounds how long making the view holds the event loop. */
export function createPartList(maxParts: number): PartList {
  let numbers = new Int32Array(FIRST_ROOM * FIELDS);
  let length = 0;
  return {
    get length() {
      return length;
    },
    at(index) {
      if (index < 0 || index >= length) return undefined;
      const place = index * FIELDS;
      return {
        viewStart: numbers[place] ?? 0,
        viewEnd: numbers[place + 1] ?? 0,
        start: numbers[place + 2] ?? 0,
        end: numbers[place + 3] ?? 0,
      };
    },
    push({ viewStart, viewEnd, start, end }) {
      if (length === maxParts) throw tooIntricate(maxParts);
      const place = length * FIELDS;
      if (place === numbers.length) {
        const larger = new Int32Array(2 * place);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[place] = viewStart;
      numbers[place + 1] = viewEnd;
      numbers[place + 2] = start;
      numbers[place + 3] = end;
      length++;
    },
    pop() {
      length--;
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
