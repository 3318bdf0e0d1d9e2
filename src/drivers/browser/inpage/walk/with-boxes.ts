// A listing with boxes too: a second walk, of which nothing is noted, so changes are reported as ever.

import { createItemLook } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import type { PageState } from "../page-state.js";
import type { Row } from "../protocol.js";
import { withPart, withRef } from "../row/make-row.js";
import type { Sink } from "./walk.js";
import { type WalkedRoots, walkRoot } from "./walk-root.js";

/** Texts have 0. */
const NO_REF = -1;

export interface BoxesOptions {
  readonly state: PageState;
  readonly look: Look;
  readonly options: WalkedRoots & { readonly maxElements: number };
  readonly roots: readonly Element[];
}

/** `listed`: what the walk before has reported, with numbers. */
export function addBoxes(
  listed: readonly Row[],
  { state, look, options, roots }: BoxesOptions,
): { readonly rows: readonly Row[]; readonly isCut: boolean } {
  const { book, known } = state;
  const { maxElements } = options;
  const items = createItemLook(look, book);
  const byRef = new Map(listed.map((row) => [row[0], row]));
  const rows: Row[] = [];
  const nothing = () => undefined;
  const sink: Sink = {
    row: (element, row, name) => {
      const before = byRef.get(known.get(element)?.row?.[0] ?? NO_REF);
      const numbered =
        before ?? withRef(row, book.assign(items, element, { role: row[2], name }).ref);
      rows.push(withPart(numbered, 1, row[1]));
    },
    plain: (_, row) => rows.push(row),
    shadow: nothing,
    closed: nothing,
    isFull: () => rows.length > maxElements,
  };
  const at = { state, look: { ...look, withBoxes: true }, sink, options };
  for (const root of roots) walkRoot(root, at);
  return { rows: rows.slice(0, maxElements), isCut: rows.length > maxElements };
}
