// Whether an element can be acted on: by role, focus, click listeners or pointer shape.

import { LISTENED } from "../protocol.js";
import { INTERACTIVE_ROLES, isEditingHost } from "../roles.js";
import {
  childCountOf,
  childrenOf,
  findAllIn,
  hasAttributeOf,
  hasAttributesOf,
  isAnElement,
  isMatch,
  parentNodeOf,
  tagOf,
  textOf,
} from "../tree/clobbered.js";

const MARKS =
  "[tabindex]:not([tabindex^='-']),[onclick],[onmousedown],[onmouseenter],[onmouseover],[onpointerdown],[draggable=true],[controls],[aria-haspopup]";
const NOT: Interactivity = { isInteractive: false, isPointed: false };
const CLEARLY: Interactivity = { isInteractive: true, isPointed: false };
const POINTED: Interactivity = { isInteractive: true, isPointed: true };
export const FRAME_TAGS: readonly string[] = ["html", "body"];
/** Larger elements are parts of the page. */
const MAX_PARTS = 30;
const MAX_TEXT_CHARS = 300;
const MAX_ITEMS = 60;
const MAX_ITEM_PARTS = 10;
const PAGE_TAGS: readonly string[] = ["html", "body"];

export interface Interactivity {
  readonly isInteractive: boolean;
  /** Only the pointer shape says so. */
  readonly isPointed: boolean;
}

/** `isPointer`: the pointer becomes a hand here, not already around it. */
export function interactivityOf(
  element: Element,
  { role, isPointer }: { readonly role: string; readonly isPointer: boolean },
): Interactivity {
  const tag = tagOf(element);
  if (tag === "option" || tag === "optgroup") return NOT;
  if (INTERACTIVE_ROLES.has(role) || tag === "summary") return CLEARLY;
  if (FRAME_TAGS.includes(tag)) return NOT;
  if (hasAttributesOf(element) && hasMark(element)) return CLEARLY;
  if (takesClicks(element)) return CLEARLY;
  return isPointer ? POINTED : NOT;
}

function hasMark(element: Element): boolean {
  if (isMatch(element, MARKS)) return true;
  return hasAttributeOf(element, "contenteditable") && isEditingHost(element);
}

function takesClicks(element: Element): boolean {
  const listened: unknown = Reflect.get(globalThis, LISTENED);
  if (!(listened instanceof WeakSet)) return false;
  if (listened.has(element)) return !isDelegate(element);
  const parent = parentNodeOf(element);
  if (!isAnElement(parent) || !listened.has(parent)) return false;
  if (PAGE_TAGS.includes(tagOf(parent)) || childCountOf(parent) > MAX_ITEMS) return false;
  return isListOfItems(parent) && partsOf(element) <= MAX_ITEM_PARTS;
}

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
