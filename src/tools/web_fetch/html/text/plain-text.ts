// The text of a node as it is shown: spaces in a row made one, characters that no one sees left out.

import { dropUnseen } from "../../unseen.js";
import { attributesOf, HAS_UNSEEN, IS_CLEAN, type Measures, textOf } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { HTML, isBlock, TEXT } from "../tree/tags.js";
import { isLineNumbers } from "../tree/words.js";
import { powerText } from "./formula.js";

const SPACES = /[\s\p{Cc}]+/gu;

export function shownText({ page, textFlags }: Measures, node: number): string {
  const text = textOf(page, node);
  const flags = at(textFlags, node);
  if (flags === IS_CLEAN) return text;
  const seen = (flags & HAS_UNSEEN) === 0 ? text : dropUnseen(text).text;
  return (flags & IS_CLEAN) === 0 ? seen.replace(SPACES, " ") : seen;
}

/** Of an element on one line: for inline code, and to compare a heading with a title. */
export function lineText(measures: Measures, element: number): string {
  return gather(measures, element).join("").replace(SPACES, " ").trim();
}

/** A column of numbers next to lines of code. */
export function isGutter(measures: Measures, element: number): boolean {
  const { page } = measures;
  if (!isLineNumbers(attributesOf(page, element).className)) return false;
  for (let node = element + 1; node < at(page.ends, element); node++) {
    if (at(page.tags, node) === TEXT && !/^[\d\s]*$/.test(textOf(page, node))) return false;
  }
  return true;
}

/** Of an element with its lines as they are: for code. */
export function rawText(measures: Measures, element: number): string {
  return dropUnseen(gather(measures, element).join("")).text.replace(/\r\n?/g, "\n");
}

function gather(measures: Measures, element: number): string[] {
  const { page, dropped } = measures;
  const pieces: string[] = [];
  const breakLine = () => {
    if (pieces.length > 0 && pieces.at(-1)?.endsWith("\n") === false) pieces.push("\n");
  };
  let blockEnd = -1;
  for (let node = element + 1; node < at(page.ends, element); node++) {
    if (node >= blockEnd && blockEnd !== -1) {
      breakLine();
      blockEnd = -1;
    }
    const tag = at(page.tags, node);
    const power = tag === HTML.sup ? powerText(measures, node) : undefined;
    if (tag === TEXT) pieces.push(textOf(page, node));
    else if (power !== undefined) {
      pieces.push(power);
      node = at(page.ends, node) - 1;
    } else if (tag === HTML.br) pieces.push("\n");
    else if (
      at(dropped, node) === 1 ||
      isLineNumbers(page.attributes[at(page.refs, node)]?.className)
    ) {
      node = at(page.ends, node) - 1;
    } else if (isBlock(tag)) {
      breakLine();
      blockEnd = at(page.ends, node);
    }
  }
  return pieces;
}
