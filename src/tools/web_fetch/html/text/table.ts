// A table of data while it is gathered cell by cell, and as Markdown or plain text.

import type { Measures } from "../tree/measure.js";
import { at, HTML, isHeading } from "../tree/tags.js";

const MAX_COLUMNS = 200;
const MAX_FILLED_COLUMNS = 60;
const MAX_CELLS = 100_000;

interface Span {
  readonly columns: number;
  readonly rows: number;
}

export type Table = ReturnType<typeof createTable>;

export function createTable() {
  const rows: string[][] = [];
  let taken: number[] = [];
  let row: string[] | undefined;
  let cellCount = 0;
  let leftOut = 0;
  const skipTaken = (into: string[]) => {
    while ((taken[into.length] ?? 0) > 0 && into.length < MAX_FILLED_COLUMNS) {
      taken[into.length] = (taken[into.length] ?? 0) - 1;
      into.push("");
    }
  };
  return {
    beginRow(): void {
      row = [];
      rows.push(row);
      skipTaken(row);
    },
    addCell(text: string, span: Span): void {
      if (row === undefined) {
        row = [];
        rows.push(row);
      }
      if (cellCount > MAX_CELLS || row.length >= MAX_COLUMNS) {
        if (text !== "") leftOut++;
        return;
      }
      for (let column = 0; column < span.columns; column++) {
        if (column > 0 && row.length >= MAX_FILLED_COLUMNS) break;
        cellCount++;
        if (span.rows > 1) taken[row.length] = span.rows - 1;
        row.push(column === 0 ? text : "");
      }
      skipTaken(row);
    },
    write(mode: "markdown" | "text"): string {
      taken = [];
      const filled = rows.filter((cells) => cells.some((cell) => cell !== ""));
      const rest = leftOut === 0 ? "" : `\n\n[${leftOut} further cells are left out.]`;
      const text =
        mode === "text" ? filled.map((cells) => cells.join(" | ")).join("\n") : toMarkdown(filled);
      return text + rest;
    },
  };
}

/** Markdown wants a first row for the heads, so the first one is taken for it. */
function toMarkdown(rows: readonly string[][]): string {
  const [head, ...body] = rows;
  if (head === undefined) return "";
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  // Many short rows below a wide one would grow without end.
  const filled = Math.min(width, MAX_FILLED_COLUMNS);
  const line = (cells: readonly string[]) => {
    const length = Math.max(cells.length, filled);
    const padded = Array.from({ length }, (_, index) => toCell(cells[index] ?? ""));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = `|${" --- |".repeat(width)}`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function toCell(text: string): string {
  return toOneLine(text).replaceAll("|", "\\|");
}

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

export function toOneLine(text: string): string {
  if (!text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
