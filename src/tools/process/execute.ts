// `process`: finds the session and runs one action. Problems with a session are results, not errors.

import {
  type OutputView,
  type Processes,
  type ProcessRun,
  type ProcessScope,
  ToolError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { pause } from "../../lib/system/pause.js";
import { log, paste, sendKeys, submit, write } from "./actions.js";
import type { ProcessCall, ProcessDetails } from "./index.js";
import {
  describeListed,
  describeSession,
  failed,
  idleOf,
  MAX_GATHER_MS,
  MAX_POLL_MS,
  PAUSE_MS,
  type ProcessAction,
  runtimeOf,
  statusOf,
  tellState,
} from "./session.js";

/** For the text around the output. */
const RESERVED_CHARS = 1_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const STATUS_CHARS = 9;
const MAX_COMMAND_CHARS = 60;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface SessionCall {
  readonly call: ProcessCall;
  readonly processes: Processes;
  readonly run: ProcessRun;
}

type SessionAction = (session: SessionCall) => Promise<ToolResult<ProcessDetails>>;

const SESSION_ACTIONS = {
  poll,
  log,
  write,
  "send-keys": sendKeys,
  submit,
  paste,
  kill,
  clear,
  remove,
} as const satisfies Record<Exclude<ProcessAction, "list">, SessionAction>;

export async function execute(call: ProcessCall): Promise<ToolResult<ProcessDetails>> {
  const { params, ctx } = call;
  const { processes } = ctx;
  if (processes === undefined) throw noProcesses();
  await processes.recover?.();
  if (params.action === "list") return list(call, processes);
  const { sessionId } = params;
  if (sessionId === undefined) {
    return failed(`sessionId is required for ${params.action}; process list shows the sessions.`);
  }
  const run = processes.find(sessionId, scopeOf(ctx));
  if (run === undefined) {
    return failed(
      `Unknown session "${sessionId}": it was never started here, or has been removed. process list shows the sessions.`,
    );
  }
  return SESSION_ACTIONS[params.action]({ call, processes, run });
}

function scopeOf({ agentId, sessionKey }: ProcessCall["ctx"]): ProcessScope {
  return { agentId, sessionKey };
}

function noProcesses(): ToolError {
  return new ToolError(
    "unavailable",
    "process needs processes in the context, or root or workspaceDir; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["processes"] } },
  );
}

async function kill({ run }: SessionCall): Promise<ToolResult<ProcessDetails>> {
  if (run.end !== undefined) {
    return failed(
      `Session ${run.sessionId} has already ended: ${tellState(run)}`,
      describeSession(run),
    );
  }
  const { survivors } = await run.kill();
  run.acknowledge();
  const left = survivors?.length
    ? ` Processes that could not be ended: ${survivors.join(", ")}.`
    : "";
  return textResult<ProcessDetails>(
    `Session ${run.sessionId} was ended, with everything it started.${left} process log still shows its output.`,
    { ...describeSession(run), status: "completed", ...(survivors?.length ? { survivors } : {}) },
  );
}

async function clear(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { run } = session;
  if (run.end === undefined) {
    return failed(
      `Session ${run.sessionId} is still running; end it with kill, or use remove to do both.`,
      describeSession(run),
    );
  }
  return forget(session);
}

async function remove(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  if (session.run.end === undefined) await session.run.kill();
  return forget(session);
}

async function forget({ call, processes, run }: SessionCall): Promise<ToolResult<ProcessDetails>> {
  run.acknowledge();
  await processes.forget(run.sessionId, scopeOf(call.ctx));
  return textResult<ProcessDetails>(
    `Session ${run.sessionId} is forgotten, and its output with it.`,
    {
      ...describeSession(run),
      status: "completed",
    },
  );
}

async function list(
  { ctx }: ProcessCall,
  processes: Processes,
): Promise<ToolResult<ProcessDetails>> {
  const runs = processes.list(scopeOf(ctx));
  const nowMs = ctx.clock.now();
  const text = runs.length === 0 ? "No running or recent sessions." : toTable(runs, nowMs);
  return textResult<ProcessDetails>(text, {
    status: "completed",
    sessions: runs.map((run) => describeListed(run, nowMs)),
  });
}

function toTable(runs: readonly ProcessRun[], nowMs: number): string {
  const times = runs.map((run) => toShortTime(runtimeOf(run, nowMs)));
  const idChars = Math.max(...runs.map(({ sessionId }) => sessionId.length));
  const timeChars = Math.max(...times.map(({ length }) => length));
  const lines = runs.map((run, index) => {
    const time = (times[index] ?? "").padStart(timeChars);
    const status = statusOf(run).padEnd(STATUS_CHARS);
    return `${run.sessionId.padEnd(idChars)} ${status} ${time} :: ${showCommand(run)}`;
  });
  return lines.join("\n");
}

function showCommand({ command }: ProcessRun): string {
  return toPrintable(command.replace(/\s+/g, " ").trim(), MAX_COMMAND_CHARS);
}

function toShortTime(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)}ms`;
  if (durationMs < MINUTE_MS) return `${Math.floor(durationMs / SECOND_MS)}s`;
  const minutes = Math.floor((durationMs % HOUR_MS) / MINUTE_MS);
  if (durationMs < HOUR_MS)
    return `${minutes}m${Math.floor((durationMs % MINUTE_MS) / SECOND_MS)}s`;
  return `${Math.floor(durationMs / HOUR_MS)}h${minutes}m`;
}

async function poll(session: SessionCall): Promise<ToolResult<ProcessDetails>> {
  const { call, run } = session;
  const news = await readNews(session);
  if (run.end !== undefined) run.acknowledge();
  const cut =
    news.omittedChars > 0
      ? `[process log with sessionId "${run.sessionId}" and offset ${news.omittedFromLine ?? 0} shows what is left out.]`
      : "";
  const retryInMs =
    run.end === undefined ? retryAfter(idleOf(run, call.ctx.clock.now())) : undefined;
  const next =
    retryInMs === undefined
      ? ""
      : ` process poll with timeout ${MAX_POLL_MS} waits for more output or the end; process kill ends it.`;
  const parts = [news.text.trimEnd() || "(no new output)", cut, `${tellState(run)}${next}`];
  return textResult<ProcessDetails>(parts.filter(Boolean).join("\n\n"), {
    ...describeSession(run),
    aggregated: news.text,
    ...(retryInMs === undefined ? {} : { retryInMs }),
  });
}

/** A redrawn screen may have no news. */
async function readNews(session: SessionCall): Promise<OutputView> {
  const { call, run } = session;
  const { params, ctx, signal } = call;
  const take = () => run.output.take(Math.max(0, ctx.limits.resultChars - RESERVED_CHARS));
  const untilMs = ctx.clock.now() + (params.timeout ?? 0);
  const nextPause = () => gather(session, Math.min(untilMs, ctx.clock.now() + MAX_GATHER_MS));
  if (run.lastOutputAtMs !== undefined && idleOf(run, ctx.clock.now()) < PAUSE_MS) {
    await nextPause();
    signal.throwIfAborted();
  }
  let news = take();
  while (news.text === "" && run.end === undefined) {
    const timeoutMs = untilMs - ctx.clock.now();
    if (timeoutMs <= 0) break;
    await run.waitForChange({ timeoutMs, signal });
    await nextPause();
    signal.throwIfAborted();
    news = take();
  }
  return news;
}

/** Until output pauses, the end, `untilMs` or an abort. */
async function gather({ call, run }: SessionCall, untilMs: number): Promise<void> {
  const { clock } = call.ctx;
  let before: number | undefined;
  while (run.end === undefined && !call.signal.aborted && run.lastOutputAtMs !== before) {
    before = run.lastOutputAtMs;
    const waitMs = Math.min(PAUSE_MS, untilMs - clock.now());
    if (waitMs <= 0) return;
    await Promise.race([run.ended, pause(clock, { delayMs: waitMs, signal: call.signal })]);
  }
}

/** Longer silence means a later retry. */
function retryAfter(idleMs: number): number {
  return Math.round(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, idleMs)));
}
