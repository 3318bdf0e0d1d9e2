// Runs a command, waits for it, and reports its end or that it continues in the background.

import {
  abortError,
  type PendingApproval,
  type ProcessEnd,
  type Processes,
  type ProcessRun,
  ToolError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import type { ExecCall, ExecDetails } from "./index.js";
import { DEFAULT_YIELD_MS, MAX_TIMEOUT_SECONDS, MAX_YIELD_MS, MIN_YIELD_MS } from "./limits.js";
import { showEnd } from "./show-end.js";

const TAIL_CHARS = 2_000;
/** For the text around the output. */
const RESERVED_CHARS = 1_000;
const TERMINAL = { columns: 120, rows: 30 } as const;

const SYNCHRONOUS_NOTE =
  "Note: the tool process is not offered here, so the command was waited for; yieldMs and background were ignored.";

export async function execute(call: ExecCall): Promise<ToolResult<ExecDetails>> {
  const { ctx, signal } = call;
  const { processes } = ctx;
  if (processes === undefined) throw noProcesses();
  const canYield = ctx.offers("process");
  const run = await start(call, { processes, canYield });
  const notes = collectNotes(call, { run, canYield });
  const quiet = run.onOutput(() => call.update(showRunning(run)));
  try {
    const limitMs = canYield ? readYieldMs(call, processes) : undefined;
    const end = await waitForEnd(run, { limitMs, ctx, signal });
    if (end) return showEnd({ call, run, end, notes, canYield });
  } finally {
    quiet();
  }
  run.toBackground();
  return showRunning(run, { notes, maxChars: ctx.limits.resultChars });
}

function start(
  call: ExecCall,
  { processes, canYield }: { readonly processes: Processes; readonly canYield: boolean },
): Promise<ProcessRun> {
  const { params, ctx, signal } = call;
  const { command, workdir, env, host, security, ask, elevated, node } = params;
  return processes.start({
    command,
    workdir,
    env,
    host,
    security,
    ask,
    elevated,
    node,
    terminal: params.pty ? TERMINAL : undefined,
    timeoutMs: readTimeoutMs(params.timeout),
    // Programs such as rg and cat read stdin when it is open.
    input: canYield && params.background ? "open" : undefined,
    agentId: ctx.agentId,
    sessionKey: ctx.sessionKey,
    toolCallId: call.id,
    signal,
    onWaiting: (pending: PendingApproval) => call.update(showWaiting(pending)),
  });
}

function readTimeoutMs(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return (seconds === 0 ? MAX_TIMEOUT_SECONDS : seconds) * 1_000;
}

function readYieldMs({ params }: ExecCall, { yieldMs }: Processes): number {
  if (params.background) return 0;
  const asked = params.yieldMs ?? yieldMs ?? DEFAULT_YIELD_MS;
  return Math.min(MAX_YIELD_MS, Math.max(MIN_YIELD_MS, asked));
}

/** Comes before the output. */
function collectNotes(
  { params }: ExecCall,
  { run, canYield }: { readonly run: ProcessRun; readonly canYield: boolean },
): readonly string[] {
  const asksToYield = params.yieldMs !== undefined || params.background === true;
  const twin =
    run.duplicateOf === undefined || !canYield
      ? []
      : [
          `Note: the same command already runs as session ${run.duplicateOf}; process poll shows how far it is.`,
        ];
  const warnings = run.warnings.map((warning) => `Warning: ${warning}`);
  return [...warnings, ...(!canYield && asksToYield ? [SYNCHRONOUS_NOTE] : []), ...twin];
}

interface Waiting {
  /** undefined: until the end. */
  readonly limitMs: number | undefined;
  readonly ctx: Pick<ExecCall["ctx"], "clock">;
  readonly signal: AbortSignal;
}

/** undefined after the time limit. An abort ends the command first, then throws. */
async function waitForEnd(run: ProcessRun, waiting: Waiting): Promise<ProcessEnd | undefined> {
  const { limitMs, ctx, signal } = waiting;
  let stopWaiting: () => void = () => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stopWaiting = () => resolve(undefined);
  });
  const takeBack = limitMs === undefined ? undefined : ctx.clock.after(limitMs, stopWaiting);
  signal.addEventListener("abort", stopWaiting);
  try {
    if (signal.aborted) stopWaiting();
    const end = await Promise.race([run.ended, stopped]);
    if (!signal.aborted) return end ?? run.end;
    await run.kill();
    throw abortError(signal);
  } finally {
    takeBack?.();
    signal.removeEventListener("abort", stopWaiting);
  }
}

function noProcesses(): ToolError {
  return new ToolError(
    "unavailable",
    "exec needs processes in the context, or root or workspaceDir to run commands in; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["processes"] } },
  );
}

type RunningDetails = Extract<ExecDetails, { status: "running" }>;

/** While waiting: the last output. In the background: the output so far, and how to go on. */
function showRunning(
  run: ProcessRun,
  left?: { readonly notes: readonly string[]; readonly maxChars: number },
): ToolResult<RunningDetails> {
  const details = describeRunning(run);
  if (left === undefined) return textResult(details.tail, details);
  // The next poll continues here.
  const { text } = run.output.take(Math.max(0, left.maxChars - RESERVED_CHARS));
  const { sessionId, pid } = run;
  const next = `Command still running (session ${sessionId}, pid ${pid}). process poll with sessionId "${sessionId}" and a timeout waits for more output or the end; process kill ends it.`;
  return textResult([...left.notes, text.trimEnd(), next].filter(Boolean).join("\n\n"), details);
}

function showWaiting(pending: PendingApproval): ToolResult {
  const { id, slug, expiresAtMs, host, command, cwd } = pending;
  return textResult(
    `Approval required (id ${slug}): a person is asked whether this command may run.`,
    {
      status: "approval-pending",
      approvalId: id,
      approvalSlug: slug,
      expiresAtMs,
      host,
      command,
      cwd,
    },
  );
}

function describeRunning(run: ProcessRun): RunningDetails {
  const { sessionId, pid, cwd, host, output } = run;
  const tail = output.tail(TAIL_CHARS);
  return { status: "running", sessionId, pid, startedAt: run.startedAtMs, cwd, host, tail };
}
