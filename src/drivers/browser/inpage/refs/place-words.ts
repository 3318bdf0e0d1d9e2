// What an element is in, in words: the texts of the item that tells it from others of its name, else
// of its row, without those of what can be acted on there.

import { createItemLook } from "../duplicates/binding.js";
import { eachNode } from "../duplicates/each-node.js";
import type { Look } from "../look.js";
import { squeeze } from "../name/text-gatherer.js";
import type { PageState } from "../page-state.js";
import { roleOf } from "../role/role-of.js";
import { isElement, isMatch } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const MAX_CHARS = 80;
const MAX_NODES = 300;
const ITEM = "li,tr,article,[role=row],[role=listitem],[role=article]";
const LEFT_OUT = "a[href],button,input,select,textarea,[role=button],script,style,template";

export function placeWords({ book }: PageState, look: Look, element: Element): string {
  const record = book.recordFor(element);
  const items = createItemLook(look, book);
  const span = record?.binding && book.spanOf(items, record);
  const item = span ? span.item : itemAround(element);
  if (!item) return "";
  const own = squeeze((span ? span.nodes : [item]).map(textsIn).join(" "));
  const text = own || squeeze(items.contents.textOf(item));
  if (text === "" || text === record?.name) return "";
  const role = item === element ? "generic" : roleOf(item);
  const quoted = `"${text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}"`;
  return role === "generic" ? quoted : `${role} ${quoted}`;
}

/** The last of several rows has no others any more, and is another one than that which went. */
function itemAround(element: Element): Element | null {
  let at = parentElementOf(element);
  while (at && !isMatch(at, ITEM)) at = parentElementOf(at);
  return at;
}

function textsIn(root: Node): string {
  let text = "";
  let left = MAX_NODES;
  eachNode(root, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_CHARS * 2) return undefined;
    if (isElement(node)) return !isMatch(node, LEFT_OUT);
    text += `${node.nodeValue ?? ""} `;
    return false;
  });
  return text;
}
