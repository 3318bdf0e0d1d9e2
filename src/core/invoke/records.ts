// The audit row and the journal of a call. Without a journaled intent nothing runs.

import { ERROR_CODES, ToolError, toToolError } from "../errors.js";
import type { AuditLog, AuditRow, Journal, JournalEnd, JournalIntent } from "../ports/records.js";
import type { Clock } from "../ports/run-ports.js";
import { isRecord } from "../schema/json-value.js";
import type { ToolResult } from "../tool.js";
import type { Caller, CallState } from "./request.js";
import { type CallScope, type TimeLimit, waitAtMost } from "./scope.js";
import { isSecretName } from "./validate.js";

const MAX_REASON_CHARS = 200;

interface AuditDeps {
  readonly audit: AuditLog;
  readonly caller: Caller;
  readonly ports: { readonly clock: Clock };
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

interface CallEnd {
  readonly state: CallState;
  readonly end: ToolError | ToolResult;
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

const MAX_ARGUMENT_CHARS = 2_000;
const REDACTED = "[redacted]";
const JOURNAL_LIMIT_MS = 10_000;

interface JournalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

export type FinishJournal = (outcome: JournalEnd["outcome"]) => Promise<void>;

interface BegunCall extends Omit<JournalIntent, "argumentsText" | "atMs"> {
  readonly params: unknown;
  readonly readOnly: boolean;
}

interface JournalCall {
  /** Once, however many ask. Rejects when the intent could not be written, or the call is over. */
  begin(): Promise<FinishJournal>;
  beginLate(): Promise<FinishJournal>;
}

export function createJournalCall(
  { params, readOnly, ...names }: BegunCall,
  { journal, clock, report, scope }: JournalDeps & { readonly scope: CallScope },
): JournalCall {
  const atMs = clock.now();
  let begun: Promise<FinishJournal> | undefined;

  async function intend(within: CallScope["within"]): Promise<FinishJournal> {
    if (readOnly) return async () => undefined;
    const argumentsText = writeArguments(params).slice(0, MAX_ARGUMENT_CHARS);
    const intent = { ...names, atMs, argumentsText };
    const end = await within(JOURNAL_LIMIT, () => journal.intend(intent));
    return async (outcome) => {
      try {
        await waitAtMost({ ...JOURNAL_LIMIT, clock }, end({ outcome, atMs: clock.now() }));
      } catch (cause) {
        const message = `The journal could not record the end of a ${names.toolName} call.`;
        report({ message, cause });
      }
    };
  }

  return {
    async begin() {
      scope.assertGoing();
      begun ??= intend(scope.within);
      return begun;
    },
    beginLate() {
      begun ??= intend((limit, work) => waitAtMost({ ...limit, clock }, (async () => work())()));
      return begun;
    },
  };
}

/** A schema may have made values of the arguments that JSON cannot write; the call goes on. */
function writeArguments(params: unknown): string {
  try {
    return JSON.stringify(params, keepable) ?? "";
  } catch (error) {
    return `not writable as JSON: ${toToolError(error).message}`;
  }
}

/** Drops secrets, keeps only the names of variables, and cuts long texts. */
function keepable(name: string, value: unknown): unknown {
  if (value !== undefined && isSecretName(name)) return REDACTED;
  if (name === "env" && typeof value === "object") return Object.keys(value ?? {});
  return typeof value === "string" && value.length > MAX_ARGUMENT_CHARS
    ? value.slice(0, MAX_ARGUMENT_CHARS)
    : value;
}

const JOURNAL_LIMIT: TimeLimit = {
  limitMs: JOURNAL_LIMIT_MS,
  error: (limitMs) =>
    new ToolError(
      "unavailable",
      `The journal did not take the call within ${limitMs / 1000} seconds.`,
      { reason: "journal_timeout" },
    ),
};
