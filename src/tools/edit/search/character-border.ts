// Whether a place of a text lies inside of a character as people see it: a letter before its accent,
// a person of a family. Bytes that are no text count as characters of their own.

import { lazy } from "../../../lib/lazy.js";
import { startBefore } from "../view/code-points.js";

const LAST_ASCII = 0x7f;
const MAX_CODE_POINT_BYTES = 4;
/** So much in front of a place is looked at; of a longer character only the end. */
const MAX_BYTES_BEFORE = 256;
/** What can go on with a character; asked first because the segmenter is slow. */
const CONTINUES =
  /^(?:\u200D|[\p{Grapheme_Extend}\p{Mc}\u0E33\u0EB3\p{Emoji_Modifier}\p{RI}\p{Extended_Pictographic}\u1100-\u11FF\uA960-\uA97C\uAC00-\uD7FB])/u;
const SEGMENTER = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** CRLF counts as two characters. */
export function isInsideCharacter(bytes: Buffer, place: number): boolean {
  if (place === 0 || place >= bytes.length) return false;
  // Nothing of ASCII continues a character.
  if ((bytes[place] ?? 0) <= LAST_ASCII) return false;
  const behind = bytes.toString("utf8", place, place + MAX_CODE_POINT_BYTES);
  if (!CONTINUES.test(behind)) return false;
  const before = bytes.toString("utf8", startOfRun(bytes, place), place);
  const character = SEGMENTER()
    .segment(before + behind)
    .containing(before.length);
  return character !== undefined && character.index < before.length;
}

/** Behind ASCII a new run begins, but its last character may be continued. */
function startOfRun(bytes: Buffer, place: number): number {
  let start = place;
  do start = startBefore(bytes, start);
  while (start > 0 && place - start < MAX_BYTES_BEFORE && (bytes[start] ?? 0) > LAST_ASCII);
  return start;
}
