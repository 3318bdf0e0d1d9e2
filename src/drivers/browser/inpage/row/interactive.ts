// Whether an element can be acted on: by role, focus, click listeners or pointer shape.

import { LISTENED } from "../protocol.js";
import { INTERACTIVE_ROLES, isEditingHost } from "../roles.js";
import * as dom from "../tree/clobbered.js";

const MARKS =
  "[tabindex]:not([tabindex^='-']),[onclick],[onmousedown],[onmouseenter],[onmouseover],[onpointerdown],[draggable=true],[controls],[aria-haspopup]";
const NOT: Interactivity = { isInteractive: false, isPointed: false };
const CLEARLY: Interactivity = { isInteractive: true, isPointed: false };
const POINTED: Interactivity = { isInteractive: true, isPointed: true };
export const FRAME_TAGS: readonly string[] = ["html", "body"];
const MAX_PARTS = 30;
const MAX_TEXT_CHARS = 300;
const MAX_ITEMS = 60;
const MAX_ITEM_PARTS = 10;
const PAGE_TAGS: readonly string[] = ["html", "body"];

export interface Interactivity {
  readonly isInteractive: boolean;
  readonly isPointed: boolean;
}

/** `isPointer`: the pointer becomes a hand here, not already around it. */
export function interactivityOf(
  element: Element,
  { role, isPointer }: { readonly role: string; readonly isPointer: boolean },
): Interactivity {
  const tag = dom.tagOf(element);
  if (tag === "option" || tag === "optgroup") return NOT;
  if (INTERACTIVE_ROLES.has(role) || tag === "summary") return CLEARLY;
  if (FRAME_TAGS.includes(tag)) return NOT;
  if (dom.hasAttributesOf(element) && hasMark(element)) return CLEARLY;
  if (takesClicks(element)) return CLEARLY;
  return isPointer ? POINTED : NOT;
}

function hasMark(element: Element): boolean {
  if (dom.isMatch(element, MARKS)) return true;
  return dom.hasAttributeOf(element, "contenteditable") && isEditingHost(element);
}

function takesClicks(element: Element): boolean {
  const listened: unknown = Reflect.get(globalThis, LISTENED);
  if (!(listened instanceof WeakSet)) return false;
  if (listened.has(element)) return !isDelegate(element);
  const parent = dom.parentNodeOf(element);
  if (!dom.isAnElement(parent) || !listened.has(parent)) return false;
  if (PAGE_TAGS.includes(dom.tagOf(parent)) || dom.childCountOf(parent) > MAX_ITEMS) return false;
  return isListOfItems(parent) && partsOf(element) <= MAX_ITEM_PARTS;
}

function isDelegate(element: Element): boolean {
  if (dom.childCountOf(element) === 0) return false;
  if (partsOf(element) > MAX_PARTS || (dom.textOf(element) ?? "").length > MAX_TEXT_CHARS)
    return true;
  return isListOfItems(element);
}

function isListOfItems(element: Element): boolean {
  const [first, ...others] = dom.childrenOf(element);
  if (first === undefined || others.length === 0) return false;
  return others.every((other) => dom.tagOf(other) === dom.tagOf(first));
}

function partsOf(element: Element): number {
  return dom.findAllIn(element, "*").length;
}
