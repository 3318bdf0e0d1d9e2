// The config that a command works under. One with an error stops the command, and every problem is
// told with its place.

import { type ClawtoolsConfig, type ConfigProblem, loadConfig } from "../config/index.js";
import { ToolInputError } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import type { CommandCall } from "./command-call.js";

const MAX_PROBLEM_CHARS = 4_000;

export interface UsableConfig {
  readonly config: ClawtoolsConfig;
  /** undefined when there is no place for one. */
  readonly path: string | undefined;
  readonly exists: boolean;
}

/** Throws a ToolInputError when the config has an error. */
export async function readUsableConfig({ place, output }: CommandCall): Promise<UsableConfig> {
  const loaded = await loadConfig(place);
  const { path, exists, problems } = loaded;
  for (const problem of problems) output.warn(formatProblem(problem));
  if (loaded.ok) return { config: loaded.config, path, exists };
  const count = problems.filter(({ severity }) => severity === "error").length;
  const errors = count === 1 ? "1 error" : `${count} errors`;
  throw new ToolInputError(
    `The config ${path ?? ""} has ${errors} and cannot be used; mend it, then run \`clawtools config validate\`.`,
    { reason: "config_invalid" },
  );
}

function formatProblem({ severity, path, message }: ConfigProblem): string {
  const place = path === "" ? "" : ` ${path}`;
  return toPrintable(`${severity}${place}: ${message}`, MAX_PROBLEM_CHARS);
}
