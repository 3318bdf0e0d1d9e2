// Where each change fits in the original text. Line ends are no difference: text with line feeds
// is found in a file with CRLF, and its place is given in the file's own characters.

import { ToolError, ToolInputError } from "../../core/index.js";
import { lineNumberAt } from "../../lib/line-number.js";
import { toPrintable } from "../../lib/printable.js";
import { createLineFeedView, type LineFeedView } from "./line-feed-view.js";
import { findNearestLines } from "./nearest-lines.js";
import type { Change } from "./read-changes.js";
import { type Splice, toSplice } from "./splice.js";

const MAX_REPLACEMENTS = 100_000;
const MAX_SHOWN_MATCHES = 5;

export interface Replacement {
  /** In the original text; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
  readonly change: Change;
  readonly splice: Splice;
}

export interface FindRequest {
  readonly body: string;
  readonly changes: readonly Change[];
  readonly path: string;
}

/** In the order of the file. Throws unless every change fits and no two touch. */
export function findReplacements(request: FindRequest): Replacement[] {
  const view = createLineFeedView(request.body);
  const found = request.changes
    .flatMap((change) => findChange({ change, view, request }))
    .sort((one, other) => one.start - other.start);
  assertApart(found, request);
  return found;
}

interface Search {
  readonly change: Change;
  readonly view: LineFeedView;
  readonly request: FindRequest;
}

function findChange(search: Search): Replacement[] {
  const { change, view, request } = search;
  const starts = findAll(view.text, change);
  if (starts.length === 0) throw notFound(search);
  const places = starts.map((start) => ({
    start: view.toOriginal(start),
    end: view.toOriginal(start + change.oldText.length),
    change,
    splice: toSplice({ body: request.body, view, viewStart: start, change }),
  }));
  return change.replaceAll ? places : [chooseOne(places, search)];
}

/** All places that do not overlap; without `replaceAll` also an overlapping second one. */
function findAll(text: string, change: Change): number[] {
  const { oldText, replaceAll, label } = change;
  const starts: number[] = [];
  let start = text.indexOf(oldText);
  while (start !== -1) {
    starts.push(start);
    if (starts.length > MAX_REPLACEMENTS) throw tooMany(label);
    start = text.indexOf(oldText, start + oldText.length);
  }
  const [only] = starts;
  if (replaceAll || only === undefined || starts.length > 1) return starts;
  const overlapping = text.indexOf(oldText, only + 1);
  return overlapping === -1 ? starts : [only, overlapping];
}

/** One place, or the only one of several that fits in its line ends too. */
function chooseOne(places: Replacement[], { change, request }: Search): Replacement {
  const exact =
    places.length === 1
      ? places
      : places.filter(({ start, end }) => request.body.slice(start, end) === change.exactOldText);
  const [only] = exact;
  if (only && exact.length === 1) return only;
  const lines = places
    .slice(0, MAX_SHOWN_MATCHES)
    .map(({ start }) => lineNumberAt(request.body, start));
  const more = places.length > lines.length ? ", …" : "";
  throw new ToolInputError(
    `${change.label} occurs ${places.length} times in "${toPrintable(request.path)}" (lines ${lines.join(", ")}${more}); add surrounding lines until it is unique, or set replaceAll.`,
    { reason: "not_unique", details: { count: places.length, lines } },
  );
}

function assertApart(found: readonly Replacement[], { body, path }: FindRequest): void {
  for (const [index, later] of found.entries()) {
    const earlier = found[index - 1];
    if (!earlier || earlier.end <= later.start) continue;
    const line = lineNumberAt(body, later.start);
    throw new ToolInputError(
      `${earlier.change.label} and ${later.change.label} overlap at line ${line} of "${toPrintable(path)}"; join them into one edit.`,
      { reason: "edits_overlap", details: { line } },
    );
  }
}

function notFound({ change, view, request }: Search): ToolInputError {
  const nearest = findNearestLines(view.text, change.oldText);
  const hint = nearest
    ? `The nearest is at line ${nearest.line}:\n${nearest.shown}`
    : "No line like it was found; read the file first.";
  return new ToolInputError(
    `${change.label} does not occur in "${toPrintable(request.path)}". ${hint}`,
    { reason: "not_found_in_file", details: nearest ? { nearestLine: nearest.line } : {} },
  );
}

function tooMany(label: string): ToolError {
  return new ToolError(
    "limit",
    `${label} occurs more than ${MAX_REPLACEMENTS} times; give a longer text.`,
    { reason: "too_many_matches", details: { maxReplacements: MAX_REPLACEMENTS } },
  );
}
