// Whether a page asks for money or an account before it shows the rest: by the end of its text, or by
// a box that was left out of it for its name.

import { lineText } from "../text/plain-text.js";
import { attributesOf, type Measures } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { charsIn, type Sums } from "../tree/sums.js";
import { TEXT } from "../tree/tags.js";
import type { Choice } from "./choose.js";

const END_CHARS = 1_200;
const MAX_BOX_CHARS = 1_500;
/** A name on what holds most of the page says nothing of a box. */
const MAX_BOX_SHARE = 0.5;
const NAMED = /(?:^|[\s_-])(?:pay-?wall|reg-?wall|subscription-?wall)(?:[\s_-]|$)/i;
const ASKS =
  /\b(?:subscribe|sign in|log in|register|become a (?:member|subscriber))\b.{0,40}\b(?:to (?:continue|read|keep reading|access|unlock))\b|already a subscriber\?/i;

export interface Paywalled {
  readonly measures: Measures;
  /** Of all that can be seen. */
  readonly sums: Sums;
  readonly choice: Choice;
  readonly text: string;
}

export function isPaywalled(asked: Paywalled): boolean {
  return ASKS.test(asked.text.slice(-END_CHARS)) || hasBox(asked);
}

function hasBox({ measures, sums, choice }: Paywalled): boolean {
  const { page, dropped } = measures;
  const most = Math.min(MAX_BOX_CHARS, measures.visibleChars * MAX_BOX_SHARE);
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    if (at(page.tags, node) === TEXT || at(page.refs, node) === -1) continue;
    const chars = charsIn(measures, sums, node);
    if (chars === 0 || chars > most) continue;
    if (NAMED.test(attributesOf(page, node).className ?? "")) return true;
    const isBoxed = at(choice.left, node) === 1 && isInContent({ measures, choice, node });
    if (isBoxed && ASKS.test(lineText(measures, node))) return true;
  }
  return false;
}

function isInContent(asked: {
  readonly measures: Measures;
  readonly choice: Choice;
  readonly node: number;
}): boolean {
  const { measures, choice, node } = asked;
  return choice.region.some((root) => node > root && node < at(measures.page.ends, root));
}
