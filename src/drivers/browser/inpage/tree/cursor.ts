// Walks nodes: the rendered children of an element, or everything below a node.
import * as dom from "./clobbered.js";

const NOTHING: readonly Node[] = [];

export interface Cursor {
  node: Node | null;
  rest: readonly Node[] | null;
  index: number;
}

export function openCursor(element: Element): Cursor {
  const slotted = assignedTo(element);
  if (slotted.length > 0) return { node: null, rest: slotted, index: 0 };
  return { node: dom.firstChildOf(dom.shadowOf(element) ?? element), rest: null, index: 0 };
}

function assignedTo(element: Element): readonly Node[] {
  if (dom.tagOf(element) !== "slot" || !(element instanceof HTMLSlotElement)) return NOTHING;
  return element.assignedNodes();
}

export function nextNode(cursor: Cursor): Node | null {
  if (cursor.rest) {
    const node = cursor.rest[cursor.index] ?? null;
    cursor.index += 1;
    return node;
  }
  const { node } = cursor;
  cursor.node = node && dom.nextSiblingOf(node);
  return node;
}

export function parentElementOf(element: Element): Element | null {
  const slot = dom.slotOf(element);
  if (slot) return slot;
  const parent = dom.parentNodeOf(element);
  if (!parent) return null;
  if (dom.isElement(parent)) return parent;
  return dom.isShadowRoot(parent) ? parent.host : null;
}

/** Shadow root first. `visit` returns whether to enter; undefined ends the walk. */
export function eachNode(
  root: Node,
  visit: (node: Node) => boolean | undefined,
): boolean | undefined {
  const home = dom.rootOf(root);
  let node: Node | null = root;
  while (node) {
    const isEntered = visit(node);
    if (isEntered === undefined) return undefined;
    // Light children follow when the root itself contains the host.
    const isOwn = isEntered && dom.isShadowRoot(home) && dom.rootOf(node) === home;
    for (const each of isOwn && dom.isElement(node) ? assignedTo(node) : []) {
      if (eachNode(each, visit) === undefined) return undefined;
    }
    node = (isEntered ? firstIn(node) : null) ?? following(node, root);
  }
  return true;
}

function firstIn(node: Node): Node | null {
  const shadow = dom.isElement(node) ? dom.shadowOf(node) : null;
  return (shadow && dom.firstChildOf(shadow)) ?? dom.firstChildOf(node);
}

function following(node: Node, root: Node): Node | null {
  let at: Node | null = node;
  while (at && at !== root) {
    const next = dom.nextSiblingOf(at);
    if (next) return next;
    const parent: Node | null = dom.parentNodeOf(at);
    const host: Element | undefined = dom.isShadowRoot(parent) ? parent.host : undefined;
    const light = host && dom.firstChildOf(host);
    if (light) return light;
    at = host ?? parent;
  }
  return null;
}

export function parentOf(node: Node): Node | null {
  if (dom.isElement(node) && dom.slotOf(node)) return dom.slotOf(node);
  return dom.isShadowRoot(node) ? node.host : dom.parentNodeOf(node);
}

export function isIn(node: Node, ancestor: Node): boolean {
  for (let at: Node | null = node; at; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}
