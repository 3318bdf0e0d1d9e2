// One row as a line: `- button "Save" [ref=e12] [disabled]: text`.

import type { ListedElement, MovedElement } from "../../../core/browser.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { isPressed } from "./roles.js";
import type { Row } from "./rows.js";

const INDENT = "  ";
const MAX_INDENTS = 12;
const MAX_STATES_CHARS = 120;
const POINTER = "cursor=pointer";
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
export const SHORT: LineLimits = { nameChars: 120, textChars: 300 };
export const WHOLE: LineLimits = { nameChars: 1_000, textChars: 4_000 };
const MAX_NAME_CHARS = 40;

export interface LineLimits {
  readonly nameChars: number;
  readonly textChars: number;
}

export interface LineOptions {
  readonly limits: LineLimits;
  readonly hasUrls?: boolean;
  /** `[new]` where it says something. */
  readonly marksNew?: boolean;
  readonly isContext?: boolean;
  readonly isOpen?: boolean;
  readonly place?: string;
  /** A cut keeps one of these words visible. */
  readonly words?: readonly string[];
}

export function toLine(row: Row, options: LineOptions): string {
  const indent = INDENT.repeat(Math.min(row.level, MAX_INDENTS));
  return `${indent}- ${describeRow(row, options)}`;
}

export function describeRow(row: Row, options: LineOptions): string {
  const { limits, words = [], place = "", isContext = false, isOpen = false } = options;
  const name = cutAround(tidy(row.name), { maxChars: limits.nameChars, words });
  const text = cutAround(tidy(row.text), { maxChars: limits.textChars, words });
  const parts = [
    row.element.role,
    ...(name === "" ? [] : [quote(name)]),
    ...(isContext ? [] : listMarks(row, options)),
    ...(place === "" ? [] : [`(in ${place})`]),
  ];
  const end = isOpen ? ":" : "";
  // A repeated row is identified by its name, else by its text.
  const shown = isContext && name !== "" ? "" : text;
  return `${parts.join(" ")}${shown === "" ? end : `: ${shown}`}`;
}

export function isShortened({ name, text }: Row, limits: LineLimits): boolean {
  return tidy(name).length > limits.nameChars || tidy(text).length > limits.textChars;
}

export function wordsOfRow({ element, name, text, folded }: Row): string {
  const { name: whole, value = "" } = element;
  const further = folded.map((one) => one.name);
  return tidy([name, whole, text, value, ...further].join(" ")).toLowerCase();
}

function listMarks({ element, count }: Row, { hasUrls, marksNew }: LineOptions): string[] {
  const { ref, states, url, isNew, role } = element;
  const shown = states.filter((state) => state !== POINTER || !isPressed(role));
  const marks = shown.map((state) => `[${tidy(state)}]`).join(" ");
  return [
    ...(ref === undefined ? [] : [`[ref=${ref}]`]),
    ...(marks === "" ? [] : [cutChars(marks, MAX_STATES_CHARS)]),
    ...(isNew && marksNew ? ["[new]"] : []),
    ...(count > 1 ? [`(×${count})`] : []),
    ...(hasUrls && url !== undefined ? [`[url=${cutChars(tidy(url), SHORT.textChars)}]`] : []),
  ];
}

/** Quotes inside cannot end the name. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
}

function tidy(text: string): string {
  if (PLAIN.test(text)) return text;
  return toPrintable(text.replace(/\s+/g, " ").trim(), Number.POSITIVE_INFINITY);
}

function cutAround(
  text: string,
  { maxChars, words }: { readonly maxChars: number; readonly words: readonly string[] },
): string {
  if (text.length <= maxChars) return text;
  const folded = text.toLowerCase();
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  if (first + (words[0]?.length ?? 0) < maxChars) return `${cutChars(text, maxChars - 1)}…`;
  const start = Math.max(0, first - Math.floor(maxChars / 4));
  const part = text.slice(start).replace(/^[\uDC00-\uDFFF]/, "");
  const end = part.length > maxChars - 2 ? "…" : "";
  return `…${cutChars(part, maxChars - 2)}${end}`;
}

export function toMovedLines(moved: readonly MovedElement[]): string[] {
  return moved.map((one) => {
    const { element, order } = one;
    if (order === undefined)
      return `~ ${describeElement(element)} moved: now ${describePlace(one)}`;
    const names = order.map((each) => describeShort(each)).join(", ");
    return `~ ${describeElement(element)} in another order: ${names}`;
  });
}

/** `in list "Done", after listitem "Card B"`. */
export function describePlace({ parent, after }: MovedElement): string {
  const where = parent === undefined ? "" : `in ${describeElement(parent)}, `;
  return `${where}${after === undefined ? "first" : `after ${describeElement(after)}`}`;
}

export function describeElement(element: ListedElement): string {
  const { ref, role, name } = element;
  return [
    role,
    ...(name === "" ? [] : [quote(short(name))]),
    ...(ref ? [`[ref=${ref}]`] : []),
  ].join(" ");
}

function describeShort({ ref, role, name }: ListedElement): string {
  return [ref ?? role, ...(name === "" ? [] : [quote(short(name))])].join(" ");
}

function short(name: string): string {
  const line = name.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= MAX_NAME_CHARS ? line : `${cutChars(line, MAX_NAME_CHARS - 1)}…`;
}
