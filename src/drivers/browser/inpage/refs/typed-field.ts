// A field while it is typed into: pages change its name or move the focus to the next box of a code.

import { isTypable } from "../check.js";
import { words } from "../collect.js";
import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import { nameNow, nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import type { Answers, Asks } from "../protocol.js";
import { roleOf } from "../roles.js";
import { isBefore, isConnected, nextSiblingOf, page } from "../tree/clobbered.js";
import { eachNode, isIn, parentElementOf } from "../tree/cursor.js";
import { referredBy } from "../tree/find.js";

const FIELDS = "input,textarea,[contenteditable]";
const WORDS = /\p{L}+/gu;
/** A single digit is the position of a box. */
const BOX_WORDS = /\p{L}+|\p{N}{2,}/gu;
const PLACES = words(
  "first second third fourth fifth sixth seventh eighth last one two three four five six seven eight",
);

interface Named {
  readonly before: string;
  readonly lead: string | undefined;
  readonly recordFor: (element: Element) => { readonly name: string } | undefined;
}

/** The same lead, or the same words apart from added or removed ones. */
export function isSameField(
  look: Look,
  field: Element,
  { before, lead, recordFor }: Named,
): boolean {
  if (!isTypable(field)) return false;
  const name = nameNow(look, field);
  if (!isSameBut(before, name) && (!lead || leadOf(look, field) !== lead)) return false;
  // Two fields were exchanged.
  const isOthers = (other: Element) =>
    recordFor(other)?.name === name && nameNow(look, other) !== name;
  return name === "" || ![...page.findAll(FIELDS)].some(isOthers);
}

function isSameBut(before: string, now: string): boolean {
  return saysAll(before, now) || saysAll(now, before);
}

function saysAll(name: string, other: string): boolean {
  const words: readonly string[] = name.match(WORDS) ?? [];
  return (other.match(WORDS) ?? []).every((word) => words.includes(word));
}

/** The first text of its label: "Password" of "Password <b>weak</b>". */
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

export function adjacent(
  { book, look }: PageState,
  { ref, nextRef }: Omit<Asks<"adjacent">, "op">,
): Answers<"adjacent"> {
  const [one, other] = [ref, nextRef].map((each) => book.recordOf(each)?.node.deref());
  if (!one || !other || !isConnected(one) || !isConnected(other)) return { isAdjacent: false };
  const [branch, otherBranch] = [branchOf(one, other), branchOf(other, one)];
  if (!isBefore(branch, otherBranch)) return { isAdjacent: false };
  const { contents, ...items } = createItemLook(look(), book);
  const namesOf = (field: Element) => wordsIn(nameOf(items.look, field, roleOf(field)).text);
  const [names, otherNames] = [namesOf(one), namesOf(other)];
  const own = without(wordsIn(contents.textOf(branch, one)), names);
  const others = without(wordsIn(contents.textOf(otherBranch, other)), otherNames);
  const between = textsBetween(branch, otherBranch, (node) => contents.textOf(node));
  const isSameName = isAll(names, otherNames) || isAll(otherNames, names);
  const isSameRow = isAll(own, others) && isAll(others, own);
  return {
    isAdjacent: isSameName && isSameRow && isAll(wordsIn(between), [...names, ...otherNames]),
  };
}

function branchOf(element: Element, other: Element): Element {
  let branch = element;
  let parent = parentElementOf(branch);
  while (parent && !isIn(other, parent)) {
    branch = parent;
    parent = parentElementOf(branch);
  }
  return branch;
}

function textsBetween(from: Node, to: Node, textOf: (node: Node) => string): string {
  let text = "";
  for (let at = nextSiblingOf(from); at && at !== to; at = nextSiblingOf(at))
    text += `${textOf(at)} `;
  return text;
}

function wordsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(BOX_WORDS) ?? []).filter((word) => !PLACES.has(word));
}

function without(some: readonly string[], left: readonly string[]): readonly string[] {
  return some.filter((word) => !left.includes(word));
}

function isAll(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.includes(word));
}
