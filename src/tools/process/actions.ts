// `process log`: lines of the output by number, long lines by character.

import { type OutputLines, plural, type ToolResult, textResult } from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";
import { encodeKeys, parseHexBytes } from "./encode-keys.js";
import type { SessionCall } from "./execute.js";
import type { ProcessDetails } from "./index.js";
import { DEFAULT_LOG_LINES, describeSession, failed } from "./session.js";

/** For the text around the lines. */
const RESERVED_CHARS = 1_000;
/** Less than the driver returns of a line. */
const MAX_LINE_CHARS = 200_000;

export async function log(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { call, run } = session;
  const { offset, column, limit = DEFAULT_LOG_LINES } = call.params;
  if (column !== undefined && column > 0) return logLine(session, { offset: offset ?? 0, column });
  const page = await run.output.lines({ ...(offset === undefined ? {} : { offset }), limit });
  const { totalLines, lostLines } = page;
  const facts = factsOf(session, page);
  if (isBeyond(page, offset)) return failed(tellBeyond(offset ?? 0, totalLines), facts);
  const shown = fitLines(page, maxCharsOf(session));
  const text = [tellLost(page), shown.text || "(no output)", tellMore(page, shown.count)];
  return textResult<ProcessDetails>(text.filter(Boolean).join("\n"), {
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

async function logLine(
  session: SessionCall,
  { offset, column }: LinePlace,
): Promise<ToolResult<ProcessDetails>> {
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
  return textResult<ProcessDetails>(
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

/** A first line that does not fit is cut and says how to continue. */
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

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const ENCODER = new TextEncoder();
const LINE_DISCIPLINE: ReadonlyMap<number, readonly [key: string, advice: string]> = new Map([
  [0x03, ["C-c", "end it with process kill"]],
  [0x1c, ["C-\\", "end it with process kill"]],
  [0x1a, ["C-z", "end it with process kill"]],
  [0x04, ["C-d", "close its stdin with process write and eof: true"]],
]);

export async function write(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { eof = false } = session.call.params;
  const data = textOf(session, "data");
  if (data === "" && !eof) return failed("write needs data, or eof: true to close stdin.");
  const isEndOnly = data === "" && session.run.isInputFull === true;
  const refusal = isEndOnly ? undefined : refuseInput(session);
  if (refusal) return refusal;
  const bytes = ENCODER.encode(data);
  if (bytes.length > 0) await session.run.write(bytes);
  if (eof) await session.run.endInput();
  const end = eof ? " (stdin closed)" : "";
  return tell(
    session,
    `Wrote ${bytes.length} ${plural("byte", bytes.length)} to session ${session.run.sessionId}${end}.`,
  );
}

export async function sendKeys(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { hex = [], keys = [] } = session.call.params;
  const literal = textOf(session, "literal");
  const { run } = session;
  const raw = parseHexBytes(hex);
  const pressed = encodeKeys(keys, {
    applicationCursor: run.applicationCursor,
    enter: enterOf(session),
  });
  const problems = [...raw.problems, ...pressed.problems];
  if (problems.length > 0) return failed(`Nothing was sent. ${problems.join(" ")}`);
  const bytes = Buffer.concat([ENCODER.encode(literal), raw.bytes, pressed.bytes]);
  if (bytes.length === 0) return failed("No key data provided: give keys, hex or literal.");
  return addHint(await send(session, bytes), hintFor(session, pressed.bytes));
}

export async function submit(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  return send(session, ENCODER.encode(`${textOf(session, "data")}${enterOf(session)}`));
}

export async function paste(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { bracketed = true } = session.call.params;
  const text = textOf(session, "text");
  if (text === "") return failed("No paste text provided.");
  // An end mark in the text would end the paste early.
  const safe = text.replaceAll(PASTE_END, "");
  return send(session, ENCODER.encode(bracketed ? `${PASTE_START}${safe}${PASTE_END}` : text));
}

/** Models sometimes use the parameter of another action. */
function textOf({ call }: SessionCall, own: "data" | "literal" | "text"): string {
  const { data, literal, text } = call.params;
  return call.params[own] || data || text || literal || "";
}

async function send(session: SessionCall, bytes: Uint8Array): Promise<ToolResult<ProcessDetails>> {
  const refusal = refuseInput(session);
  if (refusal) return refusal;
  await session.run.write(bytes);
  return tell(
    session,
    `Sent ${bytes.length} ${plural("byte", bytes.length)} to session ${session.run.sessionId}.`,
  );
}

/** Keys that only a terminal interprets. */
function hintFor({ run }: SessionCall, pressed: Uint8Array): string | undefined {
  if (run.isTerminal || run.end !== undefined) return undefined;
  const asked = [...LINE_DISCIPLINE.keys()].find((byte) => pressed.includes(byte));
  const [key, advice] = LINE_DISCIPLINE.get(asked ?? 0) ?? [];
  if (key === undefined) return undefined;
  return `The session has no terminal, so ${key} is only a byte; ${advice}, or start the command with pty: true.`;
}

function addHint(
  result: ToolResult<ProcessDetails>,
  hint: string | undefined,
): ToolResult<ProcessDetails> {
  if (hint === undefined) return result;
  return { ...result, content: [...result.content, { type: "text", text: hint }] };
}

function refuseInput({ run }: SessionCall): ToolResult<ProcessDetails> | undefined {
  if (run.end !== undefined) {
    return failed(`Session ${run.sessionId} has ended and reads nothing any more.`);
  }
  if (run.canWrite) return undefined;
  if (run.isInputFull === true) {
    return failed(
      `Nothing was sent: session ${run.sessionId} has not read what it was sent before, and no more is kept for it. Try again when it reads, or end it with process kill.`,
    );
  }
  return failed(
    `The stdin of session ${run.sessionId} is not writable: it was closed, or was never open. Commands started with background: true or pty: true have one.`,
  );
}

function enterOf({ run }: SessionCall): string {
  return run.isTerminal ? "\r" : "\n";
}

function tell({ run }: SessionCall, text: string): ToolResult<ProcessDetails> {
  return textResult<ProcessDetails>(text, describeSession(run));
}
