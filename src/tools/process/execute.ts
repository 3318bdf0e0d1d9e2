// Follows and steers commands in the background: finds the session, then does one action. What goes
// wrong with a session is a result, so that the model reads it as it reads output.

import { type Processes, type ProcessRun, ToolError, type ToolResult } from "../../core/index.js";
import { clear, kill, remove } from "./actions/end.js";
import { paste, sendKeys, submit, write } from "./actions/input.js";
import { list } from "./actions/list.js";
import { log } from "./actions/log.js";
import { poll } from "./actions/poll.js";
import { failed } from "./failed.js";
import type { ProcessCall } from "./index.js";
import type { ProcessAction } from "./limits.js";

/** What an action gets: the call, the port, and the session that it is about. */
export interface SessionCall {
  readonly call: ProcessCall;
  readonly processes: Processes;
  readonly run: ProcessRun;
}

type SessionAction = (session: SessionCall) => Promise<ToolResult>;

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

export async function execute(call: ProcessCall): Promise<ToolResult> {
  const { params, ctx } = call;
  const { processes } = ctx;
  if (processes === undefined) throw noProcesses();
  await processes.recover?.();
  if (params.action === "list") return list(call, processes);
  const { sessionId } = params;
  if (sessionId === undefined) {
    return failed(`sessionId is required for ${params.action}; process list shows the sessions.`);
  }
  const run = processes.find(sessionId, { agentId: ctx.agentId });
  if (run === undefined) {
    return failed(
      `There is no session "${sessionId}": it was never started here, or is forgotten by now. process list shows the sessions.`,
    );
  }
  return SESSION_ACTIONS[params.action]({ call, processes, run });
}

function noProcesses(): ToolError {
  return new ToolError(
    "unavailable",
    "process needs processes in the context, or root or workspaceDir; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["processes"] } },
  );
}
