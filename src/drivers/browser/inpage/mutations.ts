// Records where a document changed, also in shadow roots and fields, and which elements moved.
import type { Listening } from "./page-state.js";
import { observeRoots } from "./quiet.js";
import * as dom from "./tree/clobbered.js";

const MAX_PLACES = 200;
const NAMING: readonly (string | null)[] = ["id", "for"];
const FIELD_EVENTS = ["input", "change", "toggle"] as const;
const MAX_MOVED = 2_000;
export const MAX_GONE = 200;
const MAX_PARENTS = 50;
const MAX_CHILDREN = 10_000;

export interface Places {
  readonly changed: readonly Element[];
  /** Only children were added or removed. */
  readonly holders: readonly Element[];
}

export function createMutations(
  { on }: Listening,
  hear: (records: readonly MutationRecord[]) => void,
) {
  const changed = new Set<Element>();
  const holders = new Set<Element>();
  let isOverfull = false;
  const note = (node: unknown, places: Set<Element>) => {
    const place = dom.isAnElement(node) ? node : node instanceof Node ? hostOf(node) : null;
    if (place) places.add(place);
    if (places.size > MAX_PLACES) isOverfull = true;
  };
  const moves = createMoveNotes();
  const noteAll = (records: readonly MutationRecord[]) => {
    hear(records);
    moves.note(records);
    for (const record of records) {
      if (NAMING.includes(record.attributeName)) isOverfull = true;
      if (isOverfull) return;
      if (isOfElements(record)) {
        note(record.target, holders);
        for (const added of record.addedNodes) note(added, changed);
      } else note(record.target, changed);
    }
  };
  const observer = observeRoots(noteAll);
  for (const type of FIELD_EVENTS) {
    on(type, (event) => note(event.composedPath()[0], changed));
  }
  return {
    observe: observer.observe,
    takeMoves: () => {
      noteAll(observer.takeRecords());
      return moves.take();
    },
    /** Changes since the last call; undefined: too many. */
    take: () => {
      noteAll(observer.takeRecords());
      const taken = isOverfull ? undefined : { changed: [...changed], holders: [...holders] };
      changed.clear();
      holders.clear();
      isOverfull = false;
      return taken;
    },
  };
}

function isOfElements({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  return type === "childList" && areElements(addedNodes) && areElements(removedNodes);
}

function areElements(nodes: NodeList): boolean {
  for (const node of nodes) if (!dom.isElement(node)) return false;
  return true;
}

function hostOf(node: Node): Element | null {
  if (dom.isShadowRoot(node)) return node.host;
  if (node instanceof Document) return dom.page.root();
  const parent = dom.parentNodeOf(node);
  return dom.isAnElement(parent) ? parent : null;
}

export interface Moves {
  readonly from: ReadonlyMap<Element, Node>;
  readonly gone: ReadonlyMap<Node, Node>;
  readonly orders: ReadonlyMap<Node, readonly Node[]>;
}

function createMoveNotes() {
  let from = new Map<Element, Node>();
  let gone = new Map<Node, Node>();
  let orders = new Map<Node, readonly Node[]>();
  return {
    note: (records: readonly MutationRecord[]) => {
      const parents = new Set<Node>();
      for (const { target, removedNodes } of records) {
        for (const node of removedNodes) {
          if (!isMoved(node)) {
            if (gone.size < MAX_GONE && !gone.has(node)) gone.set(node, target);
            continue;
          }
          if (from.size >= MAX_MOVED) continue;
          if (!from.has(node)) from.set(node, target);
          if (dom.parentNodeOf(node) === target) parents.add(target);
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
  return dom.isAnElement(node) && dom.isConnected(node);
}

interface Link {
  before: Node | null;
  after: Node | null;
}

/** Undoes the records in reverse. Empty if there are too many children. */
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
  for (let node = dom.firstChildOf(parent); node; node = dom.nextSiblingOf(node)) {
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
