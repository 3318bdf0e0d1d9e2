// What git itself says about the repository of a folder: where it lies, and which settings it makes.

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { promisify } from "node:util";
import type { RepositoryFacts } from "../../core/command/index.js";
import { isInside } from "../../lib/is-inside.js";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** The repository is looked for by the rules by which the command itself will look for it. */
const RULES = ["-c", "safe.bareRepository=explicit"];

const run = promisify(execFile);

export interface RepositoryRequest {
  readonly git: string;
  readonly cwd: string;
  readonly searchPath: readonly string[];
  readonly signal: AbortSignal;
}

/** Undefined where there is none that git opens. */
export async function askRepository(
  request: RepositoryRequest,
): Promise<RepositoryFacts | undefined> {
  const { git, cwd, searchPath, signal } = request;
  const options = {
    cwd,
    signal,
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    env: { PATH: searchPath.join(":"), LC_ALL: "C", HOME: process.env.HOME ?? "/nonexistent" },
  };
  const where = [
    "--path-format=absolute",
    "--show-toplevel",
    "--absolute-git-dir",
    "--git-common-dir",
  ];
  try {
    const [places, names] = await Promise.all([
      run(git, [...RULES, "rev-parse", ...where], options),
      run(git, [...RULES, "config", "--local", "--list", "--name-only", "-z"], options),
    ]);
    return toFacts(places.stdout.split("\n"), names.stdout.split("\0"));
  } catch (error) {
    if (signal.aborted) throw error;
    // Not a repository, or one that git refuses to open: nothing is known about it.
    return undefined;
  }
}

function toFacts(places: readonly string[], names: readonly string[]): RepositoryFacts | undefined {
  const [workTree, gitFolder, common, ...rest] = places;
  // A line more than the end of the text: one of the paths has a line break in it.
  if (!workTree || !gitFolder || !common || rest.length !== 1) return undefined;
  const shared = realpathSync.native(common);
  if (!isInside(realpathSync.native(gitFolder), shared)) return undefined;
  const keys = [...new Set(names.filter((name) => name !== ""))].map(toLowerName).sort();
  return { workTree: realpathSync.native(workTree), gitFolder: shared, keys };
}

function toLowerName(key: string): string {
  return key.toLowerCase();
}
