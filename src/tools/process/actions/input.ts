// `process write`, `send-keys`, `submit` and `paste`: what a command gets to read.

import { plural, type ToolResult, textResult } from "../../../core/index.js";
import { describeSession } from "../describe-session.js";
import type { SessionCall } from "../execute.js";
import { failed } from "../failed.js";
import { encodeKeys, parseHexBytes } from "../keys/encode-keys.js";

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const ENCODER = new TextEncoder();
const LINE_DISCIPLINE: ReadonlyMap<number, readonly [key: string, advice: string]> = new Map([
  [0x03, ["C-c", "end it with process kill"]],
  [0x1c, ["C-\\", "end it with process kill"]],
  [0x1a, ["C-z", "end it with process kill"]],
  [0x04, ["C-d", "close its stdin with process write and eof: true"]],
]);

export async function write(session: SessionCall): Promise<ToolResult> {
  const { eof = false } = session.call.params;
  const data = textOf(session, "data");
  if (data === "" && !eof) return failed("write needs data, or eof: true to close stdin.");
  // Its end needs no room.
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

export async function sendKeys(session: SessionCall): Promise<ToolResult> {
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
  const bytes = joinBytes([ENCODER.encode(literal), raw.bytes, pressed.bytes]);
  if (bytes.length === 0) return failed("No key data provided: give keys, hex or literal.");
  return addHint(await send(session, bytes), hintFor(session, pressed.bytes));
}

export async function submit(session: SessionCall): Promise<ToolResult> {
  return send(session, ENCODER.encode(`${textOf(session, "data")}${enterOf(session)}`));
}

export async function paste(session: SessionCall): Promise<ToolResult> {
  const { bracketed = true } = session.call.params;
  const text = textOf(session, "text");
  if (text === "") return failed("No paste text provided.");
  // An end mark inside the text would let the rest of it pass for typing.
  const safe = text.replaceAll(PASTE_END, "");
  return send(session, ENCODER.encode(bracketed ? `${PASTE_START}${safe}${PASTE_END}` : text));
}

/** Where its own parameter is empty, the text is in one of the others: it is meant all the same. */
function textOf({ call }: SessionCall, own: "data" | "literal" | "text"): string {
  const { data, literal, text } = call.params;
  return call.params[own] || data || text || literal || "";
}

async function send(session: SessionCall, bytes: Uint8Array): Promise<ToolResult> {
  const refusal = refuseInput(session);
  if (refusal) return refusal;
  await session.run.write(bytes);
  return tell(
    session,
    `Sent ${bytes.length} ${plural("byte", bytes.length)} to session ${session.run.sessionId}.`,
  );
}

/** What a terminal makes of some keys, and no one does without one. */
function hintFor({ run }: SessionCall, pressed: Uint8Array): string | undefined {
  if (run.isTerminal || run.end !== undefined) return undefined;
  const asked = [...LINE_DISCIPLINE.keys()].find((byte) => pressed.includes(byte));
  const [key, advice] = LINE_DISCIPLINE.get(asked ?? 0) ?? [];
  if (key === undefined) return undefined;
  return `The session has no terminal, so ${key} is only a byte; ${advice}, or start the command with pty: true.`;
}

function addHint(result: ToolResult, hint: string | undefined): ToolResult {
  if (hint === undefined) return result;
  return { ...result, content: [...result.content, { type: "text", text: hint }] };
}

function refuseInput({ run }: SessionCall): ToolResult | undefined {
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

/** A terminal turns the key into a line's end; a pipe carries what it is given. */
function enterOf({ run }: SessionCall): string {
  return run.isTerminal ? "\r" : "\n";
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    joined.set(part, place);
    place += part.length;
  }
  return joined;
}

function tell({ run }: SessionCall, text: string): ToolResult {
  return textResult(text, describeSession(run));
}
