// Elements that a page removed in one place and redrew in another: people see a move, so the new place is reported.

import type { Moves } from "../moves.js";
import type { PageState } from "../page-state.js";
import type { Moved, Row } from "../protocol.js";
import { addTo } from "../remember.js";
import { isAnElement, isConnected, isShadowRoot, parentNodeOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { placeOf } from "./moved.js";

const MAX_REPORTED = 10;
const MAX_LEVELS = 60;

/** In the place of one of the same role and name, whose parent is still there and is another one. */
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
    if (moved.length >= MAX_REPORTED) break;
    const old = row[0] === 0 ? undefined : left.get(keyOf(row))?.shift();
    const node = old && state.book.recordOf(row[0])?.node.deref();
    if (!node) continue;
    const before = holderBefore(state, { row: old, gone });
    const top = topOf(state, { node, numbers });
    const now = holderOf(state, parentNodeOf(top));
    // What came with another has its place.
    if (!before || !now || before === now || tops.has(top)) continue;
    tops.add(top);
    moved.push({ row, ...placeOf(state, top) });
  }
  return moved;
}

/** The highest around it that came as well. */
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

/** What it stood in, when that is still there. */
function holderBefore(
  state: PageState,
  { row, gone }: { readonly row: Row; readonly gone: Moves["gone"] },
): Element | undefined {
  let at: Node | null = state.book.recordOf(row[0])?.node.deref() ?? null;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const parent: Node | undefined = gone.get(at);
    if (parent) return isConnected(parent) ? holderOf(state, parent) : undefined;
    at = parentNodeOf(at);
  }
  return undefined;
}

/** The nearest element with a row. */
function holderOf({ known }: PageState, place: Node | null): Element | undefined {
  let at = isShadowRoot(place) ? place.host : isAnElement(place) ? place : null;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (known.get(at)?.row) return at;
    at = parentElementOf(at);
  }
  return undefined;
}
