// Elements that listen for clicks, as reported by the debugger. A listener on a container counts for
// each item in it, because pages often let one element listen for all its items.

import { LISTENED } from "../protocol.js";
import {
  childCountOf,
  childrenOf,
  findAllIn,
  isAnElement,
  parentNodeOf,
  tagOf,
  textOf,
} from "../tree/clobbered.js";

/** With more in it, or more text, it is a part of the page and not one thing. */
const MAX_PARTS = 30;
const MAX_TEXT_CHARS = 300;
const MAX_ITEMS = 60;
const MAX_ITEM_PARTS = 10;
/** Their listeners are for the page. */
const PAGE_TAGS: readonly string[] = ["html", "body"];

/** It listens itself, or is an item of what listens for all its items. */
export function takesClicks(element: Element): boolean {
  const listened: unknown = Reflect.get(globalThis, LISTENED);
  if (!(listened instanceof WeakSet)) return false;
  if (listened.has(element)) return !isDelegate(element);
  const parent = parentNodeOf(element);
  if (!isAnElement(parent) || !listened.has(parent)) return false;
  if (PAGE_TAGS.includes(tagOf(parent)) || childCountOf(parent) > MAX_ITEMS) return false;
  return isListOfItems(parent) && partsOf(element) <= MAX_ITEM_PARTS;
}

/** It listens for what is in it. */
function isDelegate(element: Element): boolean {
  if (childCountOf(element) === 0) return false;
  if (partsOf(element) > MAX_PARTS || (textOf(element) ?? "").length > MAX_TEXT_CHARS) return true;
  return isListOfItems(element);
}

function isListOfItems(element: Element): boolean {
  const [first, ...others] = childrenOf(element);
  if (first === undefined || others.length === 0) return false;
  return others.every((other) => tagOf(other) === tagOf(first));
}

function partsOf(element: Element): number {
  return findAllIn(element, "*").length;
}
