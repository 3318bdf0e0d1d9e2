// Leaves out the beginning of a line, up to the cursor, from a text that comes in pieces.

import { cursorInsideCharacter, cursorPastEnd } from "./errors.js";

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;
const LOW_SURROGATE = /^[\uDC00-\uDFFF]/;
const LINE_END = /^\r?\n/;

export interface CursorSkip {
  /** What is left of the next piece. Throws when the line has nothing at the cursor. */
  pass(text: string): string;
  /** Throws when the text ended before the cursor. */
  end(): void;
}

export function createCursorSkip(wish: {
  readonly path: string;
  readonly offset: number;
  readonly cursor: number;
}): CursorSkip {
  const { cursor } = wish;
  let left = cursor;
  let isReached = cursor === 0;
  const pastEnd = (lineChars: number) => cursorPastEnd({ ...wish, lineChars });

  return {
    pass(text) {
      if (isReached || text === "") return text;
      const feed = text.indexOf("\n");
      if (feed !== -1 && feed < left) {
        const hasReturn = text[feed - 1] === "\r";
        throw pastEnd(cursor - left + feed - (hasReturn ? 1 : 0));
      }
      if (text.length <= left) {
        left -= text.length;
        return "";
      }
      const rest = text.slice(left);
      if (LINE_END.test(rest)) throw pastEnd(text[left - 1] === "\r" ? cursor - 1 : cursor);
      if (HIGH_SURROGATE.test(text.slice(0, left)) && LOW_SURROGATE.test(rest)) {
        throw cursorInsideCharacter(cursor);
      }
      isReached = true;
      return rest;
    },
    end() {
      if (!isReached) throw pastEnd(cursor - left);
    },
  };
}
