// The head of the column that a cell of a table or a grid is in: several equal elements in one line
// are distinguished by it alone.

import { remember } from "../remember.js";
import {
  attributeOf,
  childrenOf,
  closestOf,
  elementBefore,
  findIn,
  tagOf,
  textOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { referredBy } from "../tree/references.js";
import { words } from "../words.js";
import type { Contents } from "./content.js";

const ROW_ROLES = words("row grid table treegrid");
const CELL_ROLES = words("cell gridcell");
const GRIDS = "table,[role=table],[role=grid],[role=treegrid]";
const HEADS = "th,[role=columnheader]";
const MAX_HEAD_LINES = 4;
const MAX_LEVELS = 20;
const MAX_COLUMNS = 1_000;

export interface Columns {
  /** The words over an item; undefined: it is in no cell, or nothing is over it. */
  headOf(item: Element): string | undefined;
}

export function createColumns(contents: Contents): Columns {
  const cells = new Map<Element | null, Element | undefined>();
  const grids = new Map<Element, readonly (readonly Element[])[]>();
  const words = new Map<readonly Element[], string>();
  const cellAround = (parent: Element | null): Element | undefined => {
    if (!cells.has(parent)) cells.set(parent, findCell(parent));
    return cells.get(parent);
  };
  const headsOver = (cell: Element): readonly Element[] | undefined => {
    const grid = closestOf(cell, GRIDS);
    if (!grid) return undefined;
    return remember(grids, grid, readHeads)[columnOf(cell)];
  };
  const wordsOf = (heads: readonly Element[]): string =>
    remember(words, heads, () => toWords(heads.map((head) => contents.textOf(head)).join(" ")));
  return {
    headOf: (item) => {
      const cell = isCell(item) ? item : cellAround(parentElementOf(item));
      if (!cell) return undefined;
      const named = referredBy(cell, "headers");
      const heads = named.length > 0 ? named : headsOver(cell);
      return heads && !heads.includes(cell) ? wordsOf(heads) : undefined;
    },
  };
}

function findCell(parent: Element | null): Element | undefined {
  let at = parent;
  for (let level = 0; at && level < MAX_LEVELS && !isLine(at); level += 1) {
    if (isCell(at)) return at;
    at = parentElementOf(at);
  }
  return undefined;
}

/** Arrows that show an order come and go. */
function toWords(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}.,:]+/gu, " ").trim();
}

function isCell(element: Element): boolean {
  const tag = tagOf(element);
  return tag === "td" || tag === "th" || CELL_ROLES.has(attributeOf(element, "role") ?? "");
}

/** Above it is not a cell of the same table. */
function isLine(element: Element): boolean {
  const tag = tagOf(element);
  return tag === "tr" || tag === "table" || ROW_ROLES.has(attributeOf(element, "role") ?? "");
}

function columnOf(cell: Element): number {
  const index = Number(attributeOf(cell, "aria-colindex"));
  if (index > 0) return index - 1;
  let column = 0;
  for (let at = elementBefore(cell); at && column < MAX_COLUMNS; at = elementBefore(at)) {
    column += widthOf(at);
  }
  return column;
}

function widthOf(cell: Element): number {
  const columns = cell instanceof HTMLTableCellElement ? cell.colSpan : 1;
  return Math.min(Math.max(columns, 1), MAX_COLUMNS);
}

/** By column: what is over it, from above. */
function readHeads(grid: Element): readonly (readonly Element[])[] {
  const columns: Element[][] = [];
  for (const line of headLines(grid)) {
    for (const cell of childrenOf(line)) {
      const from = columnOf(cell);
      const to = Math.min(from + widthOf(cell), MAX_COLUMNS);
      for (let at = from; at < to; at += 1) {
        columns[at] ??= [];
        columns[at]?.push(cell);
      }
    }
  }
  return columns;
}

/** Those of a head, else the first line when all in it are heads. */
function headLines(grid: Element): readonly Element[] {
  const head = [...childrenOf(grid)].find((child) => tagOf(child) === "thead");
  if (head) return [...childrenOf(head)].slice(0, MAX_HEAD_LINES);
  const first = findIn(grid, HEADS);
  const line = first && closestOf(first, GRIDS) === grid ? parentElementOf(first) : null;
  const isAllHeads = line && [...childrenOf(line)].every((cell) => isHead(cell) || isBlank(cell));
  return line && isAllHeads ? [line] : [];
}

function isHead(cell: Element): boolean {
  const role = attributeOf(cell, "role");
  return role ? role === "columnheader" : tagOf(cell) === "th";
}

function isBlank(cell: Element): boolean {
  return (textOf(cell) ?? "").trim() === "";
}
