// Puts new texts in the place of old ones. What both have in common is left as it is in the file, and
// new lines get the line end that the file has at that place.

import { findCommonRuns } from "../../lib/diff/common-runs.js";
import { countSharedHead, countSharedTail } from "../../lib/diff/shared-ends.js";
import type { Splice } from "../../lib/diff/text-splices.js";
import { lazy } from "../../lib/lazy.js";
import type { Match, Source } from "./find-matches.js";
import type { Change } from "./read-changes.js";
import { createLineFeedView, createLooseView, createPlainView, type TextView } from "./view.js";

const MAX_COMPARED_CHARS = 64 * 1024;
const MAX_DIFFERENT_TOKENS = 500;
const TOKEN = /\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|./gsu;

interface KeptRun {
  readonly old: number;
  readonly fresh: number;
  readonly length: number;
}

interface KeptRuns {
  readonly ends: readonly KeptRun[];
  /** And between; in order, and runs that touch in both texts are one. */
  readonly all: () => readonly KeptRun[];
}

export function toSplices(source: Source, matches: readonly Match[]): Splice[] {
  const findLineEnd = createLineEndFinder(source.text);
  const plans = new Map<Change, KeptRuns>();
  return matches.flatMap((match) => {
    const { oldText, newText } = match.change;
    const runs = plans.get(match.change) ?? findKeptRuns(oldText, newText);
    plans.set(match.change, runs);
    return spliceMatch({ source, match, runs, findLineEnd });
  });
}

/** The next line end, else the last one before. Places must not decrease between calls. */
type FindLineEnd = (place: number) => "\r\n" | "\n" | undefined;

function createLineEndFinder(text: string): FindLineEnd {
  let next = -1;
  let isEndReached = false;
  return (place) => {
    if (!isEndReached && next < place) {
      const found = text.indexOf("\n", place);
      isEndReached = found === -1;
      next = isEndReached ? text.lastIndexOf("\n") : found;
    }
    if (next === -1) return undefined;
    return text[next - 1] === "\r" ? "\r\n" : "\n";
  };
}

interface PlannedMatch {
  readonly source: Source;
  readonly match: Match;
  readonly runs: KeptRuns;
  readonly findLineEnd: FindLineEnd;
}

function spliceMatch({ source, match, runs, findLineEnd }: PlannedMatch): Splice[] {
  const { newText, lineEnd } = match.change;
  const matched = source.text.slice(match.start, match.end);
  const views = createViews({ match, runs, matched });
  const splices: Splice[] = [];
  const done = { file: 0, fresh: 0 };
  const replaceUpTo = (file: number, fresh: number) => {
    const plain = newText.slice(done.fresh, fresh);
    const text = withLineEnds(plain, () => findLineEnd(match.start) ?? lineEnd);
    if (matched.slice(done.file, file) !== text) {
      splices.push({ start: match.start + done.file, end: match.start + file, text });
    }
  };
  for (const run of views.runs) {
    const kept = findInFile(run, views);
    if (!kept) continue;
    replaceUpTo(kept.start, run.fresh);
    done.file = kept.end;
    done.fresh = run.fresh + run.length;
  }
  replaceUpTo(matched.length, newText.length - countUnseenTail(views, match.change));
  return splices;
}

interface Views {
  readonly oldText: TextView;
  readonly file: TextView;
  readonly runs: readonly KeptRun[];
}

function createViews(given: { match: Match; runs: KeptRuns; matched: string }): Views {
  const { match, runs, matched } = given;
  const { oldText } = match.change;
  if (match.fit === "loose") {
    const file = createLooseView(matched);
    return { oldText: createLooseView(oldText), file, runs: runs.all() };
  }
  const plain = createPlainView(oldText);
  // Where the texts are the same, keeping some of it or writing it again makes no difference.
  if (!matched.includes("\r")) {
    return { oldText: plain, file: createPlainView(matched), runs: runs.ends };
  }
  return { oldText: plain, file: createLineFeedView(matched), runs: runs.all() };
}

/** White space at the end of both texts that the file has not there: it is not asked for. */
function countUnseenTail({ runs, oldText, file }: Views, change: Change): number {
  const last = runs.at(-1);
  if (!last || last.old + last.length !== change.oldText.length) return 0;
  if (last.fresh + last.length !== change.newText.length) return 0;
  const start = oldText.fromOriginal(last.old);
  const isUnseen = start !== undefined && file.toEnd(start) === file.toEnd(oldText.text.length);
  return isUnseen ? last.length : 0;
}

function findInFile(
  { old, length }: KeptRun,
  { oldText, file }: Views,
): { start: number; end: number } | undefined {
  const [viewStart, viewEnd] = [oldText.fromOriginal(old), oldText.fromOriginal(old + length)];
  if (viewStart === undefined || viewEnd === undefined) return undefined;
  // White space that the view left out goes with the line end behind it.
  const [start, end] = [file.toEnd(viewStart), file.toEnd(viewEnd)];
  if (start === undefined || end === undefined || start >= end) return undefined;
  return { start, end };
}

function withLineEnds(text: string, findLineEnd: () => string): string {
  if (!text.includes("\n") || findLineEnd() === "\n") return text;
  return text.replaceAll("\n", "\r\n");
}

function findKeptRuns(oldText: string, newText: string): KeptRuns {
  const head = countSharedHead(oldText, newText);
  const tail = countSharedTail({ one: oldText, other: newText, head });
  const [oldEnd, newEnd] = [oldText.length - tail, newText.length - tail];
  const first = { old: 0, fresh: 0, length: head };
  const last = { old: oldEnd, fresh: newEnd, length: tail };
  const all = () => {
    const between = compareTokens(oldText.slice(head, oldEnd), newText.slice(head, newEnd));
    const moved = between.map((run) => ({ ...run, old: head + run.old, fresh: head + run.fresh }));
    return joinTouching([first, ...moved, last]);
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

function splitTokens(text: string): { tokens: string[]; starts: number[] } {
  const tokens = text.match(TOKEN) ?? [];
  const starts = [0];
  let end = 0;
  for (const token of tokens) {
    end += token.length;
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
