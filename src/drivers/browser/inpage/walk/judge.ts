// Decides for each element whether it gets a row, and how its content is read.

import { words } from "../collect.js";
import type { Look } from "../look.js";
import { type Name, nameOf } from "../name/name-of.js";
import { CLOSED_ROLES, INTERACTIVE_ROLES, roleOf, TOLD_BY_NAME } from "../roles.js";
import { FRAME_TAGS, type Interactivity, interactivityOf } from "../row/interactive.js";
import {
  attributeOf,
  firstElementOf,
  hasAttributeOf,
  hasAttributesOf,
  tagOf,
} from "../tree/clobbered.js";

const SKIPPED_TAGS = words(
  "script style noscript template head meta link title desc defs datalist param source track",
);
const LEAVES = words("iframe frame canvas video audio object embed input textarea img hr");
const NOTHING: Interactivity = { isInteractive: false, isPointed: false };
const NO_NAME: Name = { text: "", isContent: false };

export interface Surroundings {
  readonly element: Element | null;
  readonly isTold: boolean;
  readonly isAriaHidden: boolean;
  readonly isPointer: boolean;
  readonly isAskedFor?: boolean;
}

export type Verdict = NonNullable<ReturnType<typeof judge>>;

export function judge(look: Look, element: Element, around: Surroundings) {
  const tag = tagOf(element);
  if (SKIPPED_TAGS.has(tag)) return undefined;
  const sight = look.styles.sightOf(element);
  const style = look.marks.note(element);
  if (sight === "none") return undefined;
  const hasAttributes = hasAttributesOf(element);
  if (isElsewhere(look, element, around.element)) return undefined;
  const isAriaHidden =
    around.isAriaHidden || (hasAttributes && attributeOf(element, "aria-hidden") === "true");
  if (isAriaHidden && look.hasModal()) return undefined;
  const role = roleOf(element);
  // The pointer shape is inherited from an interactive parent.
  const isPointer = INTERACTIVE_ROLES.has(role) || style.cursor === "pointer";
  const isHand = isPointer && !around.isPointer;
  const isLabel = isStandIn(look, element);
  const can = isLabel ? NOTHING : interactivityOf(element, { role, isPointer: isHand });
  const isInvisible = sight === "invisible";
  const isStructure = role !== "generic" && !around.isTold && !isAriaHidden;
  const isMeant = !isInvisible && (can.isInteractive || isStructure);
  const isBox = look.withBoxes && !isInvisible && !FRAME_TAGS.includes(tag);
  const isAskedFor = around.isAskedFor === true || isBox;
  const name = isMeant || isAskedFor ? nameOf(look, element, role) : NO_NAME;
  const isTelling = isMeant && (can.isInteractive || isWorthTelling(tag, role, name));
  const hasRow = isAskedFor || isTelling;
  const isClosed = CLOSED_ROLES.has(role) || name.isContent;
  const isByName = isBox
    ? isClosed && (isTelling || firstElementOf(element) === null)
    : isTelling && !isAskedFor && isClosed;
  return {
    style,
    isInteractive: can.isInteractive,
    isPointed: can.isPointed,
    role,
    name,
    hasRow,
    isLeaf: LEAVES.has(tag),
    isTold: around.isTold || isLabel || isByName,
    isAriaHidden,
    isInvisible,
    isPointer,
  };
}

function isElsewhere(look: Look, element: Element, parent: Element | null): boolean {
  if (look.hasModal() && hasAttributeOf(element, "inert")) return true;
  if (!parent || tagOf(parent) !== "details" || hasAttributeOf(parent, "open")) return false;
  return tagOf(element) !== "summary";
}

/** The label of a visible field: the field itself is listed. */
function isStandIn(look: Look, element: Element): boolean {
  if (tagOf(element) !== "label" || !(element instanceof HTMLLabelElement)) return false;
  const { control } = element;
  if (control?.matches("[aria-label],[aria-labelledby]")) return false;
  return control !== null && look.styles.sightOf(control) === "shown";
}

function isWorthTelling(tag: string, role: string, name: Name): boolean {
  if (TOLD_BY_NAME.has(role) || tag === "svg") return name.text !== "";
  return true;
}
