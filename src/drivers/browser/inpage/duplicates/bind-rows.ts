// Finds among rows those of equal role and name, and binds them to their items. Of a document that is
// read in part the others are known from before.

import type { Known } from "../page-state.js";
import type { Row } from "../protocol.js";
import type { RefBook } from "../refs/ref-book.js";
import { addTo } from "../remember.js";
import { FLAG_INTERACTIVE } from "../row/make-row.js";
import { isConnected } from "../tree/clobbered.js";
import { words } from "../words.js";
import { type Binding, bindDuplicates, type ItemLook } from "./binding.js";

/** What is in them comes and goes; they are distinguished by what is around them. */
const HOLDERS = words(
  "dialog feed figure form grid group list menu menubar radiogroup region rowgroup table tablist tabpanel toolbar tree treegrid",
);
/** No one acts on them. */
const UNBOUND = words(
  "alert alertdialog application banner blockquote complementary contentinfo document generic log main navigation paragraph search status",
);

/** Begins the keys of holders. */
const HOLLOW = ".";

export interface RowOf {
  readonly element: Element;
  readonly row: Row;
}

export interface BindRows {
  readonly items: ItemLook;
  readonly book: RefBook;
  readonly rows: readonly RowOf[];
  /** undefined: the rows are all there are. */
  readonly others: ReadonlyMap<Element, Known> | undefined;
}

export function bindRows({ items, book, rows, others }: BindRows): ReadonlyMap<Element, Binding> {
  const groups = new Map<string, Element[]>();
  const found = new Map<Element, Binding>();
  for (const { element, row } of rows) {
    if (!isBound(row)) continue;
    const now = { role: row[2], name: row[3] };
    const held = others && book.heldBinding(items, element, now);
    if (held) found.set(element, held);
    else addTo(groups, keyOf(row), element);
  }
  const known = others && groups.size > 0 ? findOthers(groups, rows, others) : undefined;
  for (const [key, wanted] of groups) {
    const rest = known?.get(key) ?? [];
    if (wanted.length + rest.length < 2) continue;
    const otherBases = rest.flatMap((element) => book.bindingOf(element)?.base ?? []);
    const members = rest.length > 0 ? [...wanted, ...rest] : wanted;
    const isHollow = key.startsWith(HOLLOW);
    bindDuplicates({ items, members, wanted, otherBases, refTo: book.refTo, found, isHollow });
  }
  return found;
}

function isBound([, , role, , , , , flags]: Row): boolean {
  return (flags & FLAG_INTERACTIVE) !== 0 || !UNBOUND.has(role);
}

function isHollow([, , role, , , , , flags]: Row): boolean {
  return (flags & FLAG_INTERACTIVE) === 0 && HOLDERS.has(role);
}

function keyOf(row: Row): string {
  return `${isHollow(row) ? HOLLOW : ""}${row[2]} ${row[3]}`;
}

function findOthers(
  groups: ReadonlyMap<string, unknown>,
  rows: readonly RowOf[],
  known: ReadonlyMap<Element, Known>,
): ReadonlyMap<string, readonly Element[]> {
  const names = new Set(rows.map(({ row }) => row[3]));
  const own = new Set(rows.map(({ element }) => element));
  const found = new Map<string, Element[]>();
  for (const [element, { row }] of known) {
    if (!row || !names.has(row[3]) || !isBound(row)) continue;
    const key = keyOf(row);
    if (!groups.has(key) || own.has(element) || !isConnected(element)) continue;
    addTo(found, key, element);
  }
  return found;
}
