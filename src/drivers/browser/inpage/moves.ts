// Notes what a page put elsewhere since it was reported last: elements that were taken out and are in the
// document again, with where they were and in which order what is around them stood.

import {
  firstChildOf,
  isAnElement,
  isConnected,
  nextSiblingOf,
  parentNodeOf,
} from "./tree/clobbered.js";

/** More than these are not reported one by one anyway. */
const MAX_MOVED = 2_000;
/** They are kept from being freed until the next answer. */
export const MAX_GONE = 200;
const MAX_PARENTS = 50;
const MAX_CHILDREN = 10_000;

export interface Moves {
  /** What was taken out and put in again, with what it stood in before. */
  readonly from: ReadonlyMap<Element, Node>;
  /** What was taken out and is not there, with what it stood in. */
  readonly gone: ReadonlyMap<Node, Node>;
  /** What stood in an element before, in its order. */
  readonly orders: ReadonlyMap<Node, readonly Node[]>;
}

export interface MoveNotes {
  note(records: readonly MutationRecord[]): void;
  take(): Moves;
}

export function createMoveNotes(): MoveNotes {
  let from = new Map<Element, Node>();
  let gone = new Map<Node, Node>();
  let orders = new Map<Node, readonly Node[]>();
  return {
    note: (records) => {
      const parents = new Set<Node>();
      for (const { target, removedNodes } of records) {
        for (const node of removedNodes) {
          if (!isMoved(node)) {
            if (gone.size < MAX_GONE && !gone.has(node)) gone.set(node, target);
            continue;
          }
          if (from.size >= MAX_MOVED) continue;
          if (!from.has(node)) from.set(node, target);
          if (parentNodeOf(node) === target) parents.add(target);
        }
      }
      for (const parent of parents) {
        if (orders.has(parent) || orders.size >= MAX_PARENTS) continue;
        orders.set(parent, orderBefore(parent, records));
      }
    },
    take: () => {
      const taken = { from, gone, orders };
      from = new Map();
      gone = new Map();
      orders = new Map();
      return taken;
    },
  };
}

function isMoved(node: Node): node is Element {
  return isAnElement(node) && isConnected(node);
}

interface Link {
  before: Node | null;
  after: Node | null;
}

/** Undoes the records, the last one first. Empty when there is too much in it. */
function orderBefore(parent: Node, records: readonly MutationRecord[]): readonly Node[] {
  const links = new Map<Node | null, Link>([[null, { before: null, after: null }]]);
  const put = (node: Node, before: Node | null, after: Node | null) => {
    links.set(node, { before, after });
    const [left, right] = [links.get(before), links.get(after)];
    if (left) left.after = node;
    if (right) right.before = node;
  };
  const takeOut = (node: Node) => {
    const link = links.get(node);
    if (!link) return;
    const [left, right] = [links.get(link.before), links.get(link.after)];
    if (left) left.after = link.after;
    if (right) right.before = link.before;
    links.delete(node);
  };
  let last: Node | null = null;
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    if (links.size > MAX_CHILDREN) return [];
    put(node, last, null);
    last = node;
  }
  for (const record of [...records].reverse()) {
    if (record.target !== parent || record.type !== "childList") continue;
    for (const node of record.addedNodes) takeOut(node);
    let before = record.previousSibling;
    for (const node of record.removedNodes) {
      put(node, before, record.nextSibling);
      before = node;
    }
  }
  const order: Node[] = [];
  const seen = new Set<Node>();
  for (let node = links.get(null)?.after ?? null; node; node = links.get(node)?.after ?? null) {
    if (seen.has(node)) break;
    seen.add(node);
    order.push(node);
  }
  return order;
}
