// Every call passes these stages in order, each in a file of its own, and leaves one audit row.

import { abortError, ToolError, toToolError } from "../errors.js";
import type { Turn } from "../files/with-files.js";
import type { Approver } from "../ports/approver.js";
import type { AuditLog, Journal } from "../ports/records.js";
import type { RunPorts } from "../ports/run-ports.js";
import type { ContentBlock, ToolResult } from "../tool.js";
import type { UntrustedWrapper } from "../untrusted/wrap.js";
import { type Callable, findInAnyCase } from "./callable.js";
import { executeCall } from "./execute.js";
import {
  askApproval,
  checkTaint,
  type Hooks,
  runAfterHooks,
  runBeforeHooks,
  type TaintMode,
} from "./hooks.js";
import type { LoopGuard, LoopWatch } from "./loop.js";
import { createJournalCall, type FinishJournal, writeAuditRow } from "./records.js";
import {
  type Caller,
  type CallState,
  type InvokeRequest,
  readRequest,
  type TextEncoding,
  textEncodingOf,
} from "./request.js";
import { toErrorResult } from "./run-definition.js";
import {
  type AbortRelay,
  type CallScope,
  createAbortRelay,
  createCallScope,
  readingLimit,
  toolDeadline,
} from "./scope.js";
import { addNotes, type ShowDeps, showResult } from "./show-result.js";

export interface InvokeResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: ContentBlock[];
  readonly details?: unknown;
  readonly isError: boolean;
}

export type Invoke = (request: InvokeRequest) => Promise<InvokeResult>;

export interface InvokeDeps extends ShowDeps {
  readonly ports: RunPorts;
  readonly journal: Journal;
  readonly audit: AuditLog;
  readonly approver: Approver | undefined;
  readonly approvalLimitMs?: number | undefined;
  readonly find: (name: string) => Callable | ToolError;
  readonly authorize: (toolName: string) => void;
  readonly hooks: Hooks;
  readonly loop: LoopGuard;
  readonly taintMode: TaintMode;
  readonly closing?: AbortSignal | undefined;
  readonly relay?: AbortRelay | undefined;
  readonly caller: Caller;
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

interface Way {
  readonly state: CallState;
  readonly deps: InvokeDeps;
  readonly scope: CallScope;
}

type Run = Way & { readonly callable: Callable };

export function createInvoke(deps: InvokeDeps) {
  const { clock, random } = deps.ports;
  const { closing } = deps;
  const relay = deps.relay ?? createAbortRelay();
  return async (...given: [request: InvokeRequest, misplaced?: unknown]): Promise<InvokeResult> => {
    const { request, error: wrong } = readRequest(given, random);
    const { signal } = request;
    const scope = createCallScope({ clock, closing, signal, relay });
    const state: CallState = {
      request,
      startedMs: clock.now(),
      taintedBy: deps.taint.sources(),
      stage: "find",
      toolName: request.name,
      params: request.arguments,
      approvedBy: undefined,
      note: undefined,
    };
    const way = { state, deps, scope };
    try {
      if (signal?.aborted) throw abortError(signal);
      if (wrong) throw wrong;
      const result = await runFound({ ...way, callable: findCallable(way) });
      state.stage = "answer";
      writeAuditRow(deps, { state, end: result, result });
      return toInvokeResult(state, result);
    } catch (thrown) {
      const error = signal?.aborted ? abortError(signal) : toToolError(thrown);
      if (signal?.aborted) {
        writeAuditRow(deps, { state, end: error, result: undefined });
        throw error;
      }
      const notes = state.note === undefined ? [] : [state.note];
      const result = addNotes(toErrorResult(state.toolName, error), notes);
      writeAuditRow(deps, { state, end: error, result });
      return toInvokeResult(state, result);
    } finally {
      scope.close();
    }
  };
}

function findCallable(way: Way): Callable {
  const { state, deps } = way;
  const found = findInAnyCase(deps.find, state.request.name);
  if (found instanceof ToolError) {
    countStopped(way, { error: found, known: false });
    throw found;
  }
  state.toolName = found.name;
  return found;
}

async function runFound(run: Run): Promise<ToolResult> {
  const { callable, state, deps } = run;
  const params = await readParams(run);
  state.params = params;
  state.stage = "budget";
  const watch = deps.loop.begin({ toolName: callable.name, params, known: true });
  deps.budget.begin();
  const place = callable.lineUp?.();
  try {
    return await runJournaled(run, { params, watch, place });
  } finally {
    place?.leave();
  }
}

async function readParams(run: Run): Promise<unknown> {
  const { callable, state, deps } = run;
  try {
    state.stage = "authorize";
    deps.authorize(callable.name);
    state.stage = "arguments";
    const encoding = textEncodingOf(deps.caller);
    const read = await readArguments(run, { raw: state.request.arguments, encoding });
    state.stage = "before";
    return await runBefore(run, read);
  } catch (error) {
    if (!isGivenUp(run)) countStopped(run, { error, known: true });
    throw error;
  }
}

function readArguments(
  { callable, scope }: Run,
  { raw, encoding }: { readonly raw: unknown; readonly encoding: TextEncoding },
): Promise<unknown> {
  const { signal } = scope;
  return scope.within(readingLimit(callable.deadlineMs), () =>
    callable.readArguments(raw, { signal, encoding }),
  );
}

/** Hooks, then what must be approved; what a hook changed is read and validated again. */
async function runBefore(run: Run, read: unknown): Promise<unknown> {
  const { callable, state, deps, scope } = run;
  const call = { toolCallId: state.request.id, toolName: callable.name };
  const { sessionKey } = deps.caller;
  const hooked = await runBeforeHooks({ ...call, params: read }, { hooks: deps.hooks, scope });
  // A hook is a program: its texts stand as they are, whatever the model's provider does to others.
  const params = hooked.changed
    ? await readArguments(run, { raw: hooked.params, encoding: "plain" })
    : read;
  const { approver, approvalLimitMs: limitMs } = deps;
  const approve = async (title: string) => {
    state.approvedBy = await askApproval(
      { ...call, params, title, sessionKey },
      { approver, scope, limitMs },
    );
  };
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

interface CheckedCall {
  readonly params: unknown;
  readonly watch: LoopWatch;
  readonly place: Turn | undefined;
  readonly begin?: () => Promise<unknown>;
}

async function runJournaled(run: Run, call: CheckedCall): Promise<ToolResult> {
  const { state, scope } = run;
  const { early, begun } = beginBoth(run, call);
  const finish = await begun;
  let outcome: Parameters<FinishJournal>[0] = "interrupted";
  try {
    if (!early) scope.assertGoing();
    state.stage = "execute";
    const result = await (early ?? executeTimed(run, call));
    outcome = result.isError ? "error" : "ok";
    state.stage = "bound";
    return await showExecuted(run, { ...call, result });
  } catch (error) {
    if (!isGivenUp(run)) state.note = call.watch.end(toErrorResult(state.toolName, error));
    throw error;
  } finally {
    await finish(outcome);
  }
}

function beginBoth(run: Run, call: CheckedCall) {
  const { callable, state, deps, scope } = run;
  const { id: toolCallId } = state.request;
  const { name: toolName, readOnly, filesOnly } = callable;
  const { sessionKey, journal, report } = deps;
  const { clock } = deps.ports;
  const named = { toolCallId, toolName, sessionKey, readOnly, params: call.params };
  const { begin, beginLate } = createJournalCall(named, { journal, report, clock, scope });
  if (!filesOnly) return { begun: begin(), early: undefined };
  const early = executeTimed(run, { ...call, begin });
  return { begun: early.then(beginLate, beginLate), early };
}

async function executeTimed(run: Run, { params, place, begin }: CheckedCall): Promise<ToolResult> {
  const { callable, state, deps, scope } = run;
  const { id: toolCallId, onUpdate } = state.request;
  const { report, wrapUntrusted, taint } = deps;
  const { clock } = deps.ports;
  const { signal } = scope;
  const wrap: UntrustedWrapper = (text, options) => {
    taint.add(options.source);
    return wrapUntrusted(text, options);
  };
  const startedMs = clock.now();
  try {
    return await scope.within(toolDeadline(callable.deadlineMs), () =>
      executeCall({ callable, toolCallId, params, signal, place, begin, onUpdate, report, wrap }),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return toErrorResult(callable.name, error);
  } finally {
    // A clock that was set back in between gives no time back.
    deps.budget.spend({ wallMs: Math.max(0, clock.now() - startedMs) });
  }
}

async function showExecuted(
  run: Run,
  { params, watch, result }: CheckedCall & { readonly result: ToolResult },
): Promise<ToolResult> {
  const { callable, state, deps, scope } = run;
  const { id: toolCallId, turn } = state.request;
  const event = { toolCallId, toolName: callable.name, params, result };
  const hooked = await runAfterHooks(event, { hooks: deps.hooks, scope });
  return showResult({ result: hooked, turn, watch }, deps);
}

function isGivenUp({ state, deps }: Way): boolean {
  return state.request.signal?.aborted === true || deps.closing?.aborted === true;
}

/** Throws in place of the error when the detectors have seen enough of it. */
function countStopped(
  { state, deps }: Way,
  { error, known }: { readonly error: unknown; readonly known: boolean },
): void {
  const { toolName, request } = state;
  const watch = deps.loop.begin({ toolName, params: request.arguments, known });
  state.note = watch.end(toErrorResult(toolName, error));
}

function toInvokeResult({ request, toolName }: CallState, result: ToolResult): InvokeResult {
  return {
    toolCallId: request.id,
    toolName,
    content: result.content,
    ...(result.details === undefined ? {} : { details: result.details }),
    isError: result.isError === true,
  };
}
