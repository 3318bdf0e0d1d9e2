// `process list`: the sessions of this agent, newest first.

import {
  type Processes,
  type ProcessRun,
  type ToolResult,
  textResult,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { describeListed, runtimeOf, statusOf } from "../describe-session.js";
import type { ProcessCall } from "../index.js";

const STATUS_CHARS = 9;
const MAX_COMMAND_CHARS = 60;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export async function list({ ctx }: ProcessCall, processes: Processes): Promise<ToolResult> {
  const runs = processes.list({ agentId: ctx.agentId });
  const nowMs = ctx.clock.now();
  const text = runs.length === 0 ? "No running or recent sessions." : toTable(runs, nowMs);
  return textResult(text, {
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
