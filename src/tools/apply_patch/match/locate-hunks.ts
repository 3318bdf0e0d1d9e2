// Where each hunk of an update is in its file, from top to bottom.

import { type Anchor, type Hunk, type HunkLine, toWanted } from "../parse/read-hunks.js";
import type { SourceText } from "../source-text.js";
import { createLineFinder, type Effort, type LineFinder, type Match } from "./line-finder.js";
import { anchorMissing, hunkAmbiguous, hunkMissing } from "./miss.js";

export interface LocateRequest {
  readonly path: string;
  readonly source: SourceText;
  readonly hunks: readonly Hunk[];
  readonly effort: Effort;
}

export interface Placement {
  readonly hunk: Hunk;
  readonly lines: readonly HunkLine[];
  readonly start: number;
  readonly count: number;
  /** What a loose match ignored; "" when it is not loose. */
  readonly ignored: string;
}

interface Search extends LocateRequest {
  readonly finder: LineFinder;
  readonly from: number;
  readonly hunk: Hunk;
}

export function locateHunks(request: LocateRequest): Placement[] {
  const { source, hunks, effort } = request;
  const wanted = hunks.flatMap(({ anchors, lines }) => [
    ...anchors.map(({ text }) => text),
    ...toWanted(lines),
  ]);
  const finder = createLineFinder({ lines: source.lines, wanted, effort });
  const placements: Placement[] = [];
  let from = 0;
  for (const hunk of hunks) {
    const placement = locateHunk({ ...request, finder, from, hunk });
    placements.push(placement);
    // What is put at the end says nothing of where the next hunk is.
    if (placement.count > 0 || hunk.anchors.length > 0) from = placement.start + placement.count;
  }
  return placements.sort((one, other) => one.start - other.start);
}

function locateHunk(search: Search): Placement {
  const { hunk, finder, source } = search;
  let scope: Scope = { from: search.from, last: undefined };
  for (const anchor of hunk.anchors) scope = enterAnchor(search, { anchor, scope });
  for (const lines of toFittings(hunk.lines)) {
    const wanted = toWanted(lines);
    const { last } = scope;
    if (wanted.length === 0 && (!last || hunk.isAtEnd)) {
      return { hunk, lines, start: source.lines.length, count: 0, ignored: "" };
    }
    const match =
      wanted.length === 0 ? last : finder.find({ ...scope, wanted, isAtEnd: hunk.isAtEnd });
    if (!match) continue;
    if (match.others.length > 0) throw hunkAmbiguous(search, match);
    const { isLoose, ignores } = match.likeness;
    // An insertion goes behind its last anchor.
    const start = wanted.length === 0 ? match.start + 1 : match.start;
    return { hunk, lines, start, count: wanted.length, ignored: isLoose ? ignores : "" };
  }
  throw hunkMissing({ ...search, from: scope.from });
}

interface Scope {
  readonly from: number;
  readonly last: Match | undefined;
}

function enterAnchor(search: Search, at: { anchor: Anchor; scope: Scope }): Scope {
  const { finder, hunk } = search;
  const { anchor, scope } = at;
  const wanted = [anchor.text];
  const match = finder.find({ wanted, from: scope.from });
  if (match) return { from: match.start + 1, last: match };
  // Named again for a second hunk of the same part: that part has been entered already.
  const isEntered = finder.find({ wanted, from: 0 }) !== undefined;
  if (isEntered && toWanted(hunk.lines).length > 0) return { from: scope.from, last: undefined };
  throw anchorMissing(search, anchor);
}

/** A hunk as it is; without its last empty line; without the blank lines behind it. */
function toFittings(lines: readonly HunkLine[]): (readonly HunkLine[])[] {
  const fittings = [lines];
  const shorter = withoutLastEmpty(lines);
  if (shorter) fittings.push(shorter);
  const last = lines.findLastIndex(({ isBare, text }) => !isBare || text !== "");
  if (last < lines.length - 2 && last >= 0) fittings.push(lines.slice(0, last + 1));
  return fittings;
}

/** Without the last line to be found, if that is empty, and without an empty one at the end. */
function withoutLastEmpty(lines: readonly HunkLine[]): readonly HunkLine[] | undefined {
  const at = lines.findLastIndex(({ mark }) => mark !== "+");
  const line = lines[at];
  if (line?.text !== "") return undefined;
  const [before, behind] = [lines.slice(0, at), lines.slice(at + 1)];
  if (behind.length === 0) return before;
  // The file does not have the empty line, and the added ones are to stand behind one.
  if (line.mark === " ") return [...before, { ...line, mark: "+" }, ...behind];
  return behind.at(-1)?.text === "" ? [...before, ...behind.slice(0, -1)] : [...before, ...behind];
}
