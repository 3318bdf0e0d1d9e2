// Goes along the children of an element as they are shown: those of its open shadow root, what is put
// into a slot, and what it owns by aria-owns.

import { firstChildOf, isClobbered, nextSiblingOf, parentNodeOf } from "./clobbered.js";

export interface Cursor {
  node: Node | null;
  /** Of slots and of owned elements: these instead of siblings. */
  rest: readonly Node[] | null;
  index: number;
}

export function openCursor(element: Element, owned: readonly Element[] | undefined): Cursor {
  const slotted = assignedTo(element);
  if (!owned && slotted.length === 0) {
    return { node: (element.shadowRoot ?? element).firstChild, rest: null, index: 0 };
  }
  const own = slotted.length > 0 ? slotted : [...(element.shadowRoot ?? element).childNodes];
  return { node: null, rest: owned ? [...own, ...owned] : own, index: 0 };
}

const NOTHING: readonly Node[] = [];

function assignedTo(element: Element): readonly Node[] {
  if (element.localName !== "slot" || !(element instanceof HTMLSlotElement)) return NOTHING;
  return element.assignedNodes();
}

export function nextNode(cursor: Cursor): Node | null {
  if (cursor.rest) {
    const node = cursor.rest[cursor.index] ?? null;
    cursor.index += 1;
    return node;
  }
  const { node } = cursor;
  cursor.node = node && followingOf(node);
  return node;
}

/** What is in an element whatever it says of itself. */
export function openClobbered(element: Element): Cursor {
  return { node: firstChildOf(element), rest: null, index: 0 };
}

function followingOf(node: Node): Node | null {
  return node instanceof HTMLFormElement ? nextSiblingOf(node) : node.nextSibling;
}

/** The parent as it is shown: a slot, a shadow host. Clobbered ones are passed over. */
export function parentElementOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  let parent = parentNodeOf(element);
  while (parent instanceof HTMLFormElement && isClobbered(parent)) parent = parentNodeOf(parent);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
