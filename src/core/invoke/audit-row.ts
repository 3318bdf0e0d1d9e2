// The audit row of one call, also of one that was stopped at the first stage.

import { ERROR_CODES, type ToolError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import type { AuditLog, AuditRow } from "../ports/records.js";
import { isRecord } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";
import type { Caller, CallState } from "./call-state.js";

const MAX_REASON_CHARS = 200;

export interface AuditDeps {
  readonly audit: AuditLog;
  readonly caller: Caller;
  readonly ports: { readonly clock: Clock };
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

export interface CallEnd {
  readonly state: CallState;
  /** How it ended: what stopped the call, or what it answers. */
  readonly end: ToolError | ToolResult;
  /** As it is answered; undefined when the caller's abort is thrown. */
  readonly result: ToolResult | undefined;
}

/** An audit that fails must not take the answer away: the tool may have run. */
export function writeAuditRow(deps: AuditDeps, call: CallEnd): void {
  const { state, result } = call;
  try {
    const row = toAuditRow(call, { caller: deps.caller, atMs: deps.ports.clock.now() });
    deps.audit.append(row, { arguments: state.params, result: result?.content });
  } catch (cause) {
    deps.report({ message: `No audit row of a ${state.toolName} call could be written.`, cause });
  }
}

function toAuditRow(
  { state, end }: CallEnd,
  { caller, atMs }: { readonly caller: Caller; readonly atMs: number },
): AuditRow {
  return {
    atMs,
    // A clock that was set back in between must not make it negative.
    durationMs: Math.max(0, atMs - state.startedMs),
    toolCallId: state.request.id,
    toolName: state.toolName,
    agentId: caller.agentId,
    sessionKey: caller.sessionKey,
    owner: caller.owner,
    sender: caller.sender,
    entryPoint: state.request.entryPoint ?? "library",
    stage: state.stage,
    ...("content" in end ? readResult(end) : readStop(end)),
    approvedBy: state.approvedBy,
    taintedBy: state.taintedBy,
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
