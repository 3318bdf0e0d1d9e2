// The folder that a command runs in: an existing one, and in the sandbox one of the workspace.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../../core/index.js";
import { isInside } from "../../../lib/is-inside.js";

export interface WorkdirRequest {
  readonly root: string;
  readonly workdir: string | undefined;
  readonly isSandbox: boolean;
}

/** Absolute, links resolved. Nothing runs when it is not there: another folder would be a guess. */
export function resolveWorkdir(request: WorkdirRequest): string {
  const { root, workdir, isSandbox } = request;
  if (workdir === undefined) return realFolder(root, root);
  if (workdir.includes("\0")) throw invalid("workdir has a NUL in it; write it without.");
  const path = realFolder(resolve(root, workdir), workdir);
  if (!isSandbox || isInside(path, realFolder(root, root))) return path;
  throw new ToolError(
    "denied",
    `workdir "${workdir}" is outside of the workspace, where the sandbox has nothing; use a folder of the workspace.`,
    { reason: "workdir_outside_root" },
  );
}

/** Two quick questions, at once: asked by the way of the thread pool each start would wait for it. */
function realFolder(path: string, shown: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ToolError("not_found", `The folder "${shown}" does not exist; nothing was run.`, {
      reason: "workdir_missing",
      cause: error,
    });
  }
  throw invalid(`"${shown}" is not a folder; nothing was run.`);
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message, { reason: "workdir_invalid" });
}
