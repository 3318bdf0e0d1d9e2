// Shows a listing: which rows, in which form, and which page of them.

import type { ListedElement, PageListing } from "../../../core/browser.js";
import { isShortened, type LineOptions, SHORT, toLine, WHOLE } from "./line.js";
import { at, cutPages, type PageRow } from "./pages.js";
import { createQuery, placeOf } from "./query.js";
import { isItem, isLandmark } from "./roles.js";
import { type Row, toRows } from "./rows.js";

const MAX_CAPTION_CHARS = 80;
const MAX_CAPTIONS = 2;
const CHARS_PER_TOKEN = 4;
const LINE_EXTRA_CHARS = 2;

export interface ViewRequest {
  readonly format: "ai" | "aria";
  readonly isInteractive?: boolean;
  readonly isCompact?: boolean;
  readonly depth?: number | undefined;
  readonly query?: string | undefined;
  readonly page?: number | undefined;
  readonly maxChars: number;
  readonly maxRows?: number;
  readonly hasUrls?: boolean;
  /** If not all fits: only interactive elements, headings and captions. */
  readonly isOutline?: boolean;
  readonly isWhole?: boolean;
}

export type ListingView = ReturnType<typeof showListing>;

interface Shown {
  readonly row: Row;
  readonly options: LineOptions;
}

export function showListing(listing: PageListing, request: ViewRequest) {
  const all = toRows(listing.elements, { keep: keepOf(request) });
  const reached = request.depth === undefined ? all : withinDepth(all, request.depth);
  const chosen = chooseRows(reached, { request, elements: listing.elements });
  const { maxChars, maxRows } = request;
  const chars = chosen.map(({ row, options }) => toLine(row, options).length + LINE_EXTRA_CHARS);
  const rows = chosen.map(({ row }) => row);
  const captions = findCaptions(rows);
  const pages = cutPages(rows, {
    maxChars,
    ...(maxRows === undefined ? {} : { maxRows }),
    charsOf: (position) => chars[position] ?? 0,
    isFirst: (row, position) =>
      row.element.isInteractive ||
      isLandmark(row.element.role) ||
      captions.has(position) ||
      isHeadOfTable(row),
    isOutline: request.isOutline,
  });
  const page = Math.min(Math.max(request.page ?? 1, 1), pages.length);
  const onPage = pages[page - 1] ?? [];
  const lines = writeLines(chosen, onPage);
  const own = onPage.flatMap(({ position, isContext }) => (isContext ? [] : at(chosen, position)));
  const shown = own.flatMap(({ row }) => [row.element, ...row.folded]);
  return {
    text: lines.join("\n"),
    stats: countStats(lines, shown),
    shown,
    page,
    pages: pages.length,
    rows: own.length,
    rowsInAll: chosen.length,
    interactiveInAll: chosen.filter(({ row }) => row.element.isInteractive).length,
    deeper: all.length - reached.length,
    shortened: own.filter(({ row, options }) => isShortened(row, options.limits)).length,
    ...(request.query === undefined ? {} : { matchCount: chosen.length }),
  };
}

function isHeadOfTable({ element, folded }: Row): boolean {
  return element.role === "row" && folded.some(({ role }) => role === "columnheader");
}

function keepOf({ format, isCompact }: ViewRequest): "all" | "plain" | "compact" {
  if (format === "aria") return "all";
  return isCompact ? "compact" : "plain";
}

/** Parents come before children, so their new positions are known. */
function withinDepth(rows: readonly Row[], depth: number): readonly Row[] {
  const kept = new Map<number, number>();
  const left: Row[] = [];
  for (const [position, row] of rows.entries()) {
    if (row.level > depth) continue;
    kept.set(position, left.length);
    left.push({ ...row, parent: kept.get(row.parent) ?? -1 });
  }
  return left;
}

interface Choosing {
  readonly request: ViewRequest;
  readonly elements: readonly ListedElement[];
}

function chooseRows(rows: readonly Row[], { request, elements }: Choosing): readonly Shown[] {
  const { isInteractive = false, hasUrls = false, isWhole = false } = request;
  const { words, finds } = createQuery(rows, request);
  const base: LineOptions = {
    limits: isWhole ? WHOLE : SHORT,
    hasUrls,
    // If everything is new, the mark is useless.
    marksNew: elements.some(({ isNew }) => !isNew),
    words,
  };
  const isFlat = isInteractive || words.length > 0;
  if (!isFlat) return rows.map((row) => ({ row, options: base }));
  const chosen = rows.flatMap((row, position) => {
    const isWanted = !isInteractive || row.element.isInteractive;
    return isWanted && finds(position) ? [{ row, position }] : [];
  });
  const counts = countNames(chosen.map(({ row }) => row));
  return chosen.map(({ row, position }) => {
    const needsPlace = words.length > 0 || row.name === "" || (counts.get(nameKey(row)) ?? 0) > 1;
    const place = needsPlace ? placeOf(rows, position) : "";
    return { row: asLone(row), options: { ...base, place } };
  });
}

function asLone(row: Row): Row {
  const name = row.name === "" && row.text === "" ? row.element.name : row.name;
  return { ...row, name, parent: -1, level: 0 };
}

function countNames(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(nameKey(row), (counts.get(nameKey(row)) ?? 0) + 1);
  return counts;
}

function nameKey({ element, name }: Row): string {
  return `${element.role} ${name}`;
}

function writeLines(chosen: readonly Shown[], onPage: readonly PageRow[]): string[] {
  const open = new Set(onPage.map(({ position }) => at(chosen, position).row.parent));
  return onPage.map(({ position, isContext }) => {
    const { row, options } = at(chosen, position);
    return toLine(row, { ...options, isContext, isOpen: open.has(position) });
  });
}

function countStats(lines: readonly string[], shown: readonly ListedElement[]) {
  const chars = lines.join("\n").length;
  return {
    lines: lines.length,
    chars,
    refs: shown.filter(({ ref }) => ref !== undefined).length,
    interactive: shown.filter(({ isInteractive }) => isInteractive).length,
    tokens: Math.ceil(chars / CHARS_PER_TOKEN),
  };
}

function findCaptions(rows: readonly Row[]): ReadonlySet<number> {
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
