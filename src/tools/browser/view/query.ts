// Which rows match a query, and the place of a row in a flat list.

import { cutChars } from "../../../lib/unicode-text.js";
import { quote, wordsOfRow } from "./line.js";
import { isCell, isItem } from "./roles.js";
import type { Row } from "./rows.js";

/** Their name describes the elements inside. */
const GROUPS: ReadonlySet<string> = new Set(["alertdialog", "dialog", "group", "radiogroup"]);
const MAX_ITEM_ROWS = 40;
const MAX_PLACE_CHARS = 48;
const MAX_ROWS_BELOW = 12;

export function createQuery(
  rows: readonly Row[],
  { query, hasUrls = false }: { readonly query?: string | undefined; readonly hasUrls?: boolean },
) {
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const known = new Map<number, string>();
  const saidBy = (position: number): string => {
    const said = known.get(position) ?? readHolder(rows, position);
    known.set(position, said);
    return said;
  };
  return {
    words,
    finds: (position: number) => {
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

function isSaid(
  row: Row,
  { word, hasUrls }: { readonly word: string; readonly hasUrls: boolean },
): boolean {
  const { role, states, url = "" } = row.element;
  if (role === word || states.includes(word)) return true;
  return wordsOfRow(row).includes(word) || (hasUrls && url.toLowerCase().includes(word));
}

function holdersOf(rows: readonly Row[], position: number): readonly number[] {
  const found: number[] = [];
  for (let next = rows[position]?.parent ?? -1; next >= 0; next = rows[next]?.parent ?? -1) {
    const role = rows[next]?.element.role ?? "";
    if (isItem(role) || GROUPS.has(role)) found.push(next);
  }
  return found;
}

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

export function placeOf(rows: readonly Row[], position: number): string {
  const own = rows[position];
  let inCell = "";
  for (let next = own?.parent ?? -1; next >= 0; ) {
    const row = rows[next];
    if (row === undefined) break;
    const words = row.name || row.text || firstWordsBelow(rows, { parent: next, except: position });
    const { role } = row.element;
    const place = words === "" ? "" : `${role} ${quote(shorten(words))}`;
    // Column cells repeat in each row: the row says more.
    if (place !== "" && !isCell(role)) return inCell === "" || isItem(role) ? place : inCell;
    inCell ||= place;
    next = row.parent;
  }
  return inCell;
}

function wordsAround(rows: readonly Row[], position: number): string {
  const words: string[] = [];
  for (let next = rows[position]?.parent ?? -1; next >= 0; next = rows[next]?.parent ?? -1) {
    const row = rows[next];
    if (row === undefined) break;
    const below = firstWordsBelow(rows, { parent: next, except: position });
    words.push(row.element.name, row.text, below);
  }
  return words.join(" ").toLowerCase();
}

function firstWordsBelow(
  rows: readonly Row[],
  { parent, except }: { readonly parent: number; readonly except: number },
): string {
  const top = rows[parent];
  if (top === undefined) return "";
  for (let next = parent + 1; next < rows.length && next <= parent + MAX_ROWS_BELOW; next++) {
    const row = rows[next];
    // Text of one item does not describe the others.
    if (row === undefined || row.level <= top.level || isItem(row.element.role)) break;
    if (next === except || row.element.isInteractive) continue;
    const words = row.name || row.text;
    if (words !== "") return words;
  }
  return "";
}

function shorten(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length <= MAX_PLACE_CHARS ? line : `${cutChars(line, MAX_PLACE_CHARS - 1)}…`;
}
