// What happened on a page, in a few lines: `+` came, `-` went, `~` is otherwise now, `!` happened.
// Of another document its outline. Within a bound; how many are not shown is said.

import type { ListedElement, PageChange } from "../../../core/browser.js";
import { MAX_CHANGE_CHARS } from "../limits.js";
import { describeRow, type LineLimits, quote, toLine } from "./line.js";
import { isLandmark, isNamedByContent } from "./roles.js";
import { toRows } from "./rows.js";

const LIMITS: LineLimits = { nameChars: 80, textChars: 160 };
/** Of the bound, for each kind of line; what one does not need is left to the others. */
const EVENT_SHARE = 0.4;
const CHANGED_SHARE = 0.4;
const REMOVED_SHARE = 0.2;
const MAX_EVENT_CHARS = 400;
/** For the lines that say how many are left out. */
const COUNT_CHARS = 40;

export interface ChangeView {
  /** Empty when nothing happened. */
  readonly text: string;
  /** Elements that are not shown. */
  readonly leftOut: number;
}

export function showChange(change: PageChange, maxChars = MAX_CHANGE_CHARS): ChangeView {
  const events = takeLines(
    change.events.map((event) => `! ${oneLine(event)}`),
    { maxChars: Math.floor(maxChars * EVENT_SHARE), total: change.events.length, sign: "!" },
  );
  const left = maxChars - charsOf(events.lines);
  const told = change.isNewDocument ? showOutline(change, left) : showDifference(change, left);
  const lines = [...events.lines, ...told.lines];
  return { text: lines.join("\n"), leftOut: events.leftOut + told.leftOut };
}

/** `t1 "Title" https://…`, as tabs and answers name a page. */
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
  const room = maxChars - head.length - 1;
  const all = toOutlineLines(added);
  const isWhole = counts.added <= added.length && charsOf(all) <= room;
  const picked = isWhole ? added : added.filter(isOutlined);
  const lines = isWhole ? all : toOutlineLines(picked);
  const total = isWhole ? lines.length : lines.length + counts.added - picked.length;
  const taken = takeLines(lines, { maxChars: room, total, sign: "+" });
  return { lines: [head, ...taken.lines], leftOut: taken.leftOut };
}

function toOutlineLines(elements: readonly ListedElement[]): string[] {
  const rows = toRows(elements, { keep: "compact", isParts: true });
  return rows.map((row) => toLine(row, { limits: LIMITS }));
}

/** What leads through a page, when it cannot be shown as a whole. */
function isOutlined({ role, name, isInteractive }: ListedElement): boolean {
  if (isInteractive || isLandmark(role)) return true;
  return name !== "" && role !== "text" && !isNamedByContent(role);
}

function showDifference(change: PageChange, maxChars: number): Taken {
  const { added, removed, changed, counts } = change;
  const changedLines = changed.map(({ from, now }) => {
    const [row] = toRows([now], { keep: "all" });
    const was = from === undefined || from === now.ref ? "" : `${from} -> `;
    return `~ ${was}${row === undefined ? now.role : describeRow(row, { limits: LIMITS })}`;
  });
  const addedRows = toRows(added, { keep: "compact", isParts: true });
  const tops = addedRows.filter(({ level }) => level === 0).map(({ element }) => element);
  const renewed = findRenewed(tops, removed);
  const addedLines = addedRows.map((row) => {
    const old = renewed.get(row.element);
    if (old !== undefined) return `~ ${old.ref} -> ${describeRow(row, { limits: LIMITS })}`;
    return toLine(row, { limits: LIMITS }).replace(/^( *)- /, "+ $1");
  });
  const removedLines = describeRemoved(removed, new Set(renewed.values()));
  const first = takeLines(changedLines, {
    ...{ maxChars: Math.floor(maxChars * CHANGED_SHARE), total: counts.changed, sign: "~" },
  });
  const keptForRemoved = Math.min(charsOf(removedLines), Math.floor(maxChars * REMOVED_SHARE));
  const second = takeLines(addedLines, {
    maxChars: maxChars - charsOf(first.lines) - keptForRemoved,
    total: addedLines.length + Math.max(0, counts.added - added.length),
    sign: "+",
  });
  const third = takeLines(removedLines, {
    maxChars: maxChars - charsOf([...first.lines, ...second.lines]),
    total: removedLines.length + Math.max(0, counts.removed - removed.length),
    sign: "-",
  });
  return {
    lines: [...first.lines, ...second.lines, ...third.lines],
    leftOut: first.leftOut + second.leftOut + third.leftOut,
  };
}

/** Drawn anew: what came in the place of something of the same role and name. */
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

/** What went with another is only counted. */
function describeRemoved(
  removed: readonly ListedElement[],
  renewed: ReadonlySet<ListedElement>,
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
    const inside = (next === -1 ? rows.length : next) - position - 1;
    const more = inside === 0 ? "" : ` (and ${inside} in it)`;
    lines.push(`- ${describeRow(row, { limits: LIMITS })}${more}`);
  }
  return lines;
}

interface Taking {
  readonly maxChars: number;
  /** Also of what the driver left out. */
  readonly total: number;
  readonly sign: string;
}

function takeLines(lines: readonly string[], { maxChars, total, sign }: Taking): Taken {
  const isWhole = total <= lines.length && charsOf(lines) <= maxChars;
  if (isWhole) return { lines, leftOut: 0 };
  const taken: string[] = [];
  let chars = COUNT_CHARS;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    taken.push(line);
  }
  const leftOut = Math.max(total, lines.length) - taken.length;
  return { lines: [...taken, `${sign} … ${leftOut} more`], leftOut };
}

function charsOf(lines: readonly string[]): number {
  return lines.reduce((chars, line) => chars + line.length + 1, 0);
}

function oneLine(text: string): string {
  return cut(text, MAX_EVENT_CHARS);
}

function cut(text: string, maxChars = LIMITS.nameChars): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= maxChars
    ? line
    : `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
