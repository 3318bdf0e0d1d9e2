// The one door: every call, whoever makes it, goes through these stages in this order. Each is a
// small file of its own; here they are put in line, and each call leaves one audit row.

import { abortError, ToolError, toToolError } from "../errors.js";
import type { Approver } from "../ports/approver.js";
import type { AuditLog, Journal } from "../ports/records.js";
import type { ContentBlock, ToolResult } from "../tool.js";
import { toAuditRow } from "./audit-row.js";
import type { Callable, RunPorts } from "./callable.js";
import { runWithDeadline } from "./deadline.js";
import { executeCall } from "./execute.js";
import { askApproval, type Hooks, runAfterHooks, runBeforeHooks } from "./hooks.js";
import type { LoopGuard, LoopWatch } from "./loop.js";
import type { Caller, InvokeRequest, Passage } from "./passage.js";
import { toErrorResult } from "./run-definition.js";
import { type ShowDeps, showResult } from "./show-result.js";
import { checkTaint, type TaintMode } from "./taint.js";

const MAX_JOURNAL_ARGUMENT_CHARS = 2_000;

export interface InvokeResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: ContentBlock[];
  /** For programs; never sent to the model. */
  readonly details?: unknown;
  readonly isError: boolean;
}

export type Invoke = (request: InvokeRequest) => Promise<InvokeResult>;

export interface InvokeDeps extends ShowDeps {
  readonly ports: RunPorts;
  readonly journal: Journal;
  readonly audit: AuditLog;
  readonly approver: Approver | undefined;
  /** The tool behind a name, or the error that says why there is none. */
  readonly find: (name: string) => Callable | ToolError;
  /** Throws when policy does not let this tool run; asked at every call. */
  readonly authorize: (toolName: string) => void;
  readonly hooks: Hooks;
  readonly loop: LoopGuard;
  readonly taintMode: TaintMode;
  /** Ends the calls that are under way. */
  readonly closing?: AbortSignal | undefined;
  readonly caller: Caller;
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

interface Run {
  readonly callable: Callable;
  readonly passage: Passage;
  readonly deps: InvokeDeps;
  readonly signal: AbortSignal;
}

/** Always answers with a result; only the caller's own abort is thrown. */
export function createInvoke(deps: InvokeDeps): Invoke {
  const { clock } = deps.ports;
  return async (request) => {
    const { signal } = request;
    const passage: Passage = {
      request,
      startedMs: clock.now(),
      taintedBy: deps.taint.sources(),
      stage: "find",
      toolName: request.name,
    };
    const audit = (error: ToolError | undefined, isError: boolean) =>
      deps.audit.append(
        toAuditRow({ passage, caller: deps.caller, atMs: clock.now(), error, isError }),
      );
    try {
      if (signal?.aborted) throw abortError(signal);
      const callable = findCallable(passage, deps);
      const result = await runWithDeadline(
        (ownSignal) => runFound({ callable, passage, deps, signal: ownSignal }),
        { clock, deadlineMs: callable.deadlineMs, signal, closing: deps.closing },
      );
      audit(undefined, result.isError === true);
      return toInvokeResult(passage, result);
    } catch (thrown) {
      const error = signal?.aborted ? abortError(signal) : toToolError(thrown);
      audit(error, true);
      if (signal?.aborted) throw error;
      return toInvokeResult(passage, toErrorResult(passage.toolName, error));
    }
  };
}

function findCallable(passage: Passage, deps: InvokeDeps): Callable {
  const { name, arguments: params } = passage.request;
  const found = deps.find(name);
  if (found instanceof ToolError) {
    // Asking for a tool that is not there, over and over, is a loop too.
    deps.loop.begin({ toolName: name, params, known: false }).end(toErrorResult(name, found));
    throw found;
  }
  passage.toolName = found.name;
  return found;
}

async function runFound(run: Run): Promise<ToolResult> {
  const { callable, passage, deps } = run;
  passage.stage = "authorize";
  deps.authorize(callable.name);
  passage.stage = "arguments";
  const read = await callable.readArguments(passage.request.arguments, run.signal);
  passage.stage = "before";
  const params = await runBefore(run, read);
  passage.stage = "budget";
  const watch = deps.loop.begin({ toolName: callable.name, params, known: true });
  deps.budget.begin();
  const result = await runJournaled(run, { params, watch });
  passage.stage = "answer";
  return result;
}

/** Hooks, then what must be approved; what a hook changed is read and validated again. */
async function runBefore(run: Run, read: unknown): Promise<unknown> {
  const { callable, passage, deps, signal } = run;
  const call = { toolCallId: passage.request.id, toolName: callable.name };
  const { clock } = deps.ports;
  const hooked = await runBeforeHooks(
    { ...call, params: read },
    { hooks: deps.hooks, clock, signal },
  );
  const params = hooked.changed ? await callable.readArguments(hooked.params, signal) : read;
  const approve = (title: string) =>
    askApproval({ ...call, params, title }, { approver: deps.approver, signal });
  await checkTaint({
    toolName: callable.name,
    mode: deps.taintMode,
    taint: deps.taint,
    sandboxed: deps.caller.sandboxed,
    approve,
  });
  for (const title of hooked.approvals) await approve(title);
  return params;
}

/** An end is always written; what was stopped on its way has ended with an unknown outcome. */
async function runJournaled(
  run: Run,
  call: { readonly params: unknown; readonly watch: LoopWatch },
): Promise<ToolResult> {
  const finish = await beginJournal(run, call.params);
  const { clock } = run.deps.ports;
  try {
    const result = await runAndShow(run, call);
    await finish({ outcome: result.isError ? "error" : "ok", atMs: clock.now() });
    return result;
  } catch (error) {
    await finish({ outcome: "interrupted", atMs: clock.now() });
    throw error;
  }
}

async function beginJournal({ callable, passage, deps }: Run, params: unknown) {
  if (callable.readOnly) return async () => undefined;
  return deps.journal.intend({
    toolCallId: passage.request.id,
    toolName: callable.name,
    sessionKey: deps.sessionKey,
    argumentsText: writeArguments(params).slice(0, MAX_JOURNAL_ARGUMENT_CHARS),
    atMs: deps.ports.clock.now(),
  });
}

/** A schema may have made values of the arguments that JSON cannot write; the call goes on. */
function writeArguments(params: unknown): string {
  try {
    return JSON.stringify(params) ?? "";
  } catch (error) {
    return `not writable as JSON: ${toToolError(error).message}`;
  }
}

async function runAndShow(
  run: Run,
  { params, watch }: { readonly params: unknown; readonly watch: LoopWatch },
): Promise<ToolResult> {
  const { callable, passage, deps, signal } = run;
  const { id: toolCallId, turn } = passage.request;
  const { clock } = deps.ports;
  if (signal.aborted) throw abortError(signal);
  passage.stage = "execute";
  const result = await executeTimed(run, params);
  passage.stage = "bound";
  const event = { toolCallId, toolName: callable.name, params, result };
  const hooked = await runAfterHooks(event, { hooks: deps.hooks, clock, signal });
  return showResult({ result: hooked, turn, watch }, deps);
}

/** A tool's own failure is a result from here on; only a stop goes further. */
async function executeTimed(run: Run, params: unknown): Promise<ToolResult> {
  const { callable, passage, deps, signal } = run;
  const { id: toolCallId, onUpdate } = passage.request;
  const { clock } = deps.ports;
  const startedMs = clock.now();
  try {
    const { report } = deps;
    return await executeCall({ callable, toolCallId, params, signal, onUpdate, report });
  } catch (error) {
    if (signal.aborted) throw error;
    return toErrorResult(callable.name, error);
  } finally {
    deps.budget.spend({ wallMs: clock.now() - startedMs });
  }
}

function toInvokeResult({ request, toolName }: Passage, result: ToolResult): InvokeResult {
  return {
    toolCallId: request.id,
    toolName,
    content: result.content,
    ...(result.details === undefined ? {} : { details: result.details }),
    isError: result.isError === true,
  };
}
