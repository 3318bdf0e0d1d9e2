// What went, one line each: under its name, else under the words that stood in it. What went with
// another is only counted, and of many the first are told.

import type { ListedElement } from "../../../core/browser.js";
import { describeRow, type LineLimits } from "./line.js";
import { type Row, toRows } from "./rows.js";

export interface RemovedOptions {
  readonly limits: LineLimits;
  /** Told as drawn anew. */
  readonly renewed: ReadonlySet<ListedElement>;
}

export function describeRemoved(
  removed: readonly ListedElement[],
  { limits, renewed }: RemovedOptions,
): string[] {
  const lines: string[] = [];
  const plain = new Map<ListedElement, ListedElement>(
    removed.map((element) => [{ ...element, states: [] }, element]),
  );
  const rows = toRows([...plain.keys()], { keep: "plain", isParts: true });
  for (const [position, row] of rows.entries()) {
    const element = plain.get(row.element);
    if (row.level > 0 || (element !== undefined && renewed.has(element))) continue;
    const next = rows.findIndex((other, later) => later > position && other.level === 0);
    const inside = rows.slice(position + 1, next === -1 ? rows.length : next);
    const more = inside.length === 0 ? "" : ` (and ${inside.length} in it)`;
    const named = row.name === "" && row.text === "" ? { ...row, name: wordsIn(inside) } : row;
    lines.push(`- ${describeRow(named, { limits })}${more}`);
  }
  return lines;
}

/** Texts say what it was; the names of what can be acted on only when there are none. */
function wordsIn(inside: readonly Row[]): string {
  const wordsOf = (rows: readonly Row[]) =>
    rows
      .map(({ name, text }) => name || text)
      .filter(Boolean)
      .join(" ");
  return wordsOf(inside.filter(({ element }) => !element.isInteractive)) || wordsOf(inside);
}
