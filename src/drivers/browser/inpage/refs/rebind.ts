// A listed element that the page redrew is found again: other elements of its role and name, listed or not,
// and those among them in a row with the same words.

import { bindRows } from "../duplicates/bind-rows.js";
import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import { roleOf } from "../role/role-of.js";
import { isDrawn, page } from "../tree/clobbered.js";
import { ACTED_ON, DRAWN } from "./acted-on.js";
import { isStill } from "./is-still.js";
import type { RefRecord } from "./ref-book.js";
import { readRow } from "./row-now.js";

const MAX_EQUAL = 500;

export interface Rebound {
  /** In a row of the same words, or alone in the same surroundings. */
  readonly same: readonly Element[];
  /** Of its role and name, in the order of the page. */
  readonly equal: readonly Element[];
}

export function findRebound(state: PageState, look: Look, record: RefRecord): Rebound {
  const { book, known } = state;
  const equal = findEqual(look, record);
  const items = createItemLook(look, book);
  const before = record.binding;
  if (!before) {
    const now = { role: record.role, name: record.name };
    return { same: equal.filter((each) => isStill(items, each, { known: record, now })), equal };
  }
  const rows = equal.map((element) => ({ element, row: readRow(state, look, element).row }));
  const bindings = bindRows({ items, book, rows, others: known });
  const words = equal.filter((each) => bindings.get(each)?.base === before.base);
  const whole = words.filter((each) => bindings.get(each)?.full === before.full);
  return { same: whole.length > 0 ? whole : words, equal };
}

function findEqual(look: Look, { role, name }: RefRecord): readonly Element[] {
  // Names have a limit of work for each question, which is not used up here.
  const apart = { ...look };
  return [...page.findAll(ACTED_ON)]
    .filter((each) => roleOf(each) === role && nameOf(apart, each, role).text === name)
    .filter((each) => isDrawn(each, DRAWN))
    .slice(0, MAX_EQUAL);
}
