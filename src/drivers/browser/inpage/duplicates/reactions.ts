// Accepts what a page changes in an item in reaction to an act, such as a sum or a count, as long as
// what distinguishes the item stays.

import type { Look } from "../look.js";
import { type RefBook, type RefRecord, withoutHeading } from "../refs/ref-book.js";
import { isAnElement } from "../tree/clobbered.js";
import { eachNode, isIn, parentElementOf } from "../tree/cursor.js";
import { createItemLook, type ItemLook, isInOther } from "./binding.js";
import { type ItemWords, isExchanged, isSameItem, readItemWords, type Span } from "./same-item.js";

const MAX_NODES = 600;

export type Reactions = ReturnType<typeof createReactions>;

export interface Reaction {
  /** Accepts the present content; true: another item took its place. */
  adopt(): boolean;
  end(): void;
}

export interface Deed {
  readonly element: Element | undefined;
  readonly end?: Element | undefined;
  readonly isTyped: boolean;
}

interface Held {
  readonly record: RefRecord;
  readonly before: ItemWords;
}

/** For the element itself, whose surroundings may change. */
interface Own {
  readonly record: RefRecord;
  readonly parent: Element | null;
}

export function createReactions(book: RefBook, look: () => Look) {
  let open: readonly (Held | Own)[] = [];
  const adopt = (held: readonly (Held | Own)[]): boolean => {
    let isOther = false;
    if (held.length === 0) return isOther;
    const items = createItemLook(look(), book);
    for (const each of held) {
      const { record } = each;
      const element = record.node.deref();
      if ("parent" in each) {
        const isMoved = element !== undefined && parentElementOf(element) !== each.parent;
        book.adoptSurroundings(items, { record, isMoved });
        continue;
      }
      const span = book.spanOf(items, record);
      if (!span || !element) continue;
      if (isSameItem(items.contents, each.before, span)) book.adopt(items, record);
      else
        isOther ||=
          isInOther(items, element, record.binding) ||
          isExchanged(items.contents, each.before, span);
    }
    return isOther;
  };
  return {
    begin: ({ element, end, isTyped }: Deed) => {
      const held = [element, end].flatMap((each) => (each ? holdAround({ book, look }, each) : []));
      return {
        adopt: () => adopt(held),
        end: () => {
          if (isTyped && element) book.typed.note(element);
          adopt(held);
          open = [...open, ...held];
        },
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

function holdAround(
  { book, look }: { readonly book: RefBook; readonly look: () => Look },
  element: Element,
): readonly (Held | Own)[] {
  const items = createItemLook(look(), book);
  const known = new Map<Element, ItemWords>();
  const record = book.recordFor(element);
  const own =
    record && book.isHeld(items, record) ? [{ record, parent: parentElementOf(element) }] : [];
  const others = recordsNear(book, element).flatMap((near) => {
    const span = book.spanOf(items, near);
    if (!span || !isIn(element, span.item) || !book.isHeld(items, withoutHeading(near))) return [];
    return [{ record: near, before: wordsOf(items, span, known) }];
  });
  return [...own, ...others];
}

function wordsOf(items: ItemLook, span: Span, known: Map<Element, ItemWords>): ItemWords {
  // Siblings and left-out parts may differ between spans.
  const isPlain = span.nodes.length === 1 && !span.part && !span.duplicate;
  const words = (isPlain && known.get(span.item)) || readItemWords(items.contents, span);
  if (isPlain) known.set(span.item, words);
  return words.depths === span.depths ? words : { ...words, depths: span.depths };
}

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
      const record = isAnElement(node) ? book.recordFor(node) : undefined;
      if (record) records.push(record);
      return true;
    });
    inner = at;
  }
  return records;
}
