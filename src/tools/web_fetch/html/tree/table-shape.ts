// Whether a table holds data or is only there to put things side by side.

import type { Measures } from "./measure.js";
import { at } from "./numbers.js";
import { HTML, isHeading } from "./tags.js";

/** This many nodes are looked at: a table of data shows itself early. */
const MAX_LOOKED_AT = 2_000;
const MAX_CELL_CHARS = 600;

interface Shape {
  rows: number;
  columns: number;
  headCells: number;
  tables: number;
  longCells: number;
}

export function isDataTable(measures: Measures, table: number): boolean {
  const { rows, columns, headCells, tables, longCells } = readShape(measures, table);
  if (columns < 2) return false;
  if (headCells > 0) return tables === 0 || headCells > 1;
  return rows > 1 && tables === 0 && longCells === 0;
}

function readShape({ page, ownChars, blockChildren }: Measures, table: number): Shape {
  const shape = { rows: 0, columns: 0, headCells: 0, tables: 0, longCells: 0 };
  const end = Math.min(at(page.ends, table), table + MAX_LOOKED_AT);
  let inRow = 0;
  let cellChars = 0;
  for (let node = table + 1; node < end; node++) {
    const tag = at(page.tags, node);
    const isCell = tag === HTML.td || tag === HTML.th;
    cellChars = (isCell ? 0 : cellChars) + at(ownChars, node);
    // Much text, several blocks or a heading in a cell are the marks of a page laid out by a table.
    if (cellChars > MAX_CELL_CHARS || isHeading(tag)) shape.longCells++;
    if (tag === HTML.table) {
      shape.tables++;
      node = at(page.ends, node) - 1;
    } else if (tag === HTML.tr) {
      shape.rows++;
      inRow = 0;
    } else if (isCell) {
      if (tag === HTML.th) shape.headCells++;
      else if (at(blockChildren, node) > 2) shape.longCells++;
      shape.columns = Math.max(shape.columns, ++inRow);
    }
  }
  return shape;
}
