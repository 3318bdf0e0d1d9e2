// Goes along the children of an element as they are shown: those of its open shadow root, what is put
// into a slot, and what it owns by aria-owns.

export interface Cursor {
  node: Node | null;
  /** Of slots and of owned elements: these instead of siblings. */
  rest: readonly Node[] | null;
  index: number;
}

export function openCursor(element: Element, owned: readonly Element[] | undefined): Cursor {
  const slotted = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  if (!owned && slotted.length === 0) {
    return { node: (element.shadowRoot ?? element).firstChild, rest: null, index: 0 };
  }
  const own = slotted.length > 0 ? slotted : [...(element.shadowRoot ?? element).childNodes];
  return { node: null, rest: owned ? [...own, ...owned] : own, index: 0 };
}

export function nextNode(cursor: Cursor): Node | null {
  if (cursor.rest) {
    const node = cursor.rest[cursor.index] ?? null;
    cursor.index += 1;
    return node;
  }
  const { node } = cursor;
  cursor.node = node?.nextSibling ?? null;
  return node;
}

/** The parent as it is shown: a slot, a shadow host. */
export function parentElementOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.parentNode;
  return root instanceof ShadowRoot ? root.host : null;
}
