// Files whose content a step runs: scripts that an interpreter is given, and programs of the workspace
// itself. Each with the hash of its bytes.

import { statSync } from "node:fs";
import {
  type CommandRefusal,
  isInterpreter,
  type PlanRedirect,
  type PlanStep,
} from "../../core/command/index.js";
import type { FoundProgram } from "./find-program.js";
import { hashBounded } from "./hash.js";
import { findRealPath } from "./real-path.js";
import { refuse } from "./refusal.js";

const MAX_SCRIPTS = 16;
const MAX_SCRIPT_BYTES = 32 * 1024 * 1024;

export interface ScriptRequest {
  readonly found: FoundProgram;
  readonly args: readonly string[];
  readonly redirects: readonly PlanRedirect[];
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export async function findScripts(
  request: ScriptRequest,
): Promise<PlanStep["scripts"] | CommandRefusal> {
  const paths = listScripts(request);
  if (paths.length > MAX_SCRIPTS) {
    return refuse("too_many_scripts", `The command names more than ${MAX_SCRIPTS} scripts.`);
  }
  const scripts: { path: string; contentHash: string }[] = [];
  for (const path of paths) {
    const limit = { maxBytes: MAX_SCRIPT_BYTES, signal: request.signal };
    const contentHash = await hashBounded(path, limit);
    if (contentHash === undefined) {
      return refuse(
        "script_too_large",
        `The script "${path}" is larger than ${MAX_SCRIPT_BYTES} bytes.`,
      );
    }
    scripts.push({ path, contentHash });
  }
  return scripts;
}

function listScripts({ found, args, redirects, cwd }: ScriptRequest): string[] {
  const own = found.isInRoot ? [found.program.path] : [];
  if (!isInterpreter({ file: found.file, path: found.program.path })) return own;
  const named = args.filter((word) => word !== "" && !word.startsWith("-"));
  const given = redirects.flatMap((redirect) => (redirect.kind === "read" ? [redirect.path] : []));
  const files = [...named.map((word) => findRealPath(word, cwd)), ...given];
  return [
    ...new Set([...own, ...files.filter((path) => path !== undefined && isFile(path))]),
  ].filter((path) => path !== undefined);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A word that is too long or leads below a file names none.
    return false;
  }
}
