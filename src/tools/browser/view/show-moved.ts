// Where things stand now that a page put elsewhere, in a few words: what they stand in, and behind
// what; or the order of those in one element.

import type { ListedElement, MovedElement } from "../../../core/browser.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { quote } from "./line.js";

const MAX_NAME_CHARS = 40;

/** One line each. */
export function toMovedLines(moved: readonly MovedElement[]): string[] {
  return moved.map((one) => {
    const { element, order } = one;
    if (order === undefined)
      return `~ ${describeElement(element)} moved: now ${describePlace(one)}`;
    const names = order.map((each) => describeShort(each)).join(", ");
    return `~ ${describeElement(element)} in another order: ${names}`;
  });
}

/** `in list "Done", after listitem "Card B"`. */
export function describePlace({ parent, after }: MovedElement): string {
  const where = parent === undefined ? "" : `in ${describeElement(parent)}, `;
  return `${where}${after === undefined ? "first" : `after ${describeElement(after)}`}`;
}

export function describeElement(element: ListedElement): string {
  const { ref, role, name } = element;
  return [
    role,
    ...(name === "" ? [] : [quote(short(name))]),
    ...(ref ? [`[ref=${ref}]`] : []),
  ].join(" ");
}

function describeShort({ ref, role, name }: ListedElement): string {
  return [ref ?? role, ...(name === "" ? [] : [quote(short(name))])].join(" ");
}

function short(name: string): string {
  const line = name.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= MAX_NAME_CHARS ? line : `${cutChars(line, MAX_NAME_CHARS - 1)}…`;
}
