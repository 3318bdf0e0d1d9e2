// The audit row of one call, also of one that was stopped at the first stage.

import type { ToolError } from "../errors.js";
import type { AuditRow } from "../ports/records.js";
import type { Caller, Passage } from "./passage.js";

export interface AuditFacts {
  readonly passage: Passage;
  readonly caller: Caller;
  readonly atMs: number;
  /** What stopped the call, if anything did. */
  readonly error: ToolError | undefined;
  /** The tool itself answered with an error. */
  readonly isError: boolean;
}

export function toAuditRow({ passage, caller, atMs, error, isError }: AuditFacts): AuditRow {
  const rule: unknown = error?.details?.rule;
  return {
    atMs,
    durationMs: atMs - passage.startedMs,
    toolCallId: passage.request.id,
    toolName: passage.toolName,
    agentId: caller.agentId,
    sessionKey: caller.sessionKey,
    owner: caller.owner,
    stage: passage.stage,
    outcome: toOutcome(error, isError),
    code: error?.code,
    reason: error?.reason,
    rule: typeof rule === "string" ? rule : undefined,
    taintedBy: passage.taintedBy,
  };
}

function toOutcome(error: ToolError | undefined, isError: boolean): AuditRow["outcome"] {
  if (error === undefined) return isError ? "error" : "ok";
  return error.code === "aborted" ? "aborted" : "stopped";
}
