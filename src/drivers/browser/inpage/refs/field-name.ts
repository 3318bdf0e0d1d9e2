// The name of a field while it is typed into: pages add to it, and take from it, what they think of the
// text; another name is of another field.

import { isTypable } from "../check.js";
import { eachNode } from "../duplicates/each-node.js";
import type { Look } from "../look.js";
import { nameNow } from "../name/name-of.js";
import { page } from "../tree/clobbered.js";
import { referredBy } from "../tree/references.js";

const FIELDS = "input,textarea,[contenteditable]";
const WORDS = /\p{L}+/gu;

interface Named {
  /** What it was called. */
  readonly before: string;
  readonly lead: string | undefined;
  readonly recordFor: (element: Element) => { readonly name: string } | undefined;
}

/** It has the same lead, or the same name but for words that came or went; and not that of another one. */
export function isSameField(
  look: Look,
  field: Element,
  { before, lead, recordFor }: Named,
): boolean {
  if (!isTypable(field)) return false;
  const name = nameNow(look, field);
  if (!isSameBut(before, name) && (!lead || leadOf(look, field) !== lead)) return false;
  // Of one that has it no more: both were exchanged.
  const isOthers = (other: Element) =>
    recordFor(other)?.name === name && nameNow(look, other) !== name;
  return name === "" || ![...page.findAll(FIELDS)].some(isOthers);
}

/** One of them says every word of the other. */
function isSameBut(before: string, now: string): boolean {
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
