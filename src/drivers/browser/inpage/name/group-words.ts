// What a row of a table belongs to by its place: a cell of an earlier row that reaches down to it, and
// the last row before it that is one cell only.

import type { Look } from "../look.js";
import { remember } from "../remember.js";
import { attributeOf, childrenOf, findIn, tagOf } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { itemText } from "./context.js";

const SPANNING = "[rowspan],[colspan]";
const ROW = "tr";

/** Empty for most. */
export function groupWords(look: Look, row: Element): string {
  const body = parentElementOf(row);
  if (!body || tagOf(row) !== ROW) return "";
  return remember(look.groups, body, () => readGroups(look, body)).get(row) ?? "";
}

function readGroups(look: Look, body: Element): ReadonlyMap<Element, string> {
  const groups = new Map<Element, string>();
  if (!findIn(body, SPANNING)) return groups;
  let title = "";
  let reaching: readonly { readonly text: string; readonly rows: number }[] = [];
  for (const row of childrenOf(body)) {
    if (tagOf(row) !== ROW) continue;
    const cells = [...childrenOf(row)];
    const [only] = cells;
    if (only && cells.length === 1 && spanOf(only, "colspan") > 1) title = itemText(look, only);
    else groups.set(row, [title, ...reaching.map(({ text }) => text)].join(" ").trim());
    const begun = cells.flatMap((cell) => {
      const rows = spanOf(cell, "rowspan");
      return rows > 1 ? [{ text: itemText(look, cell), rows }] : [];
    });
    reaching = [...reaching, ...begun].flatMap(({ text, rows }) =>
      rows > 1 ? [{ text, rows: rows - 1 }] : [],
    );
  }
  return groups;
}

function spanOf(cell: Element, attribute: "rowspan" | "colspan"): number {
  return Number(attributeOf(cell, attribute)) || 1;
}
