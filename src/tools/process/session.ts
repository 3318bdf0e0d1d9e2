// A session as text and as data.

import { type ProcessRun, type ToolResult, textResult } from "../../core/index.js";
import type { ProcessDetails } from "./index.js";

const TAIL_CHARS = 2_000;

type SessionStatus = "running" | "completed" | "failed";

/** Any exit code is an answer, not a failure. */
export function statusOf({ end }: ProcessRun): SessionStatus {
  if (end === undefined) return "running";
  return end.reason === "exit" ? "completed" : "failed";
}

export function describeSession(run: ProcessRun) {
  const { sessionId, name, end } = run;
  return {
    status: statusOf(run),
    sessionId,
    name,
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...(end?.exitSignal === undefined ? {} : { exitSignal: end.exitSignal }),
  };
}

export function describeListed(run: ProcessRun, nowMs: number) {
  const { pid, cwd, command, end, output, lastOutputAtMs } = run;
  const tail = output.tail(TAIL_CHARS);
  return {
    ...describeSession(run),
    pid,
    startedAt: run.startedAtMs,
    ...(end === undefined ? {} : { endedAt: end.endedAtMs }),
    runtimeMs: runtimeOf(run, nowMs),
    cwd,
    command,
    tail,
    truncated: tail.length >= TAIL_CHARS,
    stdinWritable: run.canWrite,
    ...(lastOutputAtMs === undefined ? {} : { lastOutputAt: lastOutputAtMs }),
    ...(end === undefined ? { idleMs: idleOf(run, nowMs) } : {}),
  };
}

export function tellState({ end }: ProcessRun): string {
  if (end === undefined) return "Process still running.";
  if (end.reason === "exit") return `Process exited with code ${end.exitCode}.`;
  return ENDS[end.reason](end.exitSignal ?? "an unknown signal");
}

const ENDS = {
  signal: (signal: string) => `Process was ended by ${signal}.`,
  timeout: () => "Process reached its time limit and was ended.",
  killed: () => "Process was ended on request.",
  not_found: () => "Process exited with code 127: command not found.",
  not_executable: () => "Process exited with code 126: command not executable.",
  interrupted: () => "Process was interrupted when its host stopped; how far it came is unknown.",
} as const satisfies Record<string, (signal: string) => string>;

export function runtimeOf({ startedAtMs, end }: ProcessRun, nowMs: number): number {
  return Math.max(0, (end?.endedAtMs ?? nowMs) - startedAtMs);
}

export function idleOf({ startedAtMs, lastOutputAtMs }: ProcessRun, nowMs: number): number {
  return Math.max(0, nowMs - (lastOutputAtMs ?? startedAtMs));
}

export function failed(
  text: string,
  facts: Partial<ProcessDetails> = {},
): ToolResult<ProcessDetails> {
  return {
    ...textResult<ProcessDetails>(text, { ...facts, status: "failed", error: text }),
    isError: true,
  };
}

export const PROCESS_ACTIONS = [
  "list",
  "poll",
  "log",
  "write",
  "send-keys",
  "submit",
  "paste",
  "kill",
  "clear",
  "remove",
] as const;
export type ProcessAction = (typeof PROCESS_ACTIONS)[number];

export const MAX_POLL_MS = 120_000;
/** Output often comes in pieces. */
export const PAUSE_MS = 300;
export const MAX_GATHER_MS = 2_000;
export const DEFAULT_LOG_LINES = 200;
