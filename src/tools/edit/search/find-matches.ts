// Where a change fits: exactly, else but for line ends, else loosely. Whether it fits once is judged
// among the places of the first of these that has any.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Change } from "../change/read-changes.js";
import type { TextView } from "../view/text-view.js";
import { createFinder } from "./find-bytes.js";
import type { Source } from "./source.js";

const MAX_MATCHES = 100_000;
const MAX_SHOWN_LINES = 5;
const LINE_FEED = 0x0a;

/** How a text fits: as it was sent, all but its line ends, in its loose form. */
export type Fit = "exact" | "line_ends" | "loose";

export interface Match {
  readonly change: Change;
  readonly fit: Fit;
  /** In the body; `end` is behind the last byte. */
  readonly start: number;
  readonly end: number;
}

export interface MatchRequest {
  readonly change: Change;
  readonly source: Source;
  /** For messages. */
  readonly path: string;
}

/** One match, all with `replaceAll`, none when it fits nowhere. Throws when it is not sure which. */
export function findMatches(request: MatchRequest): Match[] {
  for (const attempt of listAttempts(request)) {
    const places = findPlaces(attempt, request.change);
    if (places.length === 0) continue;
    if (places.length > 1 && !request.change.replaceAll) {
      throw notUnique(request, { attempt, places });
    }
    return places.map((place) => toMatch(request, { attempt, place }));
  }
  return [];
}

interface Attempt {
  readonly fit: Fit;
  readonly view: TextView;
  readonly needle: Buffer;
  /** White space at its end was left out, so only the end of a line may follow. */
  readonly endsLine: boolean;
}

function* listAttempts({ change, source }: MatchRequest): Generator<Attempt> {
  const { sentOldText, oldText } = change;
  const plain = Buffer.from(oldText);
  // A match that begins or ends between CR and LF would part them.
  const mayPart = (sentOldText.startsWith("\n") || sentOldText.endsWith("\r")) && source.hasPairs();
  if (!mayPart) {
    const needle = sentOldText === oldText ? plain : Buffer.from(sentOldText);
    yield { fit: "exact", view: source.exactView, needle, endsLine: false };
  }
  const hasLineEnds = oldText.includes("\n") || oldText.endsWith("\r");
  if (hasLineEnds && (sentOldText !== oldText || source.hasPairs())) {
    yield { fit: "line_ends", view: source.lineFeedView(), needle: plain, endsLine: false };
  }
  const { bytes: needle, toEnd } = source.createLooseView(plain);
  const endsLine = toEnd(needle.length) !== plain.length;
  if (needle.length > 0) yield { fit: "loose", view: source.looseView(), needle, endsLine };
}

/** All places that do not overlap; without `replaceAll` also an overlapping second one. */
function findPlaces({ view, needle, endsLine }: Attempt, { prefix, replaceAll }: Change): number[] {
  const find = createFinder(view.bytes, needle);
  const places: number[] = [];
  let place = find(0);
  while (place !== -1) {
    const end = place + needle.length;
    const fits = !endsLine || end === view.bytes.length || view.bytes[end] === LINE_FEED;
    if (fits) places.push(place);
    if (places.length > MAX_MATCHES) throw tooMany(prefix);
    place = find(fits ? end : place + 1);
  }
  const [only] = places;
  if (replaceAll || endsLine || only === undefined || places.length > 1) return places;
  const overlapping = find(only + 1);
  return overlapping === -1 ? places : [only, overlapping];
}

interface Found {
  readonly attempt: Attempt;
  readonly place: number;
}

function toMatch({ change, source, path }: MatchRequest, { attempt, place }: Found): Match {
  const { fit, view, needle } = attempt;
  const start = view.toStart(place);
  const end = view.toEnd(place + needle.length);
  if (start !== undefined && end !== undefined) return { change, fit, start, end };
  const inside = source.lineAt(
    nearOriginal(view, start === undefined ? place : place + needle.length),
  );
  throw new ToolInputError(
    `${change.prefix}oldText begins or ends inside of a character of "${toPrintable(path)}" (line ${inside}), such as a ligature or a fraction; copy the text as it is in the file.`,
    { reason: "match_inside_character", details: { line: inside } },
  );
}

/** A place of the original at or before a place that is inside of a part. */
function nearOriginal(view: TextView, place: number): number {
  for (let before = place; before > 0; before--) {
    const found = view.toStart(before);
    if (found !== undefined) return found;
  }
  return 0;
}

function notUnique(
  { change, source, path }: MatchRequest,
  { attempt, places }: { attempt: Attempt; places: readonly number[] },
): ToolInputError {
  const shown = places.slice(0, MAX_SHOWN_LINES);
  const lines = shown.map((place) => source.lineAt(nearOriginal(attempt.view, place)));
  const more = places.length > shown.length ? ", …" : "";
  const times = `${places.length} times${attempt.fit === "loose" ? ", loosely," : ""}`;
  return new ToolInputError(
    `${change.prefix}oldText occurs ${times} in "${toPrintable(path)}" (lines ${lines.join(", ")}${more}); add surrounding lines until it is unique, or set replaceAll.`,
    { reason: "not_unique", details: { count: places.length, lines } },
  );
}

function tooMany(prefix: string): ToolError {
  return new ToolError(
    "limit",
    `${prefix}oldText occurs more than ${MAX_MATCHES} times; give a longer text.`,
    { reason: "too_many_matches", details: { maxMatches: MAX_MATCHES } },
  );
}
