// How a link looks next to what is around it: whether it has a text, and whether what follows it is
// set apart from it.

import { attributesOf, type Measures, textOf } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { HTML, TEXT } from "../tree/tags.js";

/** An element of another look that begins with a letter: a rank behind a name is not an ending of it. */
export function isApart({ page }: Measures, next: number): boolean {
  const isStyled =
    next + 1 < page.count &&
    at(page.tags, next) === HTML.span &&
    attributesOf(page, next).className !== undefined;
  if (!isStyled || at(page.tags, next + 1) !== TEXT) return false;
  return /^[\p{L}\d]/u.test(textOf(page, next + 1));
}

/** More than one character. */
export function hasText({ page, chars }: Measures, element: number): boolean {
  let count = 0;
  for (let node = element + 1; node < at(page.ends, element) && count < 2; node++) {
    count += at(chars, node);
  }
  return count > 1;
}
