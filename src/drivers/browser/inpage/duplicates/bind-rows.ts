// Finds rows of equal role and name and binds them to their items.

import { addTo, words } from "../collect.js";
import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import type { Known, PageState } from "../page-state.js";
import { ROW_FLAGS, type Row } from "../protocol.js";
import type { RefBook } from "../refs/ref-book.js";
import { roleOf } from "../roles.js";
import { interactivityOf } from "../row/interactive.js";
import { makeRow, withRef } from "../row/make-row.js";
import { isConnected } from "../tree/clobbered.js";
import { type Binding, bindDuplicates, createItemLook, type ItemLook } from "./binding.js";

/** Their content changes; their surroundings distinguish them. */
const HOLDERS = words(
  "dialog feed figure form grid group list menu menubar radiogroup region rowgroup table tablist tabpanel toolbar tree treegrid",
);
const UNBOUND = words(
  "alert alertdialog application banner blockquote complementary contentinfo document generic log main navigation paragraph search status",
);

const HOLLOW = ".";

export interface RowOf {
  readonly element: Element;
  readonly row: Row;
}

interface BindRows {
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
  return (flags & ROW_FLAGS.interactive) !== 0 || !UNBOUND.has(role);
}

function isHollow([, , role, , , , , flags]: Row): boolean {
  return (flags & ROW_FLAGS.interactive) === 0 && HOLDERS.has(role);
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

export function rowNow(state: PageState, look: Look, element: Element): Row {
  const { book, known } = state;
  const { row, name } = readRow(state, look, element);
  const items = createItemLook(look, book);
  const bindings = bindRows({ items, book, rows: [{ element, row }], others: known });
  const binding = bindings.get(element);
  const { ref } = book.assign(items, element, { role: row[2], name, binding });
  return withRef(row, ref);
}

/** The row has ref 0; the name comes without the hint that fills an empty one. */
export function readRow({ known }: PageState, look: Look, element: Element) {
  const role = roleOf(element);
  const name = nameOf(look, element, role);
  const isPointer = look.styles.isPointer(element);
  const can = interactivityOf(element, { role, isPointer });
  const depth = known.get(element)?.row?.[1] ?? 0;
  const row = makeRow(look, element, { verdict: { ...can, role, name }, ref: 0, depth });
  return { row, name: name.text };
}
