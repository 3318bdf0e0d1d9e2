// A line reduced to what makes it that line, and how like two such keys are.

import { toPlainMarks } from "../view/loose-form.js";

const MAX_KEY_CHARS = 200;
const WHITE_SPACE = /\s+/g;
const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const TABLE_SIZE = 4096;
const MIX = 31;
/** A line that holds the text is not as near as one that is the text. */
const PART_SHARE = 0.8;

/** Without white space, letter case and kinds of marks; of a long line only the beginning counts. */
export function toKey(line: string): string {
  // Twice as much, because indentation must not use up the room.
  const head = line.slice(0, 2 * MAX_KEY_CHARS).replace(WHITE_SPACE, "");
  const key = head.slice(0, MAX_KEY_CHARS).toLowerCase();
  return BEYOND_ASCII.test(key) ? toPlainMarks(key) : key;
}

/** Whether a text is a whole line, or may be a part of one. */
export type Extent = "whole" | "part";

/** How like other keys are to this one, from 0 to 1, by the pairs of letters that both have. */
export function createLikeness(key: string, extent: Extent): (other: string) => number {
  const table = new Uint8Array(TABLE_SIZE);
  for (let index = 0; index < key.length; index++) table[pairAt(key, index)] = 1;
  return (other) => {
    let pairs = 0;
    for (let index = 0; index < other.length; index++) pairs += table[pairAt(other, index)] ?? 0;
    const shared = Math.min(pairs, key.length);
    const likeness = shared / Math.max(key.length, other.length, 1);
    const isShorter = extent === "part" && key !== "" && key.length < other.length;
    return isShorter ? Math.max(likeness, (PART_SHARE * shared) / key.length) : likeness;
  };
}

/** A letter with the one before it. */
function pairAt(key: string, index: number): number {
  const before = index === 0 ? 0 : key.charCodeAt(index - 1);
  return (before * MIX + key.charCodeAt(index)) & (TABLE_SIZE - 1);
}
