// What a page changes in an item because somebody acts in it: a sum, a word of praise, a count. It is the
// same item still, while what sets it apart from others stays; items elsewhere never are, a search or
// another page may have written other ones into their places.

import { createLook } from "../look.js";
import type { RefBook, RefRecord } from "../refs/ref-book.js";
import { parentElementOf } from "../tree/cursor.js";
import { createItemLook, type ItemLook, isIn } from "./binding.js";
import { eachNode } from "./each-node.js";
import { type ItemWords, isSameItem, readItemWords, type Span } from "./same-item.js";

const MAX_NODES = 600;

export interface Reactions {
  /** Before something is done; what is returned is called when it was. */
  begin(deed: Deed): () => void;
  /** The page has become still after it. */
  end(): void;
  /** What was not ended before is given up. */
  forget(): void;
}

export interface Deed {
  readonly element: Element | undefined;
  /** Of a drag. */
  readonly end?: Element | undefined;
  readonly isTyped: boolean;
}

interface Held {
  readonly record: RefRecord;
  /** undefined: of the element itself, which keeps its heading. */
  readonly before: ItemWords | undefined;
}

export function createReactions(book: RefBook): Reactions {
  let open: readonly Held[] = [];
  const adopt = (held: readonly Held[]) => {
    if (held.length === 0) return;
    const items = createItemLook(createLook(), book);
    for (const { record, before } of held) {
      const span = before && book.spanOf(items, record);
      if (!before) book.adoptHeading(items, record);
      else if (span && isSameItem(items.contents, before, span)) book.adopt(items, record);
    }
  };
  return {
    begin: ({ element, end, isTyped }) => {
      const held = [element, end].flatMap((each) => (each ? holdAround(book, each) : []));
      return () => {
        if (isTyped && element) book.typed.note(element);
        adopt(held);
        open = [...open, ...held];
      };
    },
    end: () => {
      adopt(open);
      open = [];
    },
    forget: () => {
      open = [];
    },
  };
}

/** Those whose items the element is in, and that hold at this moment. */
function holdAround(book: RefBook, element: Element): readonly Held[] {
  const items = createItemLook(createLook(), book);
  const known = new Map<Element, ItemWords>();
  const record = book.recordFor(element);
  const own = record && book.isHeld(items, record) ? [{ record, before: undefined }] : [];
  const others = recordsNear(book, element).flatMap((near) => {
    const span = book.spanOf(items, near);
    if (!span || !isIn(element, span.item) || !book.isHeld(items, near)) return [];
    return [{ record: near, before: wordsOf(items, span, known) }];
  });
  return [...own, ...others];
}

function wordsOf(items: ItemLook, span: Span, known: Map<Element, ItemWords>): ItemWords {
  // What lies beside it or is left out may differ from one to the next.
  const isPlain = span.nodes.length === 1 && !span.part;
  const words = (isPlain && known.get(span.item)) || readItemWords(items.contents, span);
  if (isPlain) known.set(span.item, words);
  return words.depths === span.depths ? words : { ...words, depths: span.depths };
}

/** The nearest first: what the element stands in, and what that stands in. */
function recordsNear(book: RefBook, element: Element): readonly RefRecord[] {
  const records: RefRecord[] = [];
  let left = MAX_NODES;
  let inner: Element | undefined;
  for (let at: Element | null = element; at && left > 0; at = parentElementOf(at)) {
    const seen = inner;
    eachNode(at, (node) => {
      if (node === seen) return false;
      left -= 1;
      if (left <= 0) return undefined;
      const record = node instanceof Element ? book.recordFor(node) : undefined;
      if (record) records.push(record);
      return true;
    });
    inner = at;
  }
  return records;
}
