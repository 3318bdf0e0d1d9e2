// The row of one element as it is at this moment, with its number.

import type { Look } from "../look.js";
import { contextOf } from "../name/context.js";
import { nameOf } from "../name/name-of.js";
import type { PageState } from "../page-state.js";
import type { Row } from "../protocol.js";
import { roleOf } from "../role/role-of.js";
import { interactivityOf } from "../row/interactive.js";
import { makeRow } from "../row/make-row.js";

export function rowNow(state: PageState, look: Look, element: Element): Row {
  const role = roleOf(element);
  const name = nameOf(look, element, role);
  const isPointer = look.styles.isPointer(element);
  const can = interactivityOf(element, { role, isPointer });
  const context = contextOf(look, element);
  const { ref } = state.book.assign(element, { role, name: name.text, context });
  const depth = state.known.get(element)?.row?.[1] ?? 0;
  return makeRow(look, element, { verdict: { ...can, role, name }, ref, depth });
}
