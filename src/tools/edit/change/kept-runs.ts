// What an old text and a new one have in common. In the file these parts stay as they are, however
// they are written there.

import { findCommonRuns } from "../../../lib/common-runs.js";
import { lazy } from "../../../lib/lazy.js";
import { countSharedHead, countSharedTail } from "../../../lib/shared-ends.js";

/** Longer texts are compared at their ends only. */
const MAX_COMPARED_CHARS = 64 * 1024;
const MAX_DIFFERENT_TOKENS = 500;
const TOKEN = /\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|./gsu;

/** A part that both texts have; all numbers are bytes of UTF-8. */
export interface KeptRun {
  readonly old: number;
  readonly fresh: number;
  readonly length: number;
}

export interface KeptRuns {
  /** What both have at their beginning and end. */
  readonly ends: readonly KeptRun[];
  /** And between; in order, and runs that touch in both texts are one. */
  readonly all: () => readonly KeptRun[];
}

export function findKeptRuns(oldText: string, newText: string): KeptRuns {
  const head = countSharedHead(oldText, newText);
  const tail = countSharedTail({ one: oldText, other: newText, head });
  const oldMiddle = oldText.slice(head, oldText.length - tail);
  const newMiddle = newText.slice(head, newText.length - tail);
  const headBytes = Buffer.byteLength(oldText.slice(0, head));
  const first = { old: 0, fresh: 0, length: headBytes };
  const last = {
    old: headBytes + Buffer.byteLength(oldMiddle),
    fresh: headBytes + Buffer.byteLength(newMiddle),
    length: Buffer.byteLength(oldText.slice(oldText.length - tail)),
  };
  const all = () => {
    const between = compareTokens(oldMiddle, newMiddle).map(({ old, fresh, length }) => ({
      old: headBytes + old,
      fresh: headBytes + fresh,
      length,
    }));
    return joinTouching([first, ...between, last]);
  };
  return { ends: joinTouching([first, last]), all: lazy(all) };
}

function compareTokens(oldText: string, newText: string): KeptRun[] {
  if (oldText === "" || newText === "") return [];
  if (oldText.length + newText.length > MAX_COMPARED_CHARS) return [];
  const [before, after] = [splitTokens(oldText), splitTokens(newText)];
  const runs = findCommonRuns({
    before: before.tokens,
    after: after.tokens,
    maxDistance: MAX_DIFFERENT_TOKENS,
  });
  return (runs ?? []).map((run) => {
    const old = before.starts[run.before] ?? 0;
    const end = before.starts[run.before + run.length] ?? 0;
    return { old, fresh: after.starts[run.after] ?? 0, length: end - old };
  });
}

/** `starts` has the place of each token, and at last the end of the text. */
function splitTokens(text: string): { tokens: string[]; starts: number[] } {
  const tokens = text.match(TOKEN) ?? [];
  const starts = [0];
  let end = 0;
  for (const token of tokens) {
    end += Buffer.byteLength(token);
    starts.push(end);
  }
  return { tokens, starts };
}

function joinTouching(runs: readonly KeptRun[]): KeptRun[] {
  const joined: KeptRun[] = [];
  for (const run of runs) {
    if (run.length === 0) continue;
    const last = joined.at(-1);
    const isNext =
      last && last.old + last.length === run.old && last.fresh + last.length === run.fresh;
    if (isNext) joined[joined.length - 1] = { ...last, length: last.length + run.length };
    else joined.push(run);
  }
  return joined;
}
