// What is told when nothing could be started.

import { ToolError } from "../../../core/index.js";

export function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
