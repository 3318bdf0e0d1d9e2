// Goes along the children of an element as they are shown: those of its open shadow root, what is put
// into a slot, and what it owns by aria-owns.

import {
  childNodesOf,
  firstChildOf,
  isElement,
  isShadowRoot,
  nextSiblingOf,
  parentNodeOf,
  shadowOf,
  slotOf,
  tagOf,
} from "./clobbered.js";

export interface Cursor {
  node: Node | null;
  /** Of slots and of owned elements: these instead of siblings. */
  rest: readonly Node[] | null;
  index: number;
}

export function openCursor(element: Element, owned: readonly Element[] | undefined): Cursor {
  const slotted = assignedTo(element);
  if (!owned && slotted.length === 0) {
    return { node: firstChildOf(shadowOf(element) ?? element), rest: null, index: 0 };
  }
  const own = slotted.length > 0 ? slotted : [...childNodesOf(shadowOf(element) ?? element)];
  return { node: null, rest: owned ? [...own, ...owned] : own, index: 0 };
}

const NOTHING: readonly Node[] = [];

/** To a slot. */
export function assignedTo(element: Element): readonly Node[] {
  if (tagOf(element) !== "slot" || !(element instanceof HTMLSlotElement)) return NOTHING;
  return element.assignedNodes();
}

export function nextNode(cursor: Cursor): Node | null {
  if (cursor.rest) {
    const node = cursor.rest[cursor.index] ?? null;
    cursor.index += 1;
    return node;
  }
  const { node } = cursor;
  cursor.node = node && nextSiblingOf(node);
  return node;
}

/** The parent as it is shown: a slot, a shadow host. */
export function parentElementOf(element: Element): Element | null {
  const slot = slotOf(element);
  if (slot) return slot;
  const parent = parentNodeOf(element);
  if (!parent) return null;
  if (isElement(parent)) return parent;
  return isShadowRoot(parent) ? parent.host : null;
}
