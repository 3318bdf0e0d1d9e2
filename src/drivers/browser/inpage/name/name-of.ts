// The accessible name of an element: what it refers to, its label, what its tag has for that, what
// is in it, its title; in this order.

import type { Look } from "../look.js";
import { NAMED_BY_CONTENT, NAMELESS_ROLES } from "../role/role-names.js";
import { roleOf } from "../role/role-of.js";
import { attributeOf, isDrawn, tagOf } from "../tree/clobbered.js";
import { referredBy } from "../tree/references.js";
import { contentText } from "./content-text.js";
import { nativeName } from "./native-name.js";
import { squeeze } from "./text-gatherer.js";

const MAX_NAME_CHARS = 900;
/** Of what may hold much: with more in it, what is in it is reported instead of a name. */
const MAX_HOLDER_CHARS = 200;
const HOLDERS: readonly string[] = [
  "caption",
  "cell",
  "columnheader",
  "generic",
  "gridcell",
  "rowheader",
  "treeitem",
];

export interface Name {
  readonly text: string;
  /** The name says all that is in the element. */
  readonly isContent: boolean;
}

const NO_NAME: Name = { text: "", isContent: false };

export function nameOf(look: Look, element: Element, role: string): Name {
  if (role === "paragraph") return NO_NAME;
  const isNameless = NAMELESS_ROLES.has(role);
  const said = isNameless ? "" : saidName(look, element);
  if (said) return { text: cutName(said), isContent: false };
  const isByContent = NAMED_BY_CONTENT.has(role) || tagOf(element) === "summary";
  if (isByContent || isNameless) {
    const found = byContent(look, element, role);
    if (found.text || found.isContent) return found;
  }
  const title = attributeOf(element, "title") ?? "";
  return title ? { text: cutName(squeeze(title)), isContent: false } : NO_NAME;
}

/** Of one whose role no one has asked for yet. */
export function nameNow(look: Look, element: Element): string {
  return nameOf(look, element, roleOf(element)).text;
}

/** By the author: a reference, a label, what the tag has for that. */
function saidName(look: Look, element: Element): string {
  const referred = referredName(look, element);
  if (referred) return referred;
  const label = attributeOf(element, "aria-label");
  const squeezed = label ? squeeze(label) : "";
  return squeezed || nativeName(look, element);
}

function referredName(look: Look, element: Element): string {
  const targets = referredBy(element, "aria-labelledby");
  return squeeze(targets.map((target) => ownText(look, target)).join(" "));
}

/** Of what a name refers to: its own label, else what its tag has, else what is in it. */
function ownText(look: Look, target: Element): string {
  const label = attributeOf(target, "aria-label")?.trim();
  if (label) return label;
  const native = nativeName(look, target);
  if (native) return native;
  const isHidden = !isDrawn(target, { visibilityProperty: true });
  return contentText(look, target, { maxChars: MAX_NAME_CHARS, withHidden: isHidden }).text;
}

function byContent(look: Look, element: Element, role: string): Name {
  const isHolder = HOLDERS.includes(role);
  const maxChars = isHolder ? MAX_HOLDER_CHARS : MAX_NAME_CHARS;
  const nameFor = (inner: Element) => saidName(look, inner);
  const withoutGroups = role === "treeitem";
  const { text, isCut } = contentText(look, element, { maxChars, nameFor, withoutGroups });
  if (isCut && isHolder) return NO_NAME;
  return { text: isCut ? cutName(text) : text, isContent: text !== "" };
}

function cutName(text: string): string {
  return text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text;
}
