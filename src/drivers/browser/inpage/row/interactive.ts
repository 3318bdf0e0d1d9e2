// Whether one can act on an element: by its role, because it takes the focus or listens for clicks, or
// because the page shows by the pointer that it takes them.

import { INTERACTIVE_ROLES } from "../role/role-names.js";
import { isEditingHost } from "../role/role-of.js";
import { hasAttributeOf, hasAttributesOf, isMatch, tagOf } from "../tree/clobbered.js";
import { takesClicks } from "./listened.js";

export interface Interactivity {
  readonly isInteractive: boolean;
  /** Only the pointer says so. */
  readonly isPointed: boolean;
}

/** Attributes of what takes clicks, keys or the pointer. */
const MARKS =
  "[tabindex]:not([tabindex^='-']),[onclick],[onmousedown],[onmouseenter],[onmouseover],[onpointerdown],[draggable=true],[controls],[aria-haspopup]";
const NOT: Interactivity = { isInteractive: false, isPointed: false };
const CLEARLY: Interactivity = { isInteractive: true, isPointed: false };
const POINTED: Interactivity = { isInteractive: true, isPointed: true };
/** They hold the page. */
export const FRAME_TAGS: readonly string[] = ["html", "body"];

/** `isPointer`: the pointer becomes a hand here, and not already around it. */
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
