// The elements nearest to one that is not there any more: itself, when only what it means is another
// now, or what was redrawn in its place, then those of the same role with the closest names; equal ones
// with what they stand in.

import type { RowOf } from "../duplicates/bind-rows.js";
import type { Look } from "../look.js";
import type { PageState } from "../page-state.js";
import type { Near, Row } from "../protocol.js";
import { FLAG_INTERACTIVE } from "../row/make-row.js";
import { isConnected, page } from "../tree/clobbered.js";
import { placeWords } from "./place-words.js";
import { findRebound } from "./rebind.js";
import { rowNow } from "./row-now.js";

const MAX_NEAR = 5;
const ACTED_ON = "a[href], button, input, select, textarea, [role]";
const MAX_UNLISTED = 300;
const SCORES = { sameName: 100, partOfName: 60, words: 50, sameRole: 40, interactive: 10 } as const;

export interface Sought {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** What it named. */
  readonly element?: Element;
}

export interface Nearest {
  /** What it named, as it is now, or the one that was redrawn for it. */
  readonly now?: Near;
  readonly near: readonly Near[];
}

export function nearest(state: PageState, sought: Sought): Nearest {
  const look = state.look();
  const { element } = sought;
  const isThere = element && isConnected(element);
  const record = isThere ? undefined : state.book.recordOf(sought.ref);
  const { same, equal } = record ? findRebound(state, look, record) : { same: [], equal: [] };
  const now = isThere ? element : same.length === 1 ? same[0] : undefined;
  const isListed = (each: Element) => !!state.known.get(each)?.row;
  const unlisted = equal.filter((each) => !isListed(each)).slice(0, MAX_NEAR);
  const more = unlisted.map((each) => ({ element: each, row: rowNow(state, look, each) }));
  const near = [...same, ...findNear(state, sought, more)].filter((each) => each !== now);
  return {
    ...(now && { now: toNear(state, look, now) }),
    near: [...new Set(near)].slice(0, MAX_NEAR).map((each) => toNear(state, look, each)),
  };
}

function toNear(state: PageState, look: Look, element: Element): Near {
  const row = rowNow(state, look, element);
  const place = placeWords(state, look, element);
  return { row, ...(place && { place }) };
}

/** `more`: also those that were not listed. */
function findNear(state: PageState, sought: Sought, more: readonly RowOf[]): readonly Element[] {
  const wanted = sought.name.toLowerCase();
  const words = new Set(wanted.split(" ").filter(Boolean));
  const best: { readonly element: Element; readonly score: number }[] = [];
  const note = (element: Element, row: Row) => {
    const score = scoreOf(row, { sought, wanted, words });
    const last = best.at(-1);
    if (best.length === MAX_NEAR && last && score <= last.score) return;
    best.push({ element, score });
    best.sort((left, right) => right.score - left.score);
    best.length = Math.min(best.length, MAX_NEAR);
  };
  for (const [element, { row }] of state.known) {
    if (row && element !== sought.element && isConnected(element)) note(element, row);
  }
  if (best.length === 0) return nearestUnlisted(state, sought);
  for (const { element, row } of more) note(element, row);
  return best.map(({ element }) => element);
}

/** When all that was listed is gone, as after a page wrote everything again. */
function nearestUnlisted(state: PageState, sought: Sought): readonly Element[] {
  const look = state.look();
  const wanted = sought.name.toLowerCase();
  const words = new Set(wanted.split(" ").filter(Boolean));
  return [...page.findAll(ACTED_ON)]
    .slice(0, MAX_UNLISTED)
    .filter((element) => element !== sought.element)
    .map((element) => ({ element, row: rowNow(state, look, element) }))
    .map(({ element, row }) => ({ element, score: scoreOf(row, { sought, wanted, words }) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, MAX_NEAR)
    .map(({ element }) => element);
}

function scoreOf(
  [ref, , role, text, , , , flags]: Row,
  at: { readonly sought: Sought; readonly wanted: string; readonly words: ReadonlySet<string> },
): number {
  const name = text.toLowerCase();
  let score = flags & FLAG_INTERACTIVE ? SCORES.interactive : 0;
  if (role === at.sought.role) score += SCORES.sameRole;
  if (at.wanted !== "" && name !== "") {
    if (name === at.wanted) score += SCORES.sameName;
    else if (name.includes(at.wanted) || at.wanted.includes(name)) score += SCORES.partOfName;
    else score += wordScore(name, at.words);
  }
  // Of equals the one that was numbered next to it.
  return score + 1 / (1 + Math.abs(ref - at.sought.ref));
}

function wordScore(name: string, words: ReadonlySet<string>): number {
  const parts = name.split(" ").filter(Boolean);
  const same = parts.filter((part) => words.has(part)).length;
  return (SCORES.words * same) / Math.max(parts.length, words.size, 1);
}
