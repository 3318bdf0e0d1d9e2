// What a page changes in an item because somebody types into a field of it: a sum, a word of praise. It is
// the same item still, unless what stands there now stood in another one, or the other way round.

import { createLook } from "../look.js";
import type { RefBook, RefRecord } from "../refs/ref-book.js";
import { parentElementOf } from "../tree/cursor.js";
import { createItemLook } from "./binding.js";
import { eachNode } from "./each-node.js";

const MAX_NODES = 600;
/** Of a field that has no others of its name: so far up something belongs to it. */
const MAX_LEVELS = 3;

/** Before the typing; what is returned is called after it. */
export function beginTyping(book: RefBook, field: Element): () => void {
  const items = createItemLook(createLook(), book.typed);
  const held = recordsIn(book, topOf(book, field)).filter((record) => book.isHeld(items, record));
  return () => {
    book.typed.note(field);
    const now = createItemLook(createLook(), book.typed);
    for (const record of held) book.adopt(now, record);
  };
}

function topOf(book: RefBook, field: Element): Element {
  const item = book.bindingOf(field)?.item.deref();
  if (item) return item;
  let top = field;
  for (let level = 0; level < MAX_LEVELS; level += 1) top = parentElementOf(top) ?? top;
  return top;
}

function recordsIn(book: RefBook, top: Element): readonly RefRecord[] {
  const records: RefRecord[] = [];
  let left = MAX_NODES;
  eachNode(top, (node) => {
    left -= 1;
    if (left === 0) return undefined;
    const record = node instanceof Element ? book.recordFor(node) : undefined;
    if (record) records.push(record);
    return true;
  });
  return records;
}
