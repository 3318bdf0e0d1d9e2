// The text of the row, list item or card around an element. Without it a ref would act on the next
// row once a page writes other content into the same nodes.

import { remember, squeeze, words } from "../collect.js";
import { nearEqual, type Span } from "../duplicates/same-item.js";
import { type Look, textIn } from "../look.js";
import { HEADINGS } from "../roles.js";
import * as dom from "../tree/clobbered.js";
import { eachNode, parentElementOf } from "../tree/cursor.js";

const MAX_ITEM_CHARS = 240;
const MAX_ITEM_NODES = 200;
const MAX_LEVELS = 5;
const ITEM_TAGS = words("li tr article dd");
const ITEM_ROLES = words("listitem row article");
const BORDER_TAGS = words("body html main form nav header footer table ul ol menu dialog");
const TITLES = `${HEADINGS},legend`;
const MAX_NEAR = 20;
const TITLED_TAGS = words("section fieldset aside");
/** Their items have their own texts; typed text is no mark of a row. */
const SKIPPED = words(
  "ul ol menu table select textarea script style template noscript datalist svg",
);
const SKIPPED_ROLES = words("group list listbox menu tree grid table textbox tooltip");
const NO_CONTEXT: Context = { mark: null, around: [] };

export interface Context {
  /** null: not in one of several. */
  readonly mark: string | null;
  /** One of them becomes the mark when a second item appears. */
  readonly around: readonly string[];
}

export function contextOf(look: Look, element: Element): Context {
  if (isItem(element)) return { mark: itemText(look, element), around: [] };
  const parent = parentElementOf(element);
  if (!parent) return NO_CONTEXT;
  return remember(look.contexts, parent, () => readContext(look, parent));
}

export function contextSpan(look: Look, element: Element): Span | undefined {
  const { item, duplicate } = isItem(element)
    ? { item: element }
    : findItem(look, parentElementOf(element));
  if (!item) return undefined;
  const title = isTitled(item) ? dom.findIn(item, TITLES) : null;
  const others = title ? [] : nearEqual(item, MAX_NEAR).map((near) => [near]);
  const isAlone = others.length === 0;
  return {
    item,
    nodes: [title ?? item],
    others,
    depths: 0,
    ...(isAlone && duplicate && { duplicate }),
  };
}

export function isSameContext(before: Context, now: Context): boolean {
  if (before.mark === now.mark) return true;
  if (before.mark === null) return now.mark !== null && before.around.includes(now.mark);
  return now.mark === null && now.around.includes(before.mark);
}

function readContext(look: Look, parent: Element): Context {
  const { item, duplicate, way } = findItem(look, parent);
  if (!item) return { mark: null, around: way.map((each) => itemText(look, each)) };
  const text = isTitled(item) ? titleText(look, item) : itemText(look, item);
  const own = duplicate ? itemText(look, duplicate) : "";
  // In a long item, the own text may be beyond the limit.
  return { mark: text.includes(own) ? text : `${text} ${own}`, around: [] };
}

/** Prefers a row to its cells; without a row, an element with similar siblings. */
function findItem(look: Look, parent: Element | null) {
  const way: Element[] = [];
  let duplicate: Element | undefined;
  let at = parent;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (isItem(at)) return { item: at, duplicate, way };
    if (BORDER_TAGS.has(dom.tagOf(at))) break;
    if (isTitled(at)) return { item: duplicate ?? at, way };
    if (!duplicate && hasDuplicate(at) && itemText(look, at) !== "") duplicate = at;
    way.push(at);
    at = parentElementOf(at);
  }
  return { item: duplicate, way };
}

function isTitled(element: Element): boolean {
  return TITLED_TAGS.has(dom.tagOf(element)) && !isItem(element);
}

function isItem(element: Element): boolean {
  const role = dom.attributeOf(element, "role");
  return role ? ITEM_ROLES.has(role) : ITEM_TAGS.has(dom.tagOf(element));
}

export function hasDuplicate(element: Element): boolean {
  return (
    isDuplicate(element, dom.elementBefore(element)) ||
    isDuplicate(element, dom.elementAfter(element))
  );
}

function isDuplicate(element: Element, other: Element | null): boolean {
  if (!other || dom.tagOf(other) !== dom.tagOf(element)) return false;
  const [own, others] = [dom.attributeOf(element, "class"), dom.attributeOf(other, "class")];
  // Parsing classes is slow, and most are equal as text.
  if (own !== others && dom.classesOf(other)[0] !== dom.classesOf(element)[0]) return false;
  return (own && own.trim() !== "") || dom.childCountOf(other) === dom.childCountOf(element);
}

function titleText(look: Look, element: Element): string {
  return remember(look.itemTexts, element, () => {
    const title = dom.findIn(element, TITLES);
    return title ? itemText(look, title) : "";
  });
}

export function itemText(look: Look, item: Element): string {
  return remember(look.itemTexts, item, () => readItemText(look, item));
}

/** Includes hidden text, because showing it does not make another row. */
function readItemText(look: Look, item: Element): string {
  let text = "";
  let left = MAX_ITEM_NODES;
  eachNode(item, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_ITEM_CHARS) return undefined;
    if (dom.nodeTypeOf(node) === Node.ELEMENT_NODE)
      return node === item || !isSkipped(node as Element);
    text += `${textIn(look, node).slice(0, MAX_ITEM_CHARS)} `;
    return false;
  });
  return squeeze(text).slice(0, MAX_ITEM_CHARS);
}

function isSkipped(element: Element): boolean {
  if (SKIPPED.has(dom.tagOf(element))) return true;
  if (!dom.hasAttributesOf(element)) return false;
  const role = dom.attributeOf(element, "role");
  return (
    (role !== null && SKIPPED_ROLES.has(role)) || dom.hasAttributeOf(element, "contenteditable")
  );
}
