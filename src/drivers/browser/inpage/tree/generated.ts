// What style sheets put before and after elements as text. Asking each element for it is dear, and most
// pages have none, so the sheets of a tree are read once.

import { eachRule, type SheetRule, subjectOf } from "./sheets.js";

export interface Generated {
  readonly isAny: boolean;
  /** Whose values are shown as text. */
  readonly attributes: readonly string[];
  /** A selector of those that have words next to them, as far as sheets can be read; empty: none. */
  readonly worded: string;
}

const ATTRIBUTE = /attr\(\s*([\w-]+)/gu;
const TEXT = /"[^"]+"|var\(/u;
const WORDS = /"[^"]*[\p{L}\p{N}][^"]*"|var\(/u;
const PSEUDO_ELEMENT = /before|after/u;

export function readGenerated(root: Node): Generated {
  const attributes = new Set<string>();
  const worded = new Set<string>();
  let isAny = false;
  const visit = ({ style, own, around }: SheetRule) => {
    if (!PSEUDO_ELEMENT.test(own || around)) return;
    const { content } = style;
    for (const [, name = ""] of content.matchAll(ATTRIBUTE)) attributes.add(name);
    isAny ||= attributes.size > 0 || TEXT.test(content);
    if (WORDS.test(content)) worded.add(subjectOf(own));
  };
  const isRead = eachRule(root, { visit });
  return { isAny: isAny || !isRead, attributes: [...attributes], worded: [...worded].join() };
}
