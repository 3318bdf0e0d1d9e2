// The short texts that tell the items of a list apart: they come first with what can be acted on,
// for a hundred "Buy" buttons say little without them.

import { isItem } from "./roles.js";
import type { Row } from "./rows.js";

const MAX_CAPTION_CHARS = 80;
/** Of one item. */
const MAX_CAPTIONS = 2;

/** Texts in items that have something to act on, by their position. */
export function findCaptions(rows: readonly Row[]): ReadonlySet<number> {
  const items = rows.map((row, position) =>
    itemOf(rows, isItem(row.element.role) ? position : row.parent),
  );
  const active = new Set(items.filter((_, position) => rows[position]?.element.isInteractive));
  const counts = new Map<number, number>();
  const captions = new Set<number>();
  for (const [position, row] of rows.entries()) {
    const item = items[position] ?? -1;
    if (item < 0 || !active.has(item) || !isCaption(row)) continue;
    const count = (counts.get(item) ?? 0) + 1;
    counts.set(item, count);
    if (count <= MAX_CAPTIONS) captions.add(position);
  }
  return captions;
}

function itemOf(rows: readonly Row[], from: number): number {
  let position = from;
  while (position >= 0 && !isItem(rows[position]?.element.role ?? "")) {
    position = rows[position]?.parent ?? -1;
  }
  return position;
}

function isCaption({ element, name, text }: Row): boolean {
  if (element.isInteractive || isItem(element.role)) return false;
  const chars = name.length + text.length;
  return chars > 0 && chars <= MAX_CAPTION_CHARS;
}
