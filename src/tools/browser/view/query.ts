// Which rows of a view a query finds: those with all its words, in themselves or in what they stand in.

import { wordsOfRow } from "./line.js";
import { wordsAround } from "./place.js";
import { isItem } from "./roles.js";
import type { Row } from "./rows.js";

/** As of items: what can be acted on in them is about what their name says. */
const GROUPS: ReadonlySet<string> = new Set(["alertdialog", "dialog", "group", "radiogroup"]);
/** Rows of an item that are read. */
const MAX_ITEM_ROWS = 40;

export interface Query {
  readonly words: readonly string[];
  /** Of the row at this position. */
  finds(position: number): boolean;
}

export function createQuery(
  rows: readonly Row[],
  { query, hasUrls = false }: { readonly query?: string | undefined; readonly hasUrls?: boolean },
): Query {
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const known = new Map<number, string>();
  const saidBy = (position: number): string => {
    const said = known.get(position) ?? readHolder(rows, position);
    known.set(position, said);
    return said;
  };
  return {
    words,
    finds: (position) => {
      const row = rows[position];
      if (words.length === 0 || row === undefined) return true;
      const own = words.filter((word) => isSaid(row, { word, hasUrls }));
      if (own.length === words.length) return true;
      const isActive = row.element.isInteractive;
      const holders = isActive ? holdersOf(rows, position).map(saidBy) : [];
      if (holders.some((said) => words.every((word) => said.includes(word)))) return true;
      if (own.length === 0) return false;
      const around = [wordsAround(rows, position), ...holders].join(" ");
      return words.every((word) => own.includes(word) || around.includes(word));
    },
  };
}

/** Names, texts and values hold the word; of roles and marks it is the whole. */
function isSaid(
  row: Row,
  { word, hasUrls }: { readonly word: string; readonly hasUrls: boolean },
): boolean {
  const { role, states, url = "" } = row.element;
  if (role === word || states.includes(word)) return true;
  return wordsOfRow(row).includes(word) || (hasUrls && url.toLowerCase().includes(word));
}

/** The items and groups around a row, the innermost first. */
function holdersOf(rows: readonly Row[], position: number): readonly number[] {
  const found: number[] = [];
  for (let next = rows[position]?.parent ?? -1; next >= 0; next = rows[next]?.parent ?? -1) {
    const role = rows[next]?.element.role ?? "";
    if (isItem(role) || GROUPS.has(role)) found.push(next);
  }
  return found;
}

/** Of a group its name; of an item all its texts, and the link that it may begin with. */
function readHolder(rows: readonly Row[], position: number): string {
  const top = rows[position];
  if (top === undefined) return "";
  const said = [wordsOfRow(top)];
  if (GROUPS.has(top.element.role)) return said.join(" ");
  for (let next = position + 1; next < rows.length && next <= position + MAX_ITEM_ROWS; next++) {
    const row = rows[next];
    if (row === undefined || row.level <= top.level) break;
    const { isInteractive, role } = row.element;
    const isTitle = next === position + 1 && role === "link";
    if (isTitle || !isInteractive) said.push(wordsOfRow(row));
  }
  return said.join(" ");
}
