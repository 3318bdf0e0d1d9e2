// `process log`: lines of the whole output, by their number, and long lines by their characters.

import { type OutputLines, plural, type ToolResult, textResult } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { describeSession } from "../describe-session.js";
import type { SessionCall } from "../execute.js";
import { failed } from "../failed.js";
import { DEFAULT_LOG_LINES } from "../limits.js";

/** Room for the notices around the lines. */
const RESERVED_CHARS = 1_000;
/** Fewer than the driver gives of one line, so what is not shown is known to be there. */
const MAX_LINE_CHARS = 200_000;

export async function log(session: SessionCall): Promise<ToolResult> {
  const { call, run } = session;
  const { offset, column, limit = DEFAULT_LOG_LINES } = call.params;
  if (column !== undefined && column > 0) return logLine(session, { offset: offset ?? 0, column });
  const page = await run.output.lines({ ...(offset === undefined ? {} : { offset }), limit });
  const { totalLines, lostLines } = page;
  const facts = factsOf(session, page);
  if (isBeyond(page, offset)) return failed(tellBeyond(offset ?? 0, totalLines), facts);
  const shown = fitLines(page, maxCharsOf(session));
  const text = [tellLost(page), shown.text || "(no output)", tellMore(page, shown.count)];
  return textResult(text.filter(Boolean).join("\n"), {
    ...facts,
    offset: page.offset,
    lines: shown.count,
    truncated: shown.isCut || page.offset > 0 || page.offset + shown.count < totalLines,
    ...(lostLines > 0 ? { lostLines } : {}),
  });
}

interface LinePlace {
  readonly offset: number;
  readonly column: number;
}

/** One line from a character on. */
async function logLine(session: SessionCall, { offset, column }: LinePlace): Promise<ToolResult> {
  const page = await session.run.output.lines({ offset, column, limit: 1 });
  const facts = factsOf(session, page);
  if (isBeyond(page, offset)) return failed(tellBeyond(offset, page.totalLines), facts);
  const rest = page.offset === offset ? (page.lines[0] ?? "") : "";
  if (rest === "") {
    return failed(
      `Line ${offset} has nothing to show from character ${column} on: the line is shorter, or that part was dropped.`,
      facts,
    );
  }
  const text = cutChars(rest, Math.min(MAX_LINE_CHARS, maxCharsOf(session)));
  const next = column + text.length;
  const isCut = text.length < rest.length;
  const more = isCut
    ? `Use offset ${offset} and column ${next} to go on.`
    : tellLineEnd(offset, page.totalLines);
  return textResult(
    `${text}\n[Characters ${column} to ${next - 1} of line ${offset}, counted from 0. ${more}]`,
    { ...facts, offset, column, lines: 1, truncated: true, ...(isCut ? { nextColumn: next } : {}) },
  );
}

function tellLineEnd(offset: number, totalLines: number): string {
  const next = offset + 1 < totalLines ? ` Use offset ${offset + 1} for the next one.` : "";
  return `The line ends there.${next}`;
}

function factsOf({ run }: SessionCall, { totalLines, totalChars }: OutputLines) {
  return { ...describeSession(run), total: totalLines, totalLines, totalChars };
}

function maxCharsOf({ call }: SessionCall): number {
  return Math.max(0, call.ctx.limits.resultChars - RESERVED_CHARS);
}

function isBeyond({ totalLines }: OutputLines, offset: number | undefined): boolean {
  return offset !== undefined && offset >= totalLines && totalLines > 0;
}

function tellBeyond(offset: number, totalLines: number): string {
  const are = totalLines === 1 ? "is" : "are";
  return `offset ${offset} is beyond the end: there ${are} ${totalLines} ${plural("line", totalLines)}, the last is ${totalLines - 1}.`;
}

interface ShownLines {
  readonly text: string;
  readonly count: number;
  readonly isCut: boolean;
}

/** As many whole lines as fit; a first line that does not fit is cut, and says how to go on in it. */
function fitLines({ lines, offset }: OutputLines, maxChars: number): ShownLines {
  let chars = 0;
  let count = 0;
  for (const line of lines) {
    if (chars + line.length + 1 > maxChars) break;
    chars += line.length + 1;
    count++;
  }
  const [first] = lines;
  if (count > 0 || first === undefined) {
    return { text: lines.slice(0, count).join("\n"), count, isCut: count < lines.length };
  }
  const shown = cutChars(first, maxChars);
  const notice = `[The first ${shown.length} characters of line ${offset} are shown. Use offset ${offset} and column ${shown.length} to go on in it.]`;
  return { text: `${shown}\n${notice}`, count: 1, isCut: true };
}

function tellLost({ lostLines, offset }: OutputLines): string {
  if (lostLines === 0) return "";
  return `[Lines ${offset - lostLines} to ${offset - 1} were dropped.]`;
}

function tellMore({ offset, totalLines }: OutputLines, count: number): string {
  if (count === 0 || (offset === 0 && count === totalLines)) return "";
  const next = offset + count;
  const more = next < totalLines ? ` Use offset ${next} to go on.` : "";
  const before = offset > 0 ? " Lower offsets show what is before." : "";
  return `[Lines ${offset} to ${next - 1} of ${totalLines}, counted from 0.${more}${more ? "" : before}]`;
}
