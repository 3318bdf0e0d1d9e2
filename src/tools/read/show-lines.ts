// A window of lines with the notice that names the next call. The head is kept, lines stay whole;
// only a line that alone is over the limit is cut.

import { ToolInputError, type ToolResult, textResult } from "../../core/index.js";
import { countLines } from "../../lib/line-number.js";
import { toPrintable } from "../../lib/printable.js";
import { cutText } from "../../lib/unicode-text.js";
import type { DecodedText } from "./decode-text.js";
import { MAX_LINES, MAX_TEXT_BYTES } from "./limits.js";
import { type LineWindow, takeLines } from "./take-lines.js";

/** Longer than every notice below with the largest numbers a file can have. */
const NOTICE_CHARS = 240;

export interface ShowLinesRequest {
  readonly path: string;
  readonly decoded: DecodedText;
  readonly totalBytes: number;
  readonly offset: number;
  readonly limit: number | undefined;
  readonly maxChars: number;
}

export function showLines(request: ShowLinesRequest): ToolResult {
  const { path, decoded, offset, maxChars, totalBytes } = request;
  const totalLines = countLines(decoded.text);
  if (totalLines > 0 && offset > totalLines) throw offsetPastEnd({ path, offset, totalLines });
  const window = chooseWindow(request);
  const text = totalLines === 0 ? emptyText(request) : window.text;
  const notice = describeCut({ window, offset, totalLines }) + describeInvalid(decoded);
  const nextOffset = offset + window.lines;
  const isLeft = nextOffset <= totalLines;
  return textResult(cutText(text + notice, { maxChars, maxBytes: MAX_TEXT_BYTES }), {
    path,
    kind: "text",
    offset,
    lines: window.lines,
    totalLines,
    totalBytes,
    truncated: isLeft || window.cutLineBytes !== undefined,
    ...(isLeft ? { nextOffset } : {}),
    ...(decoded.invalidSequences > 0 ? { invalidSequences: decoded.invalidSequences } : {}),
  });
}

/** The whole room when all fits into it, else room is left for the notice. */
function chooseWindow(request: ShowLinesRequest): LineWindow {
  const { decoded, offset, limit, maxChars } = request;
  const maxLines = Math.min(limit ?? MAX_LINES, MAX_LINES);
  const take = (reserve: number) =>
    takeLines(decoded.text, {
      offset,
      maxLines,
      maxChars: Math.max(0, maxChars - reserve),
      maxBytes: MAX_TEXT_BYTES - reserve,
    });
  const whole = take(describeInvalid(decoded).length);
  return whole.reachesEnd && whole.cutLineBytes === undefined ? whole : take(NOTICE_CHARS);
}

function describeCut(cut: { window: LineWindow; offset: number; totalLines: number }): string {
  const { window, offset, totalLines } = cut;
  const last = offset + window.lines - 1;
  const isLeft = last < totalLines;
  const next = isLeft ? ` Continue with offset=${last + 1}.` : "";
  if (window.cutLineBytes !== undefined) {
    const shownBytes = Buffer.byteLength(window.text);
    return `\n\n[Line ${offset} of ${totalLines} has ${window.cutLineBytes} bytes; only the first ${shownBytes} are shown.${next}]`;
  }
  return isLeft ? `\n\n[Lines ${offset}-${last} of ${totalLines}.${next}]` : "";
}

function describeInvalid({ invalidSequences }: DecodedText): string {
  if (invalidSequences === 0) return "";
  const places = invalidSequences === 1 ? "1 place" : `${invalidSequences} places`;
  return `\n\n[Not valid UTF-8 in ${places}, shown as U+FFFD.]`;
}

function emptyText({ path, totalBytes }: ShowLinesRequest): string {
  return `${toPrintable(path)} is empty (${totalBytes} bytes).`;
}

function offsetPastEnd(past: { path: string; offset: number; totalLines: number }): ToolInputError {
  const { path, offset, totalLines } = past;
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  return new ToolInputError(
    `offset ${offset} is past the end of "${toPrintable(path)}", which has ${lines}; use an offset from 1 to ${totalLines}.`,
    { reason: "offset_past_end", details: { totalLines } },
  );
}
