// The name of a field while it is typed into: pages add to it, and take from it, what they think of the
// text; another name is of another field.

import type { Look } from "../look.js";
import { referredBy } from "../tree/references.js";
import { eachNode } from "../twins/each-node.js";

const WORDS = /\p{L}+/gu;

/** One of them says every word of the other. */
export function isSameBut(before: string, now: string): boolean {
  return saysAll(before, now) || saysAll(now, before);
}

function saysAll(name: string, other: string): boolean {
  const words: readonly string[] = name.match(WORDS) ?? [];
  return (other.match(WORDS) ?? []).every((word) => words.includes(word));
}

/** The first piece of text of what names it: "Password" of "Password <b>weak</b>". */
export function leadOf(look: Look, field: Element): string | undefined {
  let lead: string | undefined;
  const [first] = [...referredBy(field, "aria-labelledby"), ...look.labels.labelsOf(field)];
  if (!first) return lead;
  eachNode(first, (node) => {
    if (node instanceof Text && node.data.match(WORDS)) lead = node.data.trim();
    return lead === undefined ? node !== field : undefined;
  });
  return lead;
}
