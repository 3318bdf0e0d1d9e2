// Whether a text that was begun in one field may go on in the next: in the boxes of one code, but not in
// the same field of the next row.

import type { AdjacentAnswer, AdjacentOperation } from "../act-protocol.js";
import { createItemLook, isIn } from "../duplicates/binding.js";
import { nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import { roleOf } from "../role/role-of.js";
import { isBefore, isConnected, nextSiblingOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { words } from "../words.js";

/** A number of one figure says which box of a code it is. */
const WORDS = /\p{L}+|\p{N}{2,}/gu;
const PLACES = words(
  "first second third fourth fifth sixth seventh eighth last one two three four five six seven eight",
);

export function adjacent(
  { book, look }: PageState,
  { ref, nextRef }: Omit<AdjacentOperation, "op">,
): AdjacentAnswer {
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

/** The largest around an element that has not the other one in it. */
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
  return (text.toLowerCase().match(WORDS) ?? []).filter((word) => !PLACES.has(word));
}

function without(some: readonly string[], left: readonly string[]): readonly string[] {
  return some.filter((word) => !left.includes(word));
}

function isAll(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.includes(word));
}
