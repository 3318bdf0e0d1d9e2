// The text of what stands in an element, as its name has it: generated text, texts for pictures, the
// values of fields, without what is hidden. A loop, because pages may be nested as deeply as they like.

import type { Look } from "../look.js";
import { roleOf } from "../role/role-of.js";
import { fieldValue } from "../row/field-value.js";
import { type Cursor, nextNode, openCursor } from "../tree/cursor.js";
import { CONTENT_SKIPPED, INLINE, INVISIBLE, NOT_SHOWN } from "../tree/styles.js";
import { createGatherer, type Gatherer } from "./text-gatherer.js";

const SKIPPED_TAGS = new Set(
  "script style noscript template head title desc defs datalist".split(" "),
);
const VALUE_ROLES = new Set("textbox searchbox combobox listbox slider spinbutton".split(" "));

export interface ContentOptions {
  readonly maxChars: number;
  /** Takes also what is hidden, as what a name refers to may be. */
  readonly withHidden?: boolean;
  /** A name that is asked for while this text is read, one level deep. */
  readonly nameFor?: (element: Element) => string;
  /** Left out, as the field that a label is for. */
  readonly except?: Element | undefined;
}

interface Open {
  readonly cursor: Cursor;
  readonly element: Element;
  readonly isInline: boolean;
}

export interface ContentText {
  readonly text: string;
  /** There was more than `maxChars`. */
  readonly isCut: boolean;
}

export function contentText(look: Look, root: Element, options: ContentOptions): ContentText {
  const gatherer = createGatherer(options.maxChars);
  // A name is asked of hidden elements too; what is hidden with them counts then.
  const withHidden = options.withHidden || (look.styles.bitsOf(root) & INVISIBLE) !== 0;
  const levels = [open(look, root, gatherer)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = gatherer.isFull() || look.nameWork <= 0 ? null : nextNode(level.cursor);
    if (!node) {
      close(look, level, gatherer);
      levels.pop();
      continue;
    }
    look.nameWork -= 1;
    if (node.nodeType === Node.TEXT_NODE) gatherer.add(node.nodeValue ?? "");
    else if (node instanceof Element && isRead(look, node, { level, options, withHidden })) {
      if (node.localName === "br") gatherer.apart();
      else if (!addWhole(look, node, { gatherer, options }))
        levels.push(open(look, node, gatherer));
    }
  }
  return { text: gatherer.text(), isCut: gatherer.isFull() };
}

function open(look: Look, element: Element, gatherer: Gatherer): Open {
  const isInline = (look.styles.bitsOf(element) & INLINE) !== 0;
  if (!isInline) gatherer.apart();
  gatherer.add(look.styles.generatedText(element, "::before"));
  return { cursor: openCursor(element, look.owned.get(element)), element, isInline };
}

function close(look: Look, { element, isInline }: Open, gatherer: Gatherer): void {
  gatherer.add(look.styles.generatedText(element, "::after"));
  if (!isInline) gatherer.apart();
}

function isRead(
  look: Look,
  element: Element,
  at: { readonly level: Open; readonly options: ContentOptions; readonly withHidden: boolean },
): boolean {
  const { level, options, withHidden } = at;
  if (SKIPPED_TAGS.has(element.localName) || element === options.except) return false;
  const owner = look.owners.get(element);
  if (owner && owner !== level.element) return false;
  if (options.withHidden) return true;
  const bits = look.styles.bitsOf(element);
  if (bits & (NOT_SHOWN | CONTENT_SKIPPED)) return false;
  if (bits & INVISIBLE && !withHidden) return false;
  return element.getAttribute("aria-hidden") !== "true";
}

/** What is told by a word of its own instead of by what stands in it. */
function addWhole(
  look: Look,
  element: Element,
  { gatherer, options }: { readonly gatherer: Gatherer; readonly options: ContentOptions },
): boolean {
  const said = sayWhole(element, options);
  if (said === undefined) return false;
  const isInline = (look.styles.bitsOf(element) & INLINE) !== 0;
  if (!isInline) gatherer.apart();
  gatherer.add(said);
  if (!isInline) gatherer.apart();
  return true;
}

function sayWhole(element: Element, { nameFor }: ContentOptions): string | undefined {
  if (element.hasAttributes()) {
    const label = element.getAttribute("aria-label")?.trim();
    const isReferring = nameFor && element.hasAttribute("aria-labelledby");
    const isField = VALUE_ROLES.has(roleOf(element));
    if (isReferring) return nameFor(element);
    if (isField) return fieldValue(element) ?? "";
    if (label) return label;
  }
  switch (element.localName) {
    case "img":
    case "area":
      return element.getAttribute("alt") ?? element.getAttribute("title") ?? "";
    case "svg":
      return svgTitle(element) || undefined;
    case "input":
    case "select":
    case "textarea":
      return sayField(element);
    case "iframe":
    case "progress":
    case "meter":
      return element.getAttribute("title") ?? "";
    default:
      return undefined;
  }
}

/** A checkbox in a label says nothing; a button says what stands on it. */
function sayField(element: Element): string {
  if (
    element instanceof HTMLInputElement &&
    ["checkbox", "radio", "hidden"].includes(element.type)
  ) {
    return "";
  }
  return fieldValue(element) ?? "";
}

export function svgTitle(element: Element): string {
  for (const child of element.children) {
    if (child.localName === "title") return child.textContent?.trim() ?? "";
  }
  return "";
}
