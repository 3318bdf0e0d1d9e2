// The audit row of one call, also of one that was stopped at the first stage.

import { ERROR_CODES, type ToolError } from "../errors.js";
import type { AuditRow } from "../ports/records.js";
import { isRecord } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";
import type { Caller, Passage } from "./passage.js";

const MAX_REASON_CHARS = 200;

export interface AuditFacts {
  readonly passage: Passage;
  readonly caller: Caller;
  readonly atMs: number;
  /** How it ended: what stopped the call, or what it answers. */
  readonly end: ToolError | ToolResult;
}

export function toAuditRow({ passage, caller, atMs, end }: AuditFacts): AuditRow {
  return {
    atMs,
    // A clock that was set back in between must not make it negative.
    durationMs: Math.max(0, atMs - passage.startedMs),
    toolCallId: passage.request.id,
    toolName: passage.toolName,
    agentId: caller.agentId,
    sessionKey: caller.sessionKey,
    owner: caller.owner,
    stage: passage.stage,
    ...("content" in end ? readResult(end) : readStop(end)),
    taintedBy: passage.taintedBy,
  };
}

type EndFields = Pick<AuditRow, "outcome" | "code" | "reason" | "rule">;

function readStop({ code, reason, details }: ToolError): EndFields {
  const rule: unknown = details?.rule;
  return {
    outcome: code === "aborted" ? "aborted" : "stopped",
    code,
    reason,
    rule: typeof rule === "string" ? rule : undefined,
  };
}

/** A tool's own failure has its code in `details`; one that names none has failed, and that is all. */
function readResult({ isError, details }: ToolResult): EndFields {
  if (!isError) return { outcome: "ok", code: undefined, reason: undefined, rule: undefined };
  const { code, reason } = isRecord(details) ? details : {};
  const isCode = typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
  return {
    outcome: "error",
    code: isCode ? code : "failed",
    reason: typeof reason === "string" ? reason.slice(0, MAX_REASON_CHARS) : undefined,
    rule: undefined,
  };
}
