// What tells elements of equal role and name apart: the text of the row, list item or card they stand
// in. Without it a ref would act on the next row, once a page writes other content into the same nodes.

import type { Look } from "../look.js";
import {
  attributeOf,
  childCountOf,
  classesOf,
  elementAfter,
  elementBefore,
  findIn,
  hasAttributeOf,
  hasAttributesOf,
  nodeTypeOf,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { eachNode, isCounter } from "../twins/each-node.js";
import { squeeze } from "./text-gatherer.js";

const MAX_ITEM_CHARS = 240;
const MAX_ITEM_NODES = 200;
const MAX_LEVELS = 5;
const ITEM_TAGS = new Set("li tr article dd".split(" "));
const ITEM_ROLES = new Set("listitem row article".split(" "));
/** Above them is another matter. */
const BORDER_TAGS = new Set(
  "body html main form nav header footer table ul ol menu dialog".split(" "),
);
const TITLED_TAGS = new Set("section fieldset aside".split(" "));
/** Their items have texts of their own; what people write is no mark of a row. */
const SKIPPED = new Set(
  "ul ol menu table select textarea script style template noscript datalist svg".split(" "),
);
const SKIPPED_ROLES = new Set("group list listbox menu tree grid table textbox tooltip".split(" "));

/** Two are the same when their marks are; see isSameContext. */
export interface Context {
  /** null: it stands in nothing of which there are several. */
  readonly mark: string | null;
  /** The texts of what it stands in: one of them becomes the mark when a second item comes. */
  readonly around: readonly string[];
}

const NO_CONTEXT: Context = { mark: null, around: [] };

export function contextOf(look: Look, element: Element): Context {
  if (isItem(element)) return { mark: itemText(look, element), around: [] };
  const parent = parentElementOf(element);
  if (!parent) return NO_CONTEXT;
  let context = look.contexts.get(parent);
  if (!context) {
    context = readContext(look, parent);
    look.contexts.set(parent, context);
  }
  return context;
}

export function isSameContext(before: Context, now: Context): boolean {
  if (before.mark === now.mark) return true;
  if (before.mark === null) return now.mark !== null && before.around.includes(now.mark);
  return now.mark === null && now.around.includes(before.mark);
}

function readContext(look: Look, parent: Element): Context {
  const around: string[] = [];
  let at: Element | null = parent;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (isItem(at)) return { mark: itemText(look, at), around };
    if (BORDER_TAGS.has(tagOf(at))) break;
    if (TITLED_TAGS.has(tagOf(at))) return { mark: titleText(look, at), around };
    const text = itemText(look, at);
    if (text !== "" && hasTwin(at)) return { mark: text, around };
    around.push(text);
    at = parentElementOf(at);
  }
  return { mark: null, around };
}

function isItem(element: Element): boolean {
  const role = attributeOf(element, "role");
  return role ? ITEM_ROLES.has(role) : ITEM_TAGS.has(tagOf(element));
}

/** A neighbour that looks as if both came out of one loop. */
export function hasTwin(element: Element): boolean {
  return isTwin(element, elementBefore(element)) || isTwin(element, elementAfter(element));
}

function isTwin(element: Element, other: Element | null): boolean {
  if (!other || tagOf(other) !== tagOf(element)) return false;
  if (classesOf(other)[0] !== classesOf(element)[0]) return false;
  return classesOf(element).length > 0 || childCountOf(other) === childCountOf(element);
}

function titleText(look: Look, element: Element): string {
  const known = look.itemTexts.get(element);
  if (known !== undefined) return known;
  const title = findIn(element, "h1,h2,h3,h4,h5,h6,legend,[role=heading]");
  const text = title ? itemText(look, title) : "";
  look.itemTexts.set(element, text);
  return text;
}

function itemText(look: Look, item: Element): string {
  let text = look.itemTexts.get(item);
  if (text === undefined) {
    text = readItemText(item);
    look.itemTexts.set(item, text);
  }
  return text;
}

/** Also what is hidden: it belongs to the row, and its coming and going does not make another row. */
function readItemText(item: Element): string {
  let text = "";
  let left = MAX_ITEM_NODES;
  eachNode(item, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_ITEM_CHARS) return undefined;
    if (nodeTypeOf(node) === Node.ELEMENT_NODE) return node === item || !isSkipped(node as Element);
    const value = node.nodeValue ?? "";
    if (!isCounter(node, value)) text += `${value.slice(0, MAX_ITEM_CHARS)} `;
    return false;
  });
  return squeeze(text).slice(0, MAX_ITEM_CHARS);
}

function isSkipped(element: Element): boolean {
  if (SKIPPED.has(tagOf(element))) return true;
  if (!hasAttributesOf(element)) return false;
  const role = attributeOf(element, "role");
  return (role !== null && SKIPPED_ROLES.has(role)) || hasAttributeOf(element, "contenteditable");
}
