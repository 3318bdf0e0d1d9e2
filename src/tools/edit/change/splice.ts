// Puts new texts in the place of old ones. What both have in common is left as it is in the file, and
// new lines get the line end that the file has at that place.

import { findCommonRuns } from "../../../lib/common-runs.js";
import { lazy } from "../../../lib/lazy.js";
import { countSharedHead, countSharedTail } from "../../../lib/shared-ends.js";
import type { Match } from "../search/find-matches.js";
import type { Source } from "../search/source.js";
import { createLineFeedView } from "../view/line-feed-view.js";
import { createPlainView, type TextView } from "../view/text-view.js";
import { createLineEndFinder, type FindLineEnd } from "./line-end.js";
import type { Change } from "./read-changes.js";

/** Longer texts are compared at their ends only. */
const MAX_COMPARED_CHARS = 64 * 1024;

const MAX_DIFFERENT_TOKENS = 500;

const TOKEN = /\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|./gsu;

/** A part that both texts have; all numbers are bytes of UTF-8. */
interface KeptRun {
  readonly old: number;
  readonly fresh: number;
  readonly length: number;
}

interface KeptRuns {
  /** What both have at their beginning and end. */
  readonly ends: readonly KeptRun[];
  /** And between; in order, and runs that touch in both texts are one. */
  readonly all: () => readonly KeptRun[];
}

const CARRIAGE_RETURN = 0x0d;

/** A part of the body, and what is to stand there instead. */
export interface Splice {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
  readonly bytes: Buffer;
}

/** `matches` are in order and apart, and so are the splices; none changes nothing. */
export function toSplices(source: Source, matches: readonly Match[]): Splice[] {
  const findLineEnd = createLineEndFinder(source.body);
  const plans = new Map<Change, Plan>();
  return matches.flatMap((match) => {
    const plan = plans.get(match.change) ?? createPlan(match.change);
    plans.set(match.change, plan);
    return spliceMatch({ source, match, plan, findLineEnd });
  });
}

export function applySplices(body: Buffer, splices: readonly Splice[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, bytes } of splices) {
    pieces.push(body.subarray(from, start), bytes);
    from = end;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** What is the same for all matches of a change. */
interface Plan {
  readonly oldBytes: Buffer;
  readonly newBytes: Buffer;
  readonly runs: KeptRuns;
}

function createPlan({ oldText, newText }: Change): Plan {
  return {
    oldBytes: Buffer.from(oldText),
    newBytes: Buffer.from(newText),
    runs: findKeptRuns(oldText, newText),
  };
}

interface PlannedMatch {
  readonly source: Source;
  readonly match: Match;
  readonly plan: Plan;
  readonly findLineEnd: FindLineEnd;
}

function spliceMatch({ source, match, plan, findLineEnd }: PlannedMatch): Splice[] {
  const matched = source.body.subarray(match.start, match.end);
  const views = createViews({ source, match, plan, matched });
  const splices: Splice[] = [];
  const done = { file: 0, fresh: 0 };
  const replaceUpTo = (file: number, fresh: number) => {
    const text = plan.newBytes.subarray(done.fresh, fresh);
    const bytes = withLineEnds(text, () => findLineEnd(match.start) ?? match.change.lineEnd);
    if (!matched.subarray(done.file, file).equals(bytes)) {
      splices.push({ start: match.start + done.file, end: match.start + file, bytes });
    }
  };
  for (const run of views.runs) {
    const kept = findInFile(run, views);
    if (!kept) continue;
    replaceUpTo(kept.start, run.fresh);
    done.file = kept.end;
    done.fresh = run.fresh + run.length;
  }
  replaceUpTo(matched.length, plan.newBytes.length - countUnseenTail(views, plan));
  return splices;
}

/** The old text and what it matched, in the form in which they are the same. */
interface Views {
  readonly oldText: TextView;
  readonly file: TextView;
  /** What is kept of the match. */
  readonly runs: readonly KeptRun[];
}

function createViews(given: { source: Source; match: Match; plan: Plan; matched: Buffer }): Views {
  const { source, match, plan, matched } = given;
  if (match.fit === "loose") {
    const oldText = source.createLooseView(plan.oldBytes);
    return { oldText, file: source.createLooseView(matched), runs: plan.runs.all() };
  }
  const oldText = createPlainView(plan.oldBytes);
  // Where the bytes are the same, keeping some of them or writing them again makes no difference.
  if (!matched.includes(CARRIAGE_RETURN)) {
    return { oldText, file: createPlainView(matched), runs: plan.runs.ends };
  }
  return { oldText, file: createLineFeedView(matched), runs: plan.runs.all() };
}

/** White space at the end of both texts that the file has not there: it is not asked for. */
function countUnseenTail({ runs, oldText, file }: Views, { oldBytes, newBytes }: Plan): number {
  const last = runs.at(-1);
  if (!last || last.old + last.length !== oldBytes.length) return 0;
  if (last.fresh + last.length !== newBytes.length) return 0;
  const start = oldText.fromOriginal(last.old);
  const isUnseen = start !== undefined && file.toEnd(start) === file.toEnd(oldText.bytes.length);
  return isUnseen ? last.length : 0;
}

/** undefined when the run does not begin and end between characters of the file. */
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

function withLineEnds(text: Buffer, findLineEnd: () => string): Buffer {
  if (!text.includes("\n") || findLineEnd() === "\n") return text;
  return Buffer.from(text.toString("utf8").replaceAll("\n", "\r\n"));
}

function findKeptRuns(oldText: string, newText: string): KeptRuns {
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
