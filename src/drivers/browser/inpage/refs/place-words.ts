// What an element that has others of its name stands in, in words: the texts of its item, without those
// of what can be acted on there.

import type { Look } from "../look.js";
import { squeeze } from "../name/text-gatherer.js";
import type { PageState } from "../page-state.js";
import { roleOf } from "../role/role-of.js";
import { isElement, isMatch } from "../tree/clobbered.js";
import { createItemLook } from "../twins/binding.js";
import { eachNode } from "../twins/each-node.js";

const MAX_CHARS = 80;
const MAX_NODES = 300;
const LEFT_OUT = "a[href],button,input,select,textarea,[role=button],script,style,template";

export function placeWords({ book }: PageState, look: Look, element: Element): string {
  const record = book.recordFor(element);
  const items = createItemLook(look, book);
  const span = record?.binding && book.spanOf(items, record);
  if (!span) return "";
  const own = squeeze(span.nodes.map(textsIn).join(" "));
  const text = own || squeeze(items.contents.textOf(span.item));
  if (text === "" || text === record.name) return "";
  const role = span.item === element ? "generic" : roleOf(span.item);
  const quoted = `"${text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}"`;
  return role === "generic" ? quoted : `${role} ${quoted}`;
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
