// Puts a new text in the place of an old one. Only characters that differ are touched, and new
// lines get the line end that the file has at that place.

import type { LineFeedView } from "./line-feed-view.js";
import type { Change } from "./read-changes.js";

const CRLF = "\r\n";

/** A part of the original text, and what is to stand there instead. */
export interface Splice {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
  readonly text: string;
}

export interface Match {
  readonly body: string;
  readonly view: LineFeedView;
  /** Where the old text begins in the view. */
  readonly viewStart: number;
  readonly change: Change;
}

/** The smallest splice that does it: what old and new text share is left alone. */
export function toSplice({ body, view, viewStart, change }: Match): Splice {
  const { oldText, newText } = change;
  const viewEnd = viewStart + oldText.length;
  const head = countSharedHead(oldText, newText);
  const tail = countSharedTail(oldText.slice(head), newText.slice(head));
  const text = newText.slice(head, newText.length - tail);
  const place = { start: view.toOriginal(viewStart), end: view.toOriginal(viewEnd) };
  const lineEnd = lineEndAt(body, place) ?? change.lineEnd;
  return {
    start: view.toOriginal(viewStart + head),
    end: view.toOriginal(viewEnd - tail),
    text: lineEnd === CRLF ? text.replaceAll("\n", CRLF) : text,
  };
}

/** `splices` are in order and do not overlap. */
export function applySplices(body: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of splices) {
    parts.push(body.slice(from, start), text);
    from = end;
  }
  parts.push(body.slice(from));
  return parts.join("");
}

/** The first line end in the place, else the one that ends its line, else the one before it. */
function lineEndAt(body: string, place: { start: number; end: number }): string | undefined {
  const onward = body.indexOf("\n", place.start);
  const index = onward === -1 ? body.lastIndexOf("\n", place.start) : onward;
  if (index === -1) return undefined;
  return body[index - 1] === "\r" ? CRLF : "\n";
}

function countSharedHead(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count++;
  return count;
}

function countSharedTail(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count++;
  return count;
}
