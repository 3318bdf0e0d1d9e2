// What a row says of a call: the facts of the core's row, every text bounded so that a row has a size.

import type { AuditRow } from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { RowBody } from "../chain/row.js";

const MAX_TEXT_CHARS = 500;
const MAX_SOURCES = 20;
const MAX_SOURCE_CHARS = 100;

export interface CallHashes {
  readonly argumentsHash: string;
  /** undefined without an answer. */
  readonly resultHash: string | undefined;
}

/** Fields without a value are left out. */
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

/** As it is in a row. */
export function cutText<Text extends string | undefined>(text: Text): string | Text {
  return text === undefined ? text : cutChars(text, MAX_TEXT_CHARS);
}
