// The role of an element: what the author says, unless that cannot be, else what the tag says.

import {
  attributeOf,
  closestOf,
  hasAttributeOf,
  isEditable,
  isMatch,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { words } from "../words.js";
import { INLINE_ROLES, KNOWN_ROLES } from "./role-names.js";
import { TAG_ROLES } from "./tag-roles.js";

/** Attributes for which an element that is said to be decoration keeps its role. */
const GLOBAL_ATTRIBUTES =
  "atomic busy controls current describedby details dropeffect flowto grabbed hidden keyshortcuts label labelledby live owns relevant roledescription"
    .split(" ")
    .map((name) => `[aria-${name}]`)
    .join();
const FOCUSABLE =
  "a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])";
/** What belongs to a list or a table means nothing when that is decoration. */
const PARTS_OF_TABLES = words("td th tr tbody thead tfoot");

const PICTURE_TAGS = words("canvas video audio embed object");

/** `generic` for what means nothing, or only marks a text. */
export function roleOf(element: Element): string {
  const role = meantRole(element);
  if (role !== "generic") return INLINE_ROLES.has(role) ? "generic" : role;
  return PICTURE_TAGS.has(tagOf(element)) ? "img" : role;
}

function meantRole(element: Element): string {
  const attribute = attributeOf(element, "role");
  const said = attribute ? sayRole(element, attribute) : undefined;
  if (said) return said;
  const byTag = TAG_ROLES.get(tagOf(element));
  if (byTag === undefined) return editableRole(element);
  const role = typeof byTag === "string" ? byTag : byTag(element);
  return isPartOfDecoration(element) ? "generic" : role;
}

function isFocusable(element: Element): boolean {
  return isMatch(element, FOCUSABLE) && !isMatch(element, ":disabled");
}

function sayRole(element: Element, attribute: string): string | undefined {
  const role = attribute
    .toLowerCase()
    .split(/\s+/u)
    .find((word) => KNOWN_ROLES.has(word));
  if (role !== "none" && role !== "presentation") return role;
  const isMeant = isMatch(element, GLOBAL_ATTRIBUTES) || isFocusable(element);
  return isMeant ? undefined : "generic";
}

function editableRole(element: Element): string {
  if (hasAttributeOf(element, "contenteditable") && isEditingHost(element)) return "textbox";
  return "generic";
}

export function isEditingHost(element: Element): boolean {
  if (!(element instanceof HTMLElement) || !isEditable(element)) return false;
  const parent = parentElementOf(element);
  return !(parent instanceof HTMLElement && isEditable(parent));
}

function isPartOfDecoration(element: Element): boolean {
  const tag = tagOf(element);
  if (tag !== "li" && !PARTS_OF_TABLES.has(tag)) return false;
  const parent = parentElementOf(element);
  const owning = parent && closestOf(parent, tag === "li" ? "ul,ol,menu" : "table");
  const role = owning && attributeOf(owning, "role");
  return role === "none" || role === "presentation";
}
