// The month that a calendar shows: its days are called by numbers alone, which are the same in every
// month. Wherever the month is: in a title, a button, a list to choose from, the name of the grid.

import { eachNode } from "../duplicates/each-node.js";
import type { Look } from "../look.js";
import { remember } from "../remember.js";
import { attributeOf, isElement, isInput, isSelect, page } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

const DAY = /^\s*(?:[1-9]|[12]\d|3[01])\s*$/u;
/** Fewer are a row of pages, say. */
const MIN_DAYS = 25;
const MAX_DAY_LEVELS = 6;
const MAX_TITLE_LEVELS = 3;
const MAX_NODES = 700;
const MONTHS = 12;
const LANGUAGE = /^[a-z]{2,3}(?=-|$)/iu;
/** Names, years, months as numbers next to a year or before the sign for a month. */
const TOKENS =
  /\p{L}[\p{L}\p{M}]*|\b(?:19|20)\d\d\b(?:\s*[-/.]\s*\d\d?\b)?|\d\d?\s*(?:[-/.]\s*(?:19|20)\d\d\b|(?=[月월]))/gu;

export function isDayName(name: string): boolean {
  return name.length <= 2 && DAY.test(name);
}

/** Of what is called by a number. Empty for what is not a day of a calendar, or when nothing says the month. */
export function monthShown(look: Look, element: Element): string {
  let at = parentElementOf(element);
  for (let level = 0; at && level < MAX_DAY_LEVELS; level += 1) {
    const month = remember(look.months, at, readMonth);
    if (month !== null) return month;
    at = parentElementOf(at);
  }
  return "";
}

/** null: these are not days of a month. */
function readMonth(grid: Element): string | null {
  let days = 0;
  let left = MAX_NODES;
  eachNode(grid, (node) => {
    left -= 1;
    if (!isElement(node) && DAY.test(node.nodeValue ?? "")) days += 1;
    return left > 0 ? true : undefined;
  });
  if (days < MIN_DAYS) return null;
  const names = monthNames();
  let at: Element | null = grid;
  for (let level = 0; at && level <= MAX_TITLE_LEVELS; level += 1) {
    const found = monthsIn(at, names);
    if (found) return found;
    at = parentElementOf(at);
  }
  return "";
}

function monthsIn(box: Element, names: ReadonlyMap<string, number>): string {
  const found = new Set<string>();
  let left = MAX_NODES;
  eachNode(box, (node) => {
    left -= 1;
    const text = isElement(node) ? shownBy(node) : (node.nodeValue ?? "");
    for (const token of text.toLowerCase().match(TOKENS) ?? []) {
      const month = names.get(token);
      if (month !== undefined) found.add(`m${month}`);
      else if (/\d/u.test(token)) found.add(token.replace(/\s/gu, ""));
    }
    if (left <= 0) return undefined;
    // Of a list only what is chosen.
    return !(isElement(node) && isSelect(node));
  });
  return [...found].sort().join(" ");
}

function shownBy(element: Element): string {
  if (isSelect(element)) return element.selectedOptions[0]?.text ?? "";
  if (isInput(element)) return element.value;
  const role = attributeOf(element, "role");
  return role === "grid" || role === "group" ? (attributeOf(element, "aria-label") ?? "") : "";
}

/** In the language of the page, of the browser, and in English. */
function monthNames(): ReadonlyMap<string, number> {
  const root = page.root();
  const names = new Map<string, number>();
  for (const language of [root && attributeOf(root, "lang"), navigator.language, "en"]) {
    // What a page says of its language may be anything.
    const [known] = LANGUAGE.exec(language ?? "") ?? [];
    if (known) addNames(names, known);
  }
  return names;
}

function addNames(names: Map<string, number>, language: string): void {
  for (const month of ["long", "short"] as const) {
    const { format } = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
    for (let at = 0; at < MONTHS; at += 1) {
      names.set(
        format(Date.UTC(2026, at, 15))
          .toLowerCase()
          .replace(".", ""),
        at + 1,
      );
    }
  }
}
