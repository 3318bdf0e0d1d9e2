// The column header of a cell, and the group of a table row.
import { remember, words } from "../collect.js";
import type { Look } from "../look.js";
import { itemText } from "../name/context.js";
import * as dom from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { referredBy } from "../tree/find.js";
import type { Contents } from "./content.js";

const ROW_ROLES = words("row grid table treegrid");
const CELL_ROLES = words("cell gridcell");
const GRIDS = "table,[role=table],[role=grid],[role=treegrid]";
const HEADS = "th,[role=columnheader]";
const MAX_HEAD_LINES = 4;
const MAX_LEVELS = 20;
const MAX_COLUMNS = 1_000;
const SPANNING = "[rowspan],[colspan]";
const ROW = "tr";

export function createColumns(contents: Contents) {
  const cells = new Map<Element | null, Element | undefined>();
  const grids = new Map<Element, readonly (readonly Element[])[]>();
  const words = new Map<readonly Element[], string>();
  const cellAround = (parent: Element | null): Element | undefined => {
    if (!cells.has(parent)) cells.set(parent, findCell(parent));
    return cells.get(parent);
  };
  const headsOver = (cell: Element): readonly Element[] | undefined => {
    const grid = dom.closestOf(cell, GRIDS);
    if (!grid) return undefined;
    return remember(grids, grid, readHeads)[columnOf(cell)];
  };
  const wordsOf = (heads: readonly Element[]): string =>
    remember(words, heads, () => toWords(heads.map((head) => contents.textOf(head)).join(" ")));
  return {
    /** undefined: not in a cell, or no header above. */
    headOf: (item: Element) => {
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

function toWords(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}.,:]+/gu, " ").trim();
}

function isCell(element: Element): boolean {
  const tag = dom.tagOf(element);
  return tag === "td" || tag === "th" || CELL_ROLES.has(dom.attributeOf(element, "role") ?? "");
}

/** The row or table around a cell. */
function isLine(element: Element): boolean {
  const tag = dom.tagOf(element);
  return tag === "tr" || tag === "table" || ROW_ROLES.has(dom.attributeOf(element, "role") ?? "");
}

function columnOf(cell: Element): number {
  const index = Number(dom.attributeOf(cell, "aria-colindex"));
  if (index > 0) return index - 1;
  let column = 0;
  for (let at = dom.elementBefore(cell); at && column < MAX_COLUMNS; at = dom.elementBefore(at)) {
    column += widthOf(at);
  }
  return column;
}

function widthOf(cell: Element): number {
  const columns = cell instanceof HTMLTableCellElement ? cell.colSpan : 1;
  return Math.min(Math.max(columns, 1), MAX_COLUMNS);
}

function readHeads(grid: Element): readonly (readonly Element[])[] {
  const columns: Element[][] = [];
  for (const line of headLines(grid)) {
    for (const cell of dom.childrenOf(line)) {
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

/** The rows of the head, else a first row of headers only. */
function headLines(grid: Element): readonly Element[] {
  const head = [...dom.childrenOf(grid)].find((child) => dom.tagOf(child) === "thead");
  if (head) return [...dom.childrenOf(head)].slice(0, MAX_HEAD_LINES);
  const first = dom.findIn(grid, HEADS);
  const line = first && dom.closestOf(first, GRIDS) === grid ? parentElementOf(first) : null;
  const isAllHeads =
    line && [...dom.childrenOf(line)].every((cell) => isHead(cell) || isBlank(cell));
  return line && isAllHeads ? [line] : [];
}

function isHead(cell: Element): boolean {
  const role = dom.attributeOf(cell, "role");
  return role ? role === "columnheader" : dom.tagOf(cell) === "th";
}

function isBlank(cell: Element): boolean {
  return (dom.textOf(cell) ?? "").trim() === "";
}

export function groupWords(look: Look, row: Element): string {
  const body = parentElementOf(row);
  if (!body || dom.tagOf(row) !== ROW) return "";
  return remember(look.groups, body, () => readGroups(look, body)).get(row) ?? "";
}

function readGroups(look: Look, body: Element): ReadonlyMap<Element, string> {
  const groups = new Map<Element, string>();
  if (!dom.findIn(body, SPANNING)) return groups;
  let title = "";
  let reaching: readonly { readonly text: string; readonly rows: number }[] = [];
  for (const row of dom.childrenOf(body)) {
    if (dom.tagOf(row) !== ROW) continue;
    const cells = [...dom.childrenOf(row)];
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
  return Number(dom.attributeOf(cell, attribute)) || 1;
}
