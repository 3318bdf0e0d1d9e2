// What is told of a command that runs, or waits for somebody's approval.

import {
  type PendingApproval,
  type ProcessRun,
  type ToolResult,
  textResult,
} from "../../core/index.js";

const TAIL_CHARS = 2_000;
/** Room for the sentences around the output. */
const RESERVED_CHARS = 1_000;

export interface RunningDetails {
  readonly status: "running";
  readonly sessionId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly cwd: string;
  readonly host: string;
  readonly tail: string;
}

/** While it is waited for: its last words. In the background: what came so far, and how to go on. */
export function showRunning(
  run: ProcessRun,
  left?: { readonly notes: readonly string[]; readonly maxChars: number },
): ToolResult<RunningDetails> {
  const details = describeRunning(run);
  if (left === undefined) return textResult(details.tail, details);
  // Taken, so that the next poll goes on where this ends.
  const { text } = run.output.take(Math.max(0, left.maxChars - RESERVED_CHARS));
  const { sessionId, pid } = run;
  const next = `Command still running (session ${sessionId}, pid ${pid}). process poll with sessionId "${sessionId}" and a timeout waits for more output or the end; process kill ends it.`;
  return textResult([...left.notes, text.trimEnd(), next].filter(Boolean).join("\n\n"), details);
}

export function showWaiting(pending: PendingApproval): ToolResult {
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
