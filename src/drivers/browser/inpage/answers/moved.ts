// Reports elements that the page moved or redrew elsewhere.

import { addTo, squeeze } from "../collect.js";
import type { Moves } from "../mutations.js";
import type { PageState } from "../page-state.js";
import type { Moved, Row } from "../protocol.js";
import { withPart } from "../row/make-row.js";
import * as dom from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const MAX_REPORTED = 20;
const MAX_SINGLE = 2;
const MAX_ORDER = 12;
const MAX_WORDS_CHARS = 80;
const MAX_LOOKED = 30;
const MAX_LEVELS = 60;
const MAX_REDRAWN = 10;

const createWalker = Document.prototype.createTreeWalker;

export function tellMoved(
  state: PageState,
  { moves, added }: { readonly moves: Moves; readonly added: ReadonlySet<number> },
): readonly Moved[] {
  const { from, orders } = moves;
  const reported: Moved[] = [];
  const tellOne = (node: Element) => {
    const row = rowIn(state, node);
    if (!row || added.has(row[0])) return;
    reported.push({ row, ...placeOf(state, node) });
  };
  for (const [node, before] of from) {
    if (reported.length >= MAX_REPORTED) return reported;
    const parent = dom.parentNodeOf(node);
    if (parent && parent !== before) tellOne(node);
  }
  for (const [parent, before] of orders) {
    if (reported.length >= MAX_REPORTED) return reported;
    const children = childElements(parent);
    if (isSameOrder(children, before)) continue;
    const moved = children.filter((node) => from.has(node) && rowIn(state, node));
    if (moved.length <= MAX_SINGLE) {
      moved.forEach(tellOne);
      continue;
    }
    const order = children
      .map((node) => rowIn(state, node))
      .filter((each) => each !== undefined)
      .slice(0, MAX_ORDER);
    const row = parentRow(state, parent) ?? order[0];
    if (row) reported.push({ row, order });
  }
  return reported;
}

function placeOf(state: PageState, node: Element): Pick<Moved, "parent" | "after"> {
  const parent = parentRow(state, dom.parentNodeOf(node));
  const after = rowBefore(state, node);
  return { ...(parent && { parent }), ...(after && { after }) };
}

/** Ignores nodes that were added or removed. */
function isSameOrder(children: readonly Element[], before: readonly Node[]): boolean {
  const [old, now] = [new Set(before), new Set<Node>(children)];
  const kept = before.filter((node) => now.has(node));
  return children.filter((node) => old.has(node)).every((node, at) => node === kept[at]);
}

function childElements(parent: Node): Element[] {
  const children: Element[] = [];
  for (let node = dom.firstChildOf(parent); node; node = dom.nextSiblingOf(node)) {
    if (dom.isAnElement(node)) children.push(node);
  }
  return children;
}

/** Its own row, else the first row inside, named by the words in it. */
function rowIn({ known }: PageState, node: Element): Row | undefined {
  const walker = createWalker.call(document, node, NodeFilter.SHOW_ELEMENT);
  let found: Row | undefined;
  const words: string[] = [];
  let at: Node | null = node;
  for (let looked = 0; at && looked < MAX_LOOKED; looked += 1) {
    const entry = known.get(at as Element);
    const rows = [...(entry?.row ? [entry.row] : []), ...(entry?.plain ?? [])];
    found ??= rows[0];
    words.push(...rows.map(([, , , name]) => name).filter(Boolean));
    if (found?.[3]) break;
    at = walker.nextNode();
  }
  return found && withName(found, found[3] || squeeze(words.join(" ")));
}

function withName(row: Row, words: string): Row {
  const name = words.length <= MAX_WORDS_CHARS ? words : `${words.slice(0, MAX_WORDS_CHARS - 1)}…`;
  return withPart(row, 3, name);
}

function parentRow({ known }: PageState, place: Node | null): Row | undefined {
  let at = dom.isShadowRoot(place) ? place.host : dom.isAnElement(place) ? place : null;
  let nearest: Row | undefined;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const row = known.get(at)?.row;
    if (row?.[3]) return withName(row, row[3]);
    nearest ??= row ?? undefined;
    at = parentElementOf(at);
  }
  return nearest;
}

function rowBefore(state: PageState, node: Element): Row | undefined {
  const siblings = childElements(dom.parentNodeOf(node) ?? node);
  for (let at = siblings.indexOf(node) - 1; at >= 0; at -= 1) {
    const sibling = siblings[at];
    const row = sibling && rowIn(state, sibling);
    if (row) return row;
  }
  return undefined;
}

/** A redrawn element whose old parent still exists and is another one. */
export function tellRedrawn(
  state: PageState,
  change: {
    readonly moves: Moves;
    readonly added: readonly Row[];
    readonly removed: readonly Row[];
  },
): readonly Moved[] {
  const { gone } = change.moves;
  if (gone.size === 0 || change.removed.length === 0) return [];
  const left = new Map<string, Row[]>();
  for (const row of change.removed) {
    if (row[0] === 0 || row[3] === "") continue;
    addTo(left, keyOf(row), row);
  }
  const moved: Moved[] = [];
  const numbers = new Set(change.added.map(([ref]) => ref));
  const tops = new Set<Element>();
  for (const row of change.added) {
    if (moved.length >= MAX_REDRAWN) break;
    const old = row[0] === 0 ? undefined : left.get(keyOf(row))?.shift();
    const node = old && state.book.recordOf(row[0])?.node.deref();
    if (!node) continue;
    const before = holderBefore(state, { row: old, gone });
    const top = topOf(state, { node, numbers });
    const now = holderOf(state, dom.parentNodeOf(top));
    if (!before || !now || before === now || tops.has(top)) continue;
    tops.add(top);
    moved.push({ row, ...placeOf(state, top) });
  }
  return moved;
}

function topOf(
  { known }: PageState,
  { node, numbers }: { readonly node: Element; readonly numbers: ReadonlySet<number> },
): Element {
  let top = node;
  let at = parentElementOf(node);
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const row = known.get(at)?.row;
    if (row && !numbers.has(row[0])) break;
    if (row) top = at;
    at = parentElementOf(at);
  }
  return top;
}

function keyOf([, depth, role, name]: Row): string {
  return `${depth} ${role} ${name}`;
}

function holderBefore(
  state: PageState,
  { row, gone }: { readonly row: Row; readonly gone: Moves["gone"] },
): Element | undefined {
  let at: Node | null = state.book.recordOf(row[0])?.node.deref() ?? null;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const parent: Node | undefined = gone.get(at);
    if (parent) return dom.isConnected(parent) ? holderOf(state, parent) : undefined;
    at = dom.parentNodeOf(at);
  }
  return undefined;
}

function holderOf({ known }: PageState, place: Node | null): Element | undefined {
  let at = dom.isShadowRoot(place) ? place.host : dom.isAnElement(place) ? place : null;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (known.get(at)?.row) return at;
    at = parentElementOf(at);
  }
  return undefined;
}
