// Sends a message into another session and waits for the reply of that run.

import { jsonResult, ToolInputError, type ToolResult } from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";
import type { SessionsSendCall } from "./index.js";

const DEFAULT_WAIT_SECONDS = 30;

export async function execute(call: SessionsSendCall): Promise<ToolResult> {
  const {
    sessionKey,
    label,
    agentId,
    message,
    timeoutSeconds = DEFAULT_WAIT_SECONDS,
  } = call.params;
  if (sessionKey !== undefined && label !== undefined) {
    throw new ToolInputError("Provide either sessionKey or label (not both).");
  }
  if (sessionKey === undefined && label === undefined) {
    throw new ToolInputError("Either sessionKey or label is required.");
  }
  const {
    runId,
    sessionKey: target,
    status,
    reply,
    error,
  } = await sessionsOf(call).send({
    target: { session: sessionKey, label, agentId },
    message,
    timeoutMs: timeoutSeconds * 1_000,
    signal: call.signal,
  });
  const delivery = { status: "pending", mode: "announce" } as const;
  const result = jsonResult({
    ...{ runId, status, sessionKey: target },
    ...(reply === undefined ? {} : { reply }),
    ...(error === undefined ? {} : { error }),
    ...(status === "accepted" ? { delivery } : {}),
  });
  if (status === "accepted") {
    const notices = ["The run goes on; its reply arrives here as a message. Do not send it again."];
    return { ...result, notices };
  }
  // What the other agent says may come from people and pages that it read.
  return reply === undefined ? result : { ...result, untrusted: { source: `session ${target}` } };
}
