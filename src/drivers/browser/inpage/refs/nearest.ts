// The elements nearest to one that is not there any more: same role, closest name.

import { createLook } from "../look.js";
import type { PageState } from "../page-state.js";
import type { Row } from "../protocol.js";
import { FLAG_INTERACTIVE } from "../row/make-row.js";
import { isConnected, page } from "../tree/clobbered.js";
import { rowNow } from "./row-now.js";

const MAX_NEAR = 5;
const ACTED_ON = "a[href], button, input, select, textarea, [role]";
const MAX_UNLISTED = 300;
const SCORES = { sameName: 100, partOfName: 60, words: 50, sameRole: 40, interactive: 10 } as const;

export interface Sought {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

export function nearest(state: PageState, sought: Sought): readonly Row[] {
  const wanted = sought.name.toLowerCase();
  const words = new Set(wanted.split(" ").filter(Boolean));
  const best: { readonly element: Element; readonly score: number }[] = [];
  for (const [element, { row }] of state.known) {
    if (!row || !isConnected(element)) continue;
    const score = scoreOf(row, { sought, wanted, words });
    const last = best.at(-1);
    if (best.length === MAX_NEAR && last && score <= last.score) continue;
    best.push({ element, score });
    best.sort((left, right) => right.score - left.score);
    best.length = Math.min(best.length, MAX_NEAR);
  }
  const look = createLook();
  if (best.length > 0) return best.map(({ element }) => rowNow(state, look, element));
  return nearestUnlisted(state, sought);
}

/** When all that was listed is gone, as after a page wrote everything anew. */
function nearestUnlisted(state: PageState, sought: Sought): readonly Row[] {
  const look = createLook();
  const wanted = sought.name.toLowerCase();
  const words = new Set(wanted.split(" ").filter(Boolean));
  return [...page.findAll(ACTED_ON)]
    .slice(0, MAX_UNLISTED)
    .map((element) => rowNow(state, look, element))
    .map((row) => ({ row, score: scoreOf(row, { sought, wanted, words }) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, MAX_NEAR)
    .map(({ row }) => row);
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
