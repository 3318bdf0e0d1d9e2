// Shows a change: `+` added, `-` removed, `~` changed, `!` event; for a new document, its outline.

import type { ListedElement, MovedElement, PageChange } from "../../../core/browser.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { MAX_CHANGE_CHARS } from "../limits.js";
import {
  describePlace,
  describeRow,
  type LineLimits,
  quote,
  toLine,
  toMovedLines,
} from "./line.js";
import { type Row, toRows } from "./rows.js";
import { showListing } from "./show-listing.js";

const LIMITS: LineLimits = { nameChars: 80, textChars: 160 };

/** Shares of the limit; unused parts go to the others. */
const EVENT_SHARE = 0.4;
const CHANGED_SHARE = 0.4;
const REMOVED_SHARE = 0.2;
const MAX_EVENT_CHARS = 400;
const MAX_REMOVED_LINES = 10;
const FIRST_REMOVED_LINES = 4;
const COUNT_CHARS = 40;

export function showChange(change: PageChange, maxChars = MAX_CHANGE_CHARS) {
  const events = takeEvents(change.events, maxChars);
  const left = maxChars - charsOf(events.lines);
  const shown = change.isNewDocument ? showOutline(change, left) : showDifference(change, left);
  const lines = [...events.lines, ...shown.lines];
  return { text: lines.join("\n"), leftOut: events.leftOut + shown.leftOut };
}

export function showEvents(events: readonly string[], maxChars = MAX_CHANGE_CHARS): string {
  return takeEvents(events, maxChars).lines.join("\n");
}

function takeEvents(events: readonly string[], maxChars: number): Taken {
  return takeLines(
    events.map((event) => `! ${oneLine(event)}`),
    { maxChars: Math.floor(maxChars * EVENT_SHARE), unseen: 0, sign: "!" },
  );
}

/** `t1 "Title" https://…`. */
export function describeTab({ targetId, title, url }: PageChange["tab"]): string {
  const words = [targetId, ...(title === "" ? [] : [quote(oneLine(title))]), oneLine(url)];
  return words.filter((word) => word !== "").join(" ");
}

interface Taken {
  readonly lines: readonly string[];
  readonly leftOut: number;
}

function showOutline({ tab, added, counts }: PageChange, maxChars: number): Taken {
  const head = describeTab(tab);
  const listing = { documentId: "", elements: added, gaps: [], isCut: false };
  const room = maxChars - head.length - 1 - COUNT_CHARS;
  const view = showListing(listing, {
    ...({ format: "ai", isCompact: true, isOutline: true } as const),
    maxChars: room,
  });
  const unseen = guessLines(view.rowsInAll, { listed: added.length, count: counts.added });
  const leftOut = view.rowsInAll - view.rows + unseen;
  const rest = leftOut === 0 ? [] : [sayLeftOut({ leftOut, unseen, sign: "+" })];
  return { lines: [head, ...(view.text === "" ? [] : [view.text]), ...rest], leftOut };
}

function showDifference(change: PageChange, maxChars: number): Taken {
  const { added, removed, counts } = change;
  const { otherwise, came, went } = toDifference(change);
  const first = takeLines(otherwise, {
    maxChars: Math.floor(maxChars * CHANGED_SHARE),
    unseen: Math.max(0, counts.changed - change.changed.length),
    sign: "~",
  });
  const keptForRemoved = Math.min(
    charsOf(went.slice(0, MAX_REMOVED_LINES)),
    Math.floor(maxChars * REMOVED_SHARE),
  );
  const second = takeLines(came, {
    maxChars: maxChars - charsOf(first.lines) - keptForRemoved,
    unseen: guessLines(came.length, { listed: added.length, count: counts.added }),
    sign: "+",
  });
  const isLong = went.length > MAX_REMOVED_LINES;
  const third = takeLines(isLong ? went.slice(0, FIRST_REMOVED_LINES) : went, {
    maxChars: maxChars - charsOf([...first.lines, ...second.lines]),
    lines: went.length,
    unseen: guessLines(went.length, { listed: removed.length, count: counts.removed }),
    sign: "-",
  });
  return {
    lines: [...first.lines, ...second.lines, ...third.lines],
    leftOut: first.leftOut + second.leftOut,
  };
}

/** Moves of changed elements are in their own lines. */
function toDifference({ added, removed, changed, moved = [] }: PageChange) {
  const places = new Map(moved.map((one) => [one.element.ref, one]));
  const whereNow = ({ ref }: ListedElement) => {
    const place = ref === undefined ? undefined : places.get(ref);
    return place === undefined || place.order ? "" : ` (now ${describePlace(place)})`;
  };
  const names = namesOfMoved(moved);
  const changedLines = changed.map(({ from, now }) => {
    const name = now.name || (names.get(now.ref ?? "") ?? "");
    const [row] = toRows([{ ...now, name }], { keep: "all" });
    const was = from === undefined || from === now.ref ? "" : `${from} -> `;
    const what = row === undefined ? now.role : describeRow(row, { limits: LIMITS });
    return `~ ${was}${what}${whereNow(now)}`;
  });
  const rows = toRows(added, { keep: "compact", isParts: true });
  const tops = rows.filter(({ level }) => level === 0).map(({ element }) => element);
  const renewed = findRenewed(tops, removed);
  const came = rows.map((row, position) => {
    const old = renewed.get(row.element);
    const options = { limits: LIMITS, isOpen: rows[position + 1]?.parent === position };
    if (old === undefined) return toLine(row, options).replace(/^( *)- /, "+ $1");
    return `~ ${old.ref} -> ${describeRow(row, options)}${whereNow(row.element)}`;
  });
  const reported = new Set([...changed.map(({ now }) => now.ref), ...added.map(({ ref }) => ref)]);
  const alone = moved.filter(({ element, order }) => order || !reported.has(element.ref));
  return {
    otherwise: [...toMovedLines(alone), ...changedLines],
    came,
    went: describeRemoved(removed, { limits: LIMITS, renewed: new Set(renewed.values()) }),
  };
}

function namesOfMoved(moved: readonly MovedElement[]): ReadonlyMap<string, string> {
  const known = moved.flatMap(({ element, parent, after, order = [] }) => [
    ...[element, parent, after].filter((one) => one !== undefined),
    ...order,
  ]);
  return new Map(known.map(({ ref = "", name }) => [ref, name]));
}

/** Redrawn elements: same role and name as a removed one. */
function findRenewed(
  added: readonly ListedElement[],
  removed: readonly ListedElement[],
): ReadonlyMap<ListedElement, ListedElement> {
  const gone = new Map<string, ListedElement[]>();
  for (const element of removed.filter(isNamed)) {
    const key = keyOf(element);
    gone.set(key, [...(gone.get(key) ?? []), element]);
  }
  return new Map(
    added.filter(isNamed).flatMap((element) => {
      const old = gone.get(keyOf(element))?.shift();
      return old === undefined ? [] : [[element, old] as const];
    }),
  );
}

function isNamed({ ref, name }: ListedElement): boolean {
  return ref !== undefined && name !== "";
}

function keyOf({ role, name, depth }: ListedElement): string {
  return `${depth} ${role} ${name}`;
}

interface Taking {
  readonly maxChars: number;
  readonly lines?: number;
  readonly unseen: number;
  readonly sign: string;
}

function takeLines(lines: readonly string[], taking: Taking): Taken {
  const { maxChars, unseen, sign } = taking;
  const total = (taking.lines ?? lines.length) + unseen;
  const isWhole = total <= lines.length && charsOf(lines) <= maxChars;
  if (isWhole) return { lines, leftOut: 0 };
  const taken: string[] = [];
  let chars = COUNT_CHARS;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    taken.push(line);
  }
  const leftOut = total - taken.length;
  return { lines: [...taken, sayLeftOut({ leftOut, unseen, sign })], leftOut };
}

function guessLines(
  lines: number,
  { listed, count }: { readonly listed: number; readonly count: number },
): number {
  return Math.round((Math.max(0, count - listed) * lines) / Math.max(1, listed));
}

function sayLeftOut(left: {
  readonly leftOut: number;
  readonly unseen: number;
  readonly sign: string;
}): string {
  const count = `${left.unseen > 0 ? "about " : ""}${left.leftOut}`;
  return `${left.sign} … ${count} ${left.sign === "!" ? "more" : "more elements"}`;
}

function charsOf(lines: readonly string[]): number {
  return lines.reduce((chars, line) => chars + line.length + 1, 0);
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= MAX_EVENT_CHARS ? line : `${cutChars(line, MAX_EVENT_CHARS - 1)}…`;
}

interface RemovedOptions {
  readonly limits: LineLimits;
  readonly renewed: ReadonlySet<ListedElement>;
}

function describeRemoved(
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

/** Texts, else names of interactive elements. */
function wordsIn(inside: readonly Row[]): string {
  const wordsOf = (rows: readonly Row[]) =>
    rows
      .map(({ name, text }) => name || text)
      .filter(Boolean)
      .join(" ");
  return wordsOf(inside.filter(({ element }) => !element.isInteractive)) || wordsOf(inside);
}
