// The row of one element as it is at this moment, with its number.

import { bindRows } from "../duplicates/bind-rows.js";
import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import type { Row } from "../protocol.js";
import { roleOf } from "../role/role-of.js";
import { interactivityOf } from "../row/interactive.js";
import { makeRow, withRef } from "../row/make-row.js";

export function rowNow(state: PageState, look: Look, element: Element): Row {
  const { book, known } = state;
  const { row, name } = readRow(state, look, element);
  const items = createItemLook(look, book);
  const bindings = bindRows({ items, book, rows: [{ element, row }], others: known });
  const binding = bindings.get(element);
  const { ref } = book.assign(items, element, { role: row[2], name, binding });
  return withRef(row, ref);
}

/** Without a number; with its name, which a row that has none fills up. */
export function readRow({ known }: PageState, look: Look, element: Element) {
  const role = roleOf(element);
  const name = nameOf(look, element, role);
  const isPointer = look.styles.isPointer(element);
  const can = interactivityOf(element, { role, isPointer });
  const depth = known.get(element)?.row?.[1] ?? 0;
  const row = makeRow(look, element, { verdict: { ...can, role, name }, ref: 0, depth });
  return { row, name: name.text };
}
