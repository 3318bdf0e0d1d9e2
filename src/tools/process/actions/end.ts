// `process kill`, `clear` and `remove`: the end of a session, and forgetting it.

import { type ToolResult, textResult } from "../../../core/index.js";
import { describeSession, tellState } from "../describe-session.js";
import type { SessionCall } from "../execute.js";
import { failed } from "../failed.js";

export async function kill({ run }: SessionCall): Promise<ToolResult> {
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
  return textResult(
    `Session ${run.sessionId} was ended, with everything it started.${left} process log still shows its output.`,
    { ...describeSession(run), status: "completed", ...(survivors?.length ? { survivors } : {}) },
  );
}

export async function clear(session: SessionCall): Promise<ToolResult> {
  const { run } = session;
  if (run.end === undefined) {
    return failed(
      `Session ${run.sessionId} is still running; end it with kill, or use remove to do both.`,
      describeSession(run),
    );
  }
  return forget(session);
}

export async function remove(session: SessionCall): Promise<ToolResult> {
  if (session.run.end === undefined) await session.run.kill();
  return forget(session);
}

async function forget({ call, processes, run }: SessionCall): Promise<ToolResult> {
  run.acknowledge();
  await processes.forget(run.sessionId, { agentId: call.ctx.agentId });
  return textResult(`Session ${run.sessionId} is forgotten, and its output with it.`, {
    ...describeSession(run),
    status: "completed",
  });
}
