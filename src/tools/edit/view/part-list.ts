// The parts in which a view and its original differ, kept as plain numbers: there may be millions.

import { ToolError } from "../../../core/index.js";

/** A part of the original that reads differently in the view; one without length is left out. */
export interface Part {
  readonly viewStart: number;
  readonly viewEnd: number;
  readonly start: number;
  readonly end: number;
}

export interface PartList {
  readonly length: number;
  at(index: number): Part | undefined;
  push(part: Part): void;
  pop(): void;
}

const FIRST_ROOM = 64;
const FIELDS = 4;

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
