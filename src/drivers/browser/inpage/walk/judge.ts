// What becomes of an element on the way through a page: a row or none, and how its content is read.

import type { Look } from "../look.js";
import { type Name, nameOf } from "../name/name-of.js";
import { CLOSED_ROLES, INLINE_ROLES, TOLD_BY_NAME } from "../role/role-names.js";
import { roleOf } from "../role/role-of.js";
import { type Interactivity, interactivityOf } from "../row/interactive.js";
import { INVISIBLE, NOT_SHOWN, POINTER } from "../tree/styles.js";

const SKIPPED_TAGS = new Set(
  "script style noscript template head meta link title desc defs datalist param source track".split(
    " ",
  ),
);
/** What stands in them is not shown, or is told by a value. */
const LEAVES = new Set(
  "iframe frame canvas video audio object embed input textarea img hr".split(" "),
);
const PICTURE_TAGS: readonly string[] = ["canvas", "video", "audio", "embed", "object"];
const NOTHING: Interactivity = { isInteractive: false, isPointed: false };
const NO_NAME: Name = { text: "", isContent: false };

/** Where an element stands. */
export interface Surroundings {
  readonly element: Element | null;
  /** All text here is told by a name already. */
  readonly isTold: boolean;
  readonly isAriaHidden: boolean;
  readonly isPointer: boolean;
}

export interface Verdict extends Interactivity {
  readonly role: string;
  readonly name: Name;
  readonly hasRow: boolean;
  readonly isLeaf: boolean;
  /** For what stands in it. */
  readonly isTold: boolean;
  readonly isAriaHidden: boolean;
  readonly isInvisible: boolean;
  readonly isPointer: boolean;
}

/** undefined: neither it nor what stands in it is shown. */
export function judge(look: Look, element: Element, around: Surroundings): Verdict | undefined {
  const tag = element.localName;
  if (SKIPPED_TAGS.has(tag)) return undefined;
  const bits = look.styles.bitsOf(element);
  if (bits & NOT_SHOWN && tag !== "area") return undefined;
  if (isElsewhere(look, element, around.element)) return undefined;
  const isAriaHidden = around.isAriaHidden || element.getAttribute("aria-hidden") === "true";
  if (isAriaHidden && look.hasModal()) return undefined;
  const isPointer = (bits & POINTER) !== 0;
  const role = toldRole(element, tag);
  const isHand = isPointer && !around.isPointer;
  const isLabel = isStandIn(look, element);
  const can = isLabel
    ? NOTHING
    : interactivityOf(element, { role, isPointer: isHand });
  const isInvisible = (bits & INVISIBLE) !== 0;
  const isStructure = role !== "generic" && !around.isTold && !isAriaHidden;
  const isCandidate = !isInvisible && (can.isInteractive || isStructure);
  const name = isCandidate ? nameOf(look, element, role) : NO_NAME;
  const hasRow = isCandidate && (can.isInteractive || isWorthTelling(tag, role, name));
  return {
    ...can,
    role,
    name,
    hasRow,
    isLeaf: LEAVES.has(tag),
    isTold: around.isTold || isLabel || (hasRow && (CLOSED_ROLES.has(role) || name.isContent)),
    isAriaHidden,
    isInvisible,
    isPointer,
  };
}

function toldRole(element: Element, tag: string): string {
  const role = roleOf(element);
  if (INLINE_ROLES.has(role)) return "generic";
  return role === "generic" && PICTURE_TAGS.includes(tag) ? "img" : role;
}

/** Owned by another element, inert, or in a closed <details>. */
function isElsewhere(look: Look, element: Element, parent: Element | null): boolean {
  const owner = look.owners.get(element);
  if (owner && owner !== parent) return true;
  if (element.hasAttribute("inert")) return true;
  if (!(parent instanceof HTMLDetailsElement) || parent.open) return false;
  return element.localName !== "summary";
}

/** The label of a field that is shown: who wants the field takes the field. */
function isStandIn(look: Look, element: Element): boolean {
  if (!(element instanceof HTMLLabelElement)) return false;
  const { control } = element;
  if (control?.matches("[aria-label],[aria-labelledby]")) return false;
  return control !== null && (look.styles.bitsOf(control) & (NOT_SHOWN | INVISIBLE)) === 0;
}

function isWorthTelling(tag: string, role: string, name: Name): boolean {
  if (TOLD_BY_NAME.has(role) || tag === "svg") return name.text !== "";
  return true;
}
