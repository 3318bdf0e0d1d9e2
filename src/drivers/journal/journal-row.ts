// Records of the journal as they lie in the store: a call's beginning and its end are one each. What
// cannot be read as one is none.

import type { JournalEnd, JournalIntent } from "../../core/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";

const OUTCOMES: readonly JournalEnd["outcome"][] = ["ok", "error", "interrupted"];

/** A call that has begun. */
export interface BeginRecord extends JournalIntent {
  /** Names the call: its own id need not be unique. */
  readonly key: string;
  /** The journal that wrote it. */
  readonly writer: string;
  /** The mark of the process that made the call. */
  readonly owner: string;
  /** The folder that the call worked in. */
  readonly root?: string | undefined;
}

export interface EndRecord {
  /** Of the call that has ended. */
  readonly ends: string;
  readonly end: JournalEnd;
}

/** A call that has ended. */
export interface JournalRow extends Omit<BeginRecord, "key" | "writer"> {
  readonly end: JournalEnd;
}

export function parseBegin(value: unknown): BeginRecord | undefined {
  const key = readText(value, "key");
  const writer = readText(value, "writer");
  const toolCallId = readText(value, "toolCallId");
  const toolName = readText(value, "toolName");
  const argumentsText = readText(value, "argumentsText");
  const owner = readText(value, "owner");
  const atMs = readNumber(value, "atMs");
  if (key === undefined || writer === undefined || owner === undefined) return undefined;
  if (toolCallId === undefined || toolName === undefined) return undefined;
  if (argumentsText === undefined || atMs === undefined) return undefined;
  const sessionKey = readText(value, "sessionKey");
  const root = readText(value, "root");
  return { key, writer, toolCallId, toolName, sessionKey, argumentsText, atMs, owner, root };
}

export function parseEnd(value: unknown): EndRecord | undefined {
  const ends = readText(value, "ends");
  const end = readField(value, "end");
  const said = readText(end, "outcome");
  const outcome = OUTCOMES.find((known) => known === said);
  const atMs = readNumber(end, "atMs");
  if (ends === undefined || outcome === undefined || atMs === undefined) return undefined;
  return { ends, end: { outcome, atMs } };
}

export function toRow(begin: BeginRecord, end: JournalEnd): JournalRow {
  const { key: _key, writer: _writer, ...row } = begin;
  return { ...row, end };
}

/** Says that calls of a journal may be without an end. */
export interface WriterMark {
  readonly owner: string;
  /** Its calls stand behind this sequence number. */
  readonly from: number;
  /** When it was last said. */
  readonly atMs: number;
}

export function parseWriterMark(value: unknown): WriterMark | undefined {
  const owner = readText(value, "owner");
  const from = readNumber(value, "from");
  const atMs = readNumber(value, "atMs");
  if (owner === undefined || from === undefined || atMs === undefined) return undefined;
  return { owner, from, atMs };
}
