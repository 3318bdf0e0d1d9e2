// Rows of the journal as they lie in the store; what cannot be read as one is no row.

import type { JournalEnd, JournalIntent } from "../../core/index.js";

const OUTCOMES: readonly JournalEnd["outcome"][] = ["ok", "error", "interrupted"];

export interface StoredIntent extends JournalIntent {
  /** The mark of the process that made the call. */
  readonly owner: string;
}

export interface JournalRow extends StoredIntent {
  readonly end: JournalEnd;
}

export function parseOpenRow(value: unknown): StoredIntent | undefined {
  const toolCallId = textIn(value, "toolCallId");
  const toolName = textIn(value, "toolName");
  const argumentsText = textIn(value, "argumentsText");
  const owner = textIn(value, "owner");
  const atMs = timeIn(value);
  if (toolCallId === undefined || toolName === undefined || argumentsText === undefined) {
    return undefined;
  }
  if (owner === undefined || atMs === undefined) return undefined;
  return {
    toolCallId,
    toolName,
    sessionKey: textIn(value, "sessionKey"),
    argumentsText,
    atMs,
    owner,
  };
}

export function parseEndedRow(value: unknown): JournalRow | undefined {
  const intent = parseOpenRow(value);
  const end = read(value, "end");
  const said = textIn(end, "outcome");
  const outcome = OUTCOMES.find((known) => known === said);
  const atMs = timeIn(end);
  if (intent === undefined || outcome === undefined || atMs === undefined) return undefined;
  return { ...intent, end: { outcome, atMs } };
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = read(value, name);
  return typeof found === "string" ? found : undefined;
}

function timeIn(value: unknown): number | undefined {
  const found = read(value, "atMs");
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
