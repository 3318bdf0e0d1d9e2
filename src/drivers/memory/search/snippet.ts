// The part of a piece that is shown: the lines around the place where most of the query is.

import { cutChars } from "../../../lib/unicode-text.js";

const MAX_SNIPPET_CHARS = 700;
/** What stands before the first match. */
const LEAD_CHARS = 120;

/** `offsets` are where terms were found, in their order. */
export function cutSnippet(text: string, offsets: readonly number[]): string {
  if (text.length <= MAX_SNIPPET_CHARS) return text;
  const from = findDensest(offsets);
  const start = from <= LEAD_CHARS ? 0 : startOfLineNear(text, from - LEAD_CHARS);
  const cut = cutChars(text.slice(start), MAX_SNIPPET_CHARS).replace(/^[\uDC00-\uDFFF]/, "");
  const isEnd = start + cut.length >= text.length;
  return `${start > 0 ? "… " : ""}${cut.trim()}${isEnd ? "" : " …"}`;
}

/** The offset with most others within one snippet behind it. */
function findDensest(offsets: readonly number[]): number {
  let best = offsets[0] ?? 0;
  let bestCount = 0;
  for (const [index, offset] of offsets.entries()) {
    const end = offset + MAX_SNIPPET_CHARS - LEAD_CHARS;
    const beyond = offsets.findIndex((other) => other > end);
    const count = (beyond === -1 ? offsets.length : beyond) - index;
    if (count <= bestCount) continue;
    best = offset;
    bestCount = count;
  }
  return best;
}

/** At a line or a word, not far behind the given place. */
function startOfLineNear(text: string, offset: number): number {
  const line = text.indexOf("\n", offset);
  if (line !== -1 && line - offset < LEAD_CHARS) return line + 1;
  const space = text.indexOf(" ", offset);
  return space !== -1 && space - offset < LEAD_CHARS ? space + 1 : offset;
}
