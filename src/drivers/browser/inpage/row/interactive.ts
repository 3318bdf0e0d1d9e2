// Whether somebody can act on an element: by its role, because it takes the focus, or because the page
// shows by the pointer that it takes clicks.

import { INTERACTIVE_ROLES } from "../role/role-names.js";
import { isEditingHost } from "../role/role-of.js";

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
  const tag = element.localName;
  if (tag === "option" || tag === "optgroup") return NOT;
  if (INTERACTIVE_ROLES.has(role) || tag === "summary") return CLEARLY;
  if (FRAME_TAGS.includes(tag)) return NOT;
  if (element.hasAttributes() && hasMark(element)) return CLEARLY;
  return isPointer ? POINTED : NOT;
}

function hasMark(element: Element): boolean {
  const tabIndex = element.getAttribute("tabindex");
  if (tabIndex !== null && Number(tabIndex) >= 0) return true;
  if (element.hasAttribute("onclick") || element.hasAttribute("onmousedown")) return true;
  if (element.getAttribute("draggable") === "true") return true;
  if (element.hasAttribute("controls")) return true;
  return element.hasAttribute("contenteditable") && isEditingHost(element);
}
