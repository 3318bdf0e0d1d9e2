// Where a row of a flat list is, in a few words: needed to tell ten "Delete" buttons apart.

import { cutChars } from "../../../lib/unicode-text.js";
import { quote } from "./line.js";
import { isCell, isItem } from "./roles.js";
import type { Row } from "./rows.js";

const MAX_PLACE_CHARS = 48;
/** Rows below a parent that are looked at for its first text. */
const MAX_ROWS_BELOW = 12;

/** `row "Alice"`; empty when nothing around it has words of its own. */
export function placeOf(rows: readonly Row[], position: number): string {
  const own = rows[position];
  let inCell = "";
  for (let next = own?.parent ?? -1; next >= 0; ) {
    const row = rows[next];
    if (row === undefined) break;
    const words = row.name || row.text || firstWordsBelow(rows, { parent: next, except: position });
    const { role } = row.element;
    const place = words === "" ? "" : `${role} ${quote(shorten(words))}`;
    // Cells of a column say the same in each row: the row says more.
    if (place !== "" && !isCell(role)) return inCell === "" || isItem(role) ? place : inCell;
    inCell ||= place;
    next = row.parent;
  }
  return inCell;
}

/** All that the row and those around it say, to hold a query against. */
export function wordsAround(rows: readonly Row[], position: number): string {
  const words: string[] = [];
  for (let next = rows[position]?.parent ?? -1; next >= 0; next = rows[next]?.parent ?? -1) {
    const row = rows[next];
    if (row === undefined) break;
    const below = firstWordsBelow(rows, { parent: next, except: position });
    words.push(row.element.name, row.text, below);
  }
  return words.join(" ").toLowerCase();
}

function firstWordsBelow(
  rows: readonly Row[],
  { parent, except }: { readonly parent: number; readonly except: number },
): string {
  const top = rows[parent];
  if (top === undefined) return "";
  for (let next = parent + 1; next < rows.length && next <= parent + MAX_ROWS_BELOW; next++) {
    const row = rows[next];
    // What one of several says is not said of the others.
    if (row === undefined || row.level <= top.level || isItem(row.element.role)) break;
    if (next === except || row.element.isInteractive) continue;
    const words = row.name || row.text;
    if (words !== "") return words;
  }
  return "";
}

function shorten(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length <= MAX_PLACE_CHARS ? line : `${cutChars(line, MAX_PLACE_CHARS - 1)}…`;
}
