// What a row says of a call: the facts of the core's row, every text bounded so that a row has a size.

import { createHmac } from "node:crypto";
import { type AuditRow, isSecretName, toSortedJson } from "../core/index.js";
import { cutChars } from "../lib/unicode-text.js";
import type { RowBody } from "./row.js";

const MAX_TEXT_CHARS = 500;
const MAX_SOURCES = 20;
const MAX_SOURCE_CHARS = 100;

interface CallHashes {
  readonly argumentsHash: string;
  readonly resultHash: string | undefined;
}

export function toCallBody(row: AuditRow, { argumentsHash, resultHash }: CallHashes): RowBody {
  return {
    kind: "call",
    at: new Date(row.atMs).toISOString(),
    durationMs: Math.round(row.durationMs),
    toolCallId: cutText(row.toolCallId),
    toolName: cutText(row.toolName),
    agentId: cutText(row.agentId),
    sessionKey: cutText(row.sessionKey),
    sender: cutText(row.sender),
    owner: row.owner,
    entryPoint: row.entryPoint,
    stage: row.stage,
    outcome: row.outcome,
    code: cutText(row.code),
    reason: cutText(row.reason),
    rule: cutText(row.rule),
    approvedBy: cutText(row.approvedBy),
    ...(row.taintedBy.length > 0 && {
      taintedBy: row.taintedBy
        .slice(0, MAX_SOURCES)
        .map((source) => cutChars(source, MAX_SOURCE_CHARS)),
    }),
    argumentsHash,
    resultHash,
  };
}

export function cutText<Text extends string | undefined>(text: Text): string | Text {
  return text === undefined ? text : cutChars(text, MAX_TEXT_CHARS);
}

const REDACTED = "[redacted]";
const UNREADABLE = '"[unreadable]"';
/** Arguments that are JSON text of this length are hashed as text. */
const MAX_PARSED_CHARS = 1024 * 1024;

/** JSON without secrets. Never throws: all values that cannot be written are alike. */
export function takeSnapshot(value: unknown): string {
  try {
    return toSortedJson(value, (name, item) =>
      item !== undefined && isSecretName(name) ? REDACTED : item,
    );
  } catch {
    return UNREADABLE;
  }
}

/** Models send arguments as an object or as the text of one; both are the same call. */
export function readArgumentsText(given: unknown): unknown {
  if (typeof given !== "string" || given.length > MAX_PARSED_CHARS) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** Without the key no one can find the value by trying what it may have been. */
export function hashSnapshot(snapshot: string, key: Buffer): string {
  return createHmac("sha256", key).update(snapshot).digest("hex");
}
