// Text from outside made harmless to read: unseen characters are dropped or shown, and what could
// be taken for a boundary or a control token is broken by a visible sign. All else stays as it is.

import { findBoundaryBreaks } from "./boundary-names.js";
import { findTokenBreaks } from "./control-tokens.js";
import { BREAK, foldText } from "./fold.js";
import { showUnseen } from "./unseen.js";

export function neutralizeText(text: string): string {
  const seen = showUnseen(text);
  const folded = foldText(seen);
  const breaks = [...findBoundaryBreaks(folded), ...findTokenBreaks(folded, seen)];
  // A break may part a joiner from the letter it was kept for.
  return breaks.length === 0 ? seen : showUnseen(insertBreaks(seen, breaks));
}

function insertBreaks(text: string, breaks: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  // A typed array sorts by number, and fast enough for a break at every third character.
  for (const offset of Int32Array.from(breaks).sort()) {
    pieces.push(text.slice(from, offset));
    from = offset;
  }
  pieces.push(text.slice(from));
  return pieces.join(BREAK);
}
