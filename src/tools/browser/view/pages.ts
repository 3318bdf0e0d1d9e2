// Splits rows into pages: interactive rows first, each page in document order.

import type { Row } from "./rows.js";

export interface PageRow {
  readonly position: number;
  readonly isContext: boolean;
}

export interface PageLimits {
  readonly maxChars: number;
  readonly maxRows?: number;
  readonly charsOf: (position: number) => number;
  readonly isFirst: (row: Row, position: number) => boolean;
  readonly isOutline?: boolean | undefined;
}

interface OpenPage {
  readonly rows: Map<number, PageRow>;
  chars: number;
  own: number;
}

/** Each row is on exactly one page, apart from repeated context. */
export function cutPages(
  rows: readonly Row[],
  limits: PageLimits,
): readonly (readonly PageRow[])[] {
  const order = inOrder(rows, limits);
  const pages = fillPages(rows, { limits, order });
  if (!limits.isOutline || pages.length === 1) return pages;
  const first = order.filter((position) => limits.isFirst(at(rows, position), position));
  // A page of text only: its beginning.
  return first.length === 0 ? pages : fillPages(rows, { limits, order: first });
}

function fillPages(
  rows: readonly Row[],
  { limits, order }: { readonly limits: PageLimits; readonly order: readonly number[] },
): readonly (readonly PageRow[])[] {
  const placed = new Set<number>();
  const pages: OpenPage[] = [];
  let page = openPage();
  for (const position of order) {
    if (placed.has(position)) continue;
    if (page.own > 0 && !fits(page, { rows, limits, position })) {
      pages.push(page);
      page = openPage();
    }
    addRow(page, { rows, limits, position, placed });
  }
  return [...pages, page].map(({ rows: found }) =>
    [...found.values()].sort((one, other) => one.position - other.position),
  );
}

function openPage(): OpenPage {
  return { rows: new Map(), chars: 0, own: 0 };
}

function inOrder(rows: readonly Row[], { isFirst }: PageLimits): number[] {
  const all = rows.map((_, position) => position);
  const first = new Set(all.filter((position) => isFirst(at(rows, position), position)));
  return [...first, ...all.filter((position) => !first.has(position))];
}

interface Adding {
  readonly rows: readonly Row[];
  readonly limits: PageLimits;
  readonly position: number;
}

function fits(page: OpenPage, adding: Adding): boolean {
  const { limits } = adding;
  const chain = chainOf(page, adding);
  const isRoomForRows = page.own + chain.length <= (limits.maxRows ?? Number.POSITIVE_INFINITY);
  return isRoomForRows && page.chars + sum(chain, limits) <= limits.maxChars;
}

/** The row and its parents that are not on the page yet. */
function chainOf(page: OpenPage, { rows, position }: Adding): number[] {
  const chain: number[] = [];
  for (let next = position; next >= 0; next = at(rows, next).parent) {
    if (!page.rows.has(next)) chain.push(next);
  }
  return chain;
}

function addRow(page: OpenPage, adding: Adding & { readonly placed: Set<number> }): void {
  const { limits, position, placed } = adding;
  const whole = chainOf(page, adding);
  const isTooMuch = page.chars + sum(whole, limits) > limits.maxChars;
  // Parents would fill the page: the row alone.
  for (const one of isTooMuch ? [position] : whole) {
    const isContext = placed.has(one);
    page.rows.set(one, { position: one, isContext });
    page.chars += limits.charsOf(one);
    if (isContext) continue;
    placed.add(one);
    page.own += 1;
  }
}

function sum(chain: readonly number[], { charsOf }: PageLimits): number {
  return chain.reduce((chars, position) => chars + charsOf(position), 0);
}

export function at<Row>(rows: readonly Row[], position: number): Row {
  const row = rows[position];
  if (row === undefined) throw new RangeError(`Row ${position} does not exist.`);
  return row;
}
