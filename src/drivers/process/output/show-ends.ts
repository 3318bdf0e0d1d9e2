// A long text within a number of characters: its beginning, a line that says what is left out, and
// its end, cut between lines where that costs little.

import type { OutputView } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";

/** Errors stand at the end of most outputs, so the end gets the larger share. */
const HEAD_SHARE = 0.25;
/** Characters that are given up in order to cut between two lines. */
const MAX_SLACK_CHARS = 1_000;
/** Room for the line that tells what is left out. */
const NOTICE_CHARS = 80;

export interface EndsRequest {
  /** The beginning, when `rest` does not begin there. */
  readonly first: string;
  readonly rest: string;
  /** `rest` is all of it. */
  readonly isWhole: boolean;
  readonly rangeChars: number;
  /** Line in which the text begins, counted from 0. */
  readonly firstLine: number;
  readonly maxChars: number;
}

type Ends = Pick<OutputView, "text" | "omittedChars" | "omittedFromLine">;

export function showEnds(request: EndsRequest): Ends {
  const { first, rest, isWhole, rangeChars, maxChars } = request;
  if (isWhole && rest.length <= maxChars) {
    return { text: rest, omittedChars: 0, omittedFromLine: undefined };
  }
  const room = Math.max(0, maxChars - NOTICE_CHARS);
  const head = takeHead(isWhole ? rest : first, Math.floor(room * HEAD_SHARE));
  const tail = takeTail(isWhole ? rest.slice(head.length) : rest, room - head.length);
  const omittedChars = rangeChars - head.length - tail.length;
  const notice = `[${omittedChars} characters left out here]`;
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return {
    text: `${before}${notice}\n${tail}`,
    omittedChars,
    omittedFromLine: request.firstLine + countLineFeeds(head),
  };
}

function takeHead(text: string, maxChars: number): string {
  const cut = cutChars(text, maxChars);
  const border = cut.lastIndexOf("\n") + 1;
  return border > 0 && cut.length - border <= MAX_SLACK_CHARS ? cut.slice(0, border) : cut;
}

function takeTail(text: string, maxChars: number): string {
  if (maxChars <= 0) return "";
  const cut = text.slice(-maxChars).replace(/^[\uDC00-\uDFFF]/, "");
  if (cut.length === text.length) return cut;
  const border = cut.indexOf("\n") + 1;
  return border > 0 && border < cut.length && border <= MAX_SLACK_CHARS ? cut.slice(border) : cut;
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
