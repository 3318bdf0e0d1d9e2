// What the model sees of `subagents`: the runs that this session started.

import {
  defineBuiltIn,
  type ToolCall,
  ToolError,
  ToolInputError,
  type ToolResult,
  t,
  textResult,
} from "../../core/index.js";
import { type CallerSessions, type RunRow, sessionsOf } from "../../core/server.js";

const DEFAULT_WAIT_SECONDS = 30;
const DEFAULT_RECENT_MINUTES = 30;
/** Also what `target` may name. */
const MAX_RUN_AGE_MINUTES = 7 * 24 * 60;
const LOG_MESSAGES = 20;
const LINE_CHARS = 120;
const MAX_WAIT_SECONDS = 60;

const parameters = t.object({
  action: t.optional(
    t.choice(["list", "wait", "steer", "kill", "log", "info"], {
      description:
        "wait: until a run ends; steer: send message into a run; kill: stop a run; log: its last messages; info: task, times, usage, result.",
      default: "list",
    }),
  ),
  target: t.optional(
    t.string({
      description:
        "Number from list, label, runId or session key; last; or all, for wait and kill. Needed but for list.",
      minLength: 1,
    }),
  ),
  message: t.optional(t.string({ description: "steer: text for the sub-agent.", minLength: 1 })),
  timeoutSeconds: t.optional(
    t.number({
      description: "wait: longest wait; default 30, at most 60.",
      minimum: 0,
    }),
  ),
  recentMinutes: t.optional(
    t.number({
      description: "list: finished runs this recent are shown too; default 30.",
      minimum: 1,
    }),
  ),
});

const needs = ["sessions"] as const;

export type SubagentsCall = ToolCall<typeof parameters, typeof needs>;

export const subagents = defineBuiltIn({
  name: "subagents",
  description:
    "List, wait for, steer or stop the sub-agents this session started, and theirs. Shows number, label, status, runtime and session key of each.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { taskId: "target", runId: "target", sessionKey: "target" },
  guidance: [
    "Results of sub-agents arrive by themselves: use subagents wait only when you cannot go on without one, and never list in a loop.",
  ],
  execute,
});

const OPEN: readonly string[] = ["queued", "running"];

type Action = NonNullable<SubagentsCall["params"]["action"]>;

async function execute(call: SubagentsCall): Promise<ToolResult> {
  const sessions = sessionsOf(call);
  return ACTIONS[call.params.action ?? "list"](call, sessions);
}

const ACTIONS = { list, wait, steer, kill, log, info } satisfies Record<
  Action,
  (call: SubagentsCall, sessions: CallerSessions) => Promise<ToolResult>
>;

async function list({ params, ctx }: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  const { recentMinutes = DEFAULT_RECENT_MINUTES } = params;
  const all = await sessions.subagents({ recentMinutes: MAX_RUN_AGE_MINUTES });
  const since = ctx.clock.now() - recentMinutes * 60_000;
  const isShown = ({ state, endedAtMs = 0 }: RunRow) => OPEN.includes(state) || endedAtMs >= since;
  // Numbers count over all runs, so that they stay the same for the other actions.
  const lines = all.flatMap((run, index) =>
    isShown(run) ? [showRun(run, index + 1, ctx.clock.now())] : [],
  );
  if (lines.length === 0) return textResult("No sub-agents.", { runs: [] });
  return textResult(lines.join("\n"), { runs: all.filter(isShown) });
}

async function wait(call: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  const { timeoutSeconds = DEFAULT_WAIT_SECONDS } = call.params;
  const runs = await findRuns(call, sessions);
  const rows = await sessions.wait({
    runIds: runs.map(({ runId }) => runId),
    timeoutMs: Math.min(timeoutSeconds, MAX_WAIT_SECONDS) * 1_000,
    signal: call.signal,
  });
  const open = rows.filter(({ state }) => OPEN.includes(state));
  const notices =
    open.length === 0
      ? []
      : [`${open.length} still running; the result arrives by itself, so go on with other work.`];
  return { ...showResults(rows, call), notices };
}

async function steer(call: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  const { message } = call.params;
  if (message === undefined) throw new ToolInputError("steer needs message.");
  const [run] = await findRuns(call, sessions, "one");
  if (run === undefined) return textResult("No sub-agents.");
  await sessions.steer(run.runId, message);
  return textResult(`Sent to ${nameOf(run)}; it reads it at its next turn.`, { runId: run.runId });
}

async function kill(call: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  const ended: RunRow[] = [];
  for (const run of await findRuns(call, sessions)) {
    // Ended with its parent a moment ago.
    if (ended.some(({ runId }) => runId === run.runId)) continue;
    ended.push(...(await sessions.kill(run.runId)));
  }
  if (ended.length === 0) return textResult("Nothing was running.", { runs: [] });
  const lines = ended.map((run) => `${nameOf(run)}: ${run.state}`);
  return textResult(`Stopped, with everything they had started:\n${lines.join("\n")}`, {
    runs: ended,
  });
}

async function log(call: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  const [run] = await findRuns(call, sessions, "one");
  if (run === undefined) return textResult("No sub-agents.");
  const { sessionKey } = run;
  const request = { session: sessionKey, limit: LOG_MESSAGES, includeTools: true };
  const { messages } = await sessions.history(request);
  const lines = messages.map(({ role, toolName, content }) => {
    const text = content.map((block) => block.text).join(" ");
    return `${toolName ?? role}: ${oneLine(text)}`;
  });
  const shown = lines.length === 0 ? "(nothing yet)" : lines.join("\n");
  return { ...textResult(shown, { sessionKey }), untrusted: { source: `session ${sessionKey}` } };
}

async function info(call: SubagentsCall, sessions: CallerSessions): Promise<ToolResult> {
  return showResults(await findRuns(call, sessions, "one"), call);
}

function showResults(rows: readonly RunRow[], { ctx }: SubagentsCall): ToolResult {
  const lines = rows.flatMap((run, index) => [
    showRun(run, index + 1, ctx.clock.now()),
    `  task: ${oneLine(run.task)}`,
    ...(run.error === undefined ? [] : [`  error: ${run.error}`]),
    ...(run.reply === undefined ? [] : [`  result: ${run.reply}`]),
  ]);
  const result = textResult(lines.join("\n"), { runs: rows });
  const hasReply = rows.some(({ reply }) => reply !== undefined);
  return hasReply ? { ...result, untrusted: { source: "sub-agents" } } : result;
}

/** By number, label, run id or session key; `last`, or `all` that are still open. */
async function findRuns(
  { params: { target, action } }: SubagentsCall,
  sessions: CallerSessions,
  count: "one" | "any" = "any",
): Promise<readonly RunRow[]> {
  const all = await sessions.subagents({ recentMinutes: MAX_RUN_AGE_MINUTES });
  if (target === undefined) throw new ToolInputError(`${action} needs target: a number from list.`);
  if (target === "all") {
    if (count === "one") throw new ToolInputError(`${action} takes one target, not all.`);
    return all.filter(({ state }) => OPEN.includes(state));
  }
  const matches = all.filter(
    ({ runId, sessionKey, label }, index) =>
      target === String(index + 1) ||
      (target === "last" && index === 0) ||
      [runId, sessionKey, label].includes(target),
  );
  if (matches.length > 1) {
    throw new ToolInputError(`"${target}" names ${matches.length} runs; use a runId from list.`);
  }
  if (matches.length === 1) return matches;
  throw new ToolError(
    "not_found",
    `No sub-agent "${target.slice(0, 80)}" of this session. See list.`,
    { reason: "run_unknown" },
  );
}

function showRun(run: RunRow, number: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round(((run.endedAtMs ?? nowMs) - run.createdAtMs) / 1_000));
  const tokens = run.inputTokens + run.outputTokens;
  return `${number}. ${nameOf(run)} · ${run.state} · ${seconds} s · ${tokens} tokens · ${run.sessionKey}`;
}

function nameOf({ label, task }: RunRow): string {
  return `"${label ?? oneLine(task)}"`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS - 1)}…` : line;
}
