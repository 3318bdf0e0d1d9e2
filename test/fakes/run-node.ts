// Runs a program of the project in a fresh Node process, as a user would, against the built package.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));
export const DIST_DIR = join(PROJECT_DIR, "dist");

const DIST_STAMP = new URL("../../scripts/setup/dist-stamp.mjs", import.meta.url).href;
const TIMEOUT_MS = 240_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const built: { isStale?: Promise<boolean> } = {};

export interface NodeRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Output is a pipe, never a terminal. Throws when the build is not that of the sources. */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<NodeRun> {
  return await runNodeWithin(TIMEOUT_MS, { args, env });
}

/** The same, for programs that start more than themselves. */
export async function runNodeWithin(
  timeoutMs: number,
  program: { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<NodeRun> {
  const { args, env = {} } = program;
  await assertBuilt();
  const options = {
    cwd: PROJECT_DIR,
    env: { ...plainEnvironment(), ...env },
    timeout: timeoutMs,
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  return await new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (child.exitCode === null) reject(error ?? new Error("the process was ended by a signal"));
      else resolve({ exitCode: child.exitCode, stdout, stderr });
    });
  });
}

/** That of this process, without what would colour the output or load more than the program itself. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _force, NO_COLOR: _no, NODE_OPTIONS: _options, ...rest } = process.env;
  return rest;
}

/** Throws when dist is not that of the sources. Asked once: a look at all of them takes as long as a start. */
export async function assertBuilt(): Promise<void> {
  built.isStale ??= import(DIST_STAMP).then((stamp) => stamp.isDistStale(PROJECT_DIR));
  if (!(await built.isStale)) return;
  throw new Error("dist is missing or older than the sources: run `npm run build` first.");
}
