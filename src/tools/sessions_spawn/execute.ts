// Starts a sub-agent; its completion arrives in the requester's inbox.

import { jsonResult, type ToolResult } from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";
import type { SessionsSpawnCall } from "./index.js";

export async function execute(call: SessionsSpawnCall): Promise<ToolResult> {
  const { runTimeoutSeconds = 0, ...rest } = call.params;
  const spawned = await sessionsOf(call).spawn({
    ...rest,
    runTimeoutMs: runTimeoutSeconds * 1_000,
  });
  return jsonResult({ status: "accepted", ...spawned });
}
