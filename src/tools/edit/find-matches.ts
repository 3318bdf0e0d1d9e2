// Where a change fits: exactly, else but for line ends, else loosely. Whether it fits once is judged
// among the places of the first of these that has any; one that would part a character is none.

import { ToolError, ToolInputError } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { lineNumberAt } from "../../lib/line-window.js";
import { toPrintable } from "../../lib/printable.js";
import type { Change } from "./read-changes.js";
import { createLineFeedView, createLooseView, createPlainView, type TextView } from "./view.js";

const MAX_CHARS_BEFORE = 128;
/** What can go on with a character; asked first because the segmenter is slow. */
const CONTINUES =
  /^(?:\u200D|[\p{Grapheme_Extend}\p{Mc}\u0E33\u0EB3\p{Emoji_Modifier}\p{RI}\p{Extended_Pictographic}\u1100-\u11FF\uA960-\uA97C\uAC00-\uD7FB])/u;
const SEGMENTER = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
const MAX_MATCHES = 100_000;
const MAX_SHOWN_LINES = 5;
/** Behind a place that parts a character, one that overlaps it is looked for up to this length. */
const MAX_OVERLAP_CHARS = 1_024;

export interface Source {
  readonly text: string;
  readonly hasPairs: () => boolean;
  readonly hasMixedEnds: () => boolean;
  readonly lineFeedView: () => TextView;
  readonly looseView: () => TextView;
  lineAt(index: number): number;
}

export function createSource(text: string): Source {
  const hasPairs = lazy(() => text.includes("\r\n"));
  return {
    text,
    hasPairs,
    hasMixedEnds: lazy(() => hasPairs() && /(?:^|[^\r])\n/.test(text)),
    lineFeedView: lazy(() => createLineFeedView(text)),
    looseView: lazy(() => createLooseView(text)),
    lineAt: (index) => lineNumberAt(text, index),
  };
}

export type Fit = "exact" | "line_ends" | "loose";

export interface Match {
  readonly change: Change;
  readonly fit: Fit;
  readonly start: number;
  readonly end: number;
}

export interface MatchRequest {
  readonly change: Change;
  readonly source: Source;
  readonly path: string;
}

export function findMatches(request: MatchRequest): Match[] {
  const { change, source } = request;
  let firstPart: number | undefined;
  for (const attempt of listAttempts(request)) {
    const { spots, part } = findSpots(attempt, request);
    firstPart ??= part;
    if (spots.length === 0) continue;
    if (spots.length > 1 && !change.replaceAll) throw notUnique(request, { attempt, spots });
    return spots.map(({ start, end }) => {
      const isExact =
        attempt.fit === "line_ends" && source.text.slice(start, end) === change.sentOldText;
      return { change, fit: isExact ? "exact" : attempt.fit, start, end };
    });
  }
  if (firstPart !== undefined) throw insideCharacter(request, firstPart);
  return [];
}

interface Attempt {
  readonly fit: Fit;
  readonly view: TextView;
  readonly needle: string;
  /** White space at its end was left out, so only the end of a line may follow. */
  readonly endsLine: boolean;
}

function* listAttempts({ change, source }: MatchRequest): Generator<Attempt> {
  const { sentOldText, oldText } = change;
  // A match that begins or ends between CR and LF would part them.
  const mayPart = (sentOldText.startsWith("\n") || sentOldText.endsWith("\r")) && source.hasPairs();
  const hasLineEnds = oldText.includes("\n") || oldText.endsWith("\r");
  // Where both kinds of line ends are, places that differ only in them count together.
  const isBlind = hasLineEnds && source.hasMixedEnds();
  if (!mayPart && !isBlind) {
    const view = createPlainView(source.text);
    yield { fit: "exact", view, needle: sentOldText, endsLine: false };
  }
  if (hasLineEnds && (sentOldText !== oldText || source.hasPairs())) {
    yield { fit: "line_ends", view: source.lineFeedView(), needle: oldText, endsLine: false };
  }
  const { text: needle, toEnd } = createLooseView(oldText);
  const endsLine = toEnd(needle.length) !== oldText.length;
  if (needle.length > 0) yield { fit: "loose", view: source.looseView(), needle, endsLine };
}

interface Spot {
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

interface Found {
  readonly spots: readonly Spot[];
  /** Where in the body the first place is parted that is none because it parts a character. */
  readonly part: number | undefined;
}

function findSpots(attempt: Attempt, { change, source }: MatchRequest): Found {
  const { view, needle, endsLine } = attempt;
  const find = (from: number) => view.text.indexOf(needle, from);
  const spots: Spot[] = [];
  let part: number | undefined;
  let count = 0;
  let place = find(0);
  while (place !== -1) {
    const end = place + needle.length;
    const isPlace = !endsLine || end === view.text.length || view.text[end] === "\n";
    const spot = isPlace ? readSpot(attempt, { source, place }) : undefined;
    if (typeof spot === "object") spots.push(spot);
    else part ??= spot;
    if (isPlace) count++;
    if (count > MAX_MATCHES) throw tooMany(change);
    const isPassed = typeof spot === "object" || (isPlace && needle.length > MAX_OVERLAP_CHARS);
    place = find(isPassed ? end : place + 1);
  }
  const [only] = spots;
  if (change.replaceAll || endsLine || only === undefined || spots.length > 1) {
    return { spots, part };
  }
  const next = find(only.place + 1);
  const overlapping = next === -1 ? undefined : readSpot(attempt, { source, place: next });
  return { spots: typeof overlapping === "object" ? [only, overlapping] : spots, part };
}

/** A number says near which place of the body it begins or ends inside of a character. */
function readSpot(
  { view, needle }: Attempt,
  { source, place }: { source: Source; place: number },
): Spot | number {
  const start = view.toStart(place);
  if (start === undefined) return nearOriginal(view, place);
  const end = view.toEnd(place + needle.length);
  if (end === undefined) return nearOriginal(view, place + needle.length);
  const part = [start, end].find((border) => isInsideCharacter(source.text, border));
  return part ?? { place, start, end };
}

function insideCharacter({ change, source, path }: MatchRequest, part: number): ToolInputError {
  const line = source.lineAt(part);
  return new ToolInputError(
    `${change.prefix}oldText begins or ends inside of a character of "${toPrintable(path)}" (line ${line}), such as a ligature, a fraction, a letter with an accent or an emoji of several parts; copy the whole character as it is in the file.${change.ending}`,
    { reason: "match_inside_character", details: { line } },
  );
}

function nearOriginal(view: TextView, place: number): number {
  for (let before = place; before > 0; before--) {
    const found = view.toStart(before);
    if (found !== undefined) return found;
  }
  return 0;
}

function notUnique(
  { change, source, path }: MatchRequest,
  { attempt, spots }: { attempt: Attempt; spots: readonly Spot[] },
): ToolInputError {
  const shown = spots.slice(0, MAX_SHOWN_LINES);
  const lines = shown.map(({ start }) => source.lineAt(start));
  const more = spots.length > shown.length ? ", …" : "";
  const times = `${spots.length} times${attempt.fit === "loose" ? ", loosely," : ""}`;
  return new ToolInputError(
    `${change.prefix}oldText occurs ${times} in "${toPrintable(path)}" (lines ${lines.join(", ")}${more}); add surrounding lines until it is unique, or set replaceAll.${change.ending}`,
    { reason: "not_unique", details: { count: spots.length, lines } },
  );
}

function tooMany({ prefix, ending }: Change): ToolError {
  return new ToolError(
    "limit",
    `${prefix}oldText occurs more than ${MAX_MATCHES} times; give a longer text.${ending}`,
    { reason: "too_many_matches", details: { maxMatches: MAX_MATCHES } },
  );
}

/** CRLF counts as two characters. */
function isInsideCharacter(text: string, place: number): boolean {
  // Nothing of ASCII continues a character.
  const behind = String.fromCodePoint(text.codePointAt(place) ?? 0);
  if (place === 0 || !CONTINUES.test(behind)) return false;
  const before = text.slice(startOfRun(text, place), place);
  const character = SEGMENTER()
    .segment(before + behind)
    .containing(before.length);
  return character !== undefined && character.index < before.length;
}

/** Behind ASCII a new run begins, but its last character may be continued. */
function startOfRun(text: string, place: number): number {
  let start = place - 1;
  while (start > 0 && place - start < MAX_CHARS_BEFORE && text.charCodeAt(start) > 0x7f) start--;
  return start;
}
