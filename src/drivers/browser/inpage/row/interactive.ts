// Whether somebody can act on an element: by its role, because it takes the focus, or because the page
// shows by the pointer that it takes clicks.

import { INTERACTIVE_ROLES } from "../role/role-names.js";
import { isEditingHost } from "../role/role-of.js";
import { attributeOf, hasAttributeOf, hasAttributesOf, tagOf } from "../tree/clobbered.js";

export interface Interactivity {
  readonly isInteractive: boolean;
  /** Only the pointer says so. */
  readonly isPointed: boolean;
}

const NOT: Interactivity = { isInteractive: false, isPointed: false };
const CLEARLY: Interactivity = { isInteractive: true, isPointed: false };
const POINTED: Interactivity = { isInteractive: true, isPointed: true };
const FRAME_TAGS: readonly string[] = ["html", "body"];

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
  return isPointer ? POINTED : NOT;
}

function hasMark(element: Element): boolean {
  const tabIndex = attributeOf(element, "tabindex");
  if (tabIndex !== null && Number(tabIndex) >= 0) return true;
  if (hasAttributeOf(element, "onclick") || hasAttributeOf(element, "onmousedown")) return true;
  if (attributeOf(element, "draggable") === "true") return true;
  if (hasAttributeOf(element, "controls")) return true;
  return hasAttributeOf(element, "contenteditable") && isEditingHost(element);
}
