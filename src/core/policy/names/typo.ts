// Tells a slip of the pen from a name that is merely unknown: two letters at most lie between, or
// letters of another script that are drawn alike.

import { nearestWithin } from "../../../lib/nearest-name.js";
import { foldText } from "../../untrusted/fold.js";

const MAX_LETTERS = 2;
const PLAIN = /^[\0-\x7F]*$/;
/** Longer names have no look-alike among ours, and folding them would cost. */
const MAX_FOLDED_CHARS = 128;

export function nearestTypo(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const near = nearestWithin({ name, known: names, maxLetters: MAX_LETTERS });
  if (near !== undefined || PLAIN.test(name) || name.length > MAX_FOLDED_CHARS) return near;
  const byShape = new Map(names.map((one) => [foldText(one).text, one]));
  const shape = nearestWithin({
    name: foldText(name).text,
    known: byShape.keys(),
    maxLetters: MAX_LETTERS,
  });
  return shape === undefined ? undefined : byShape.get(shape);
}
