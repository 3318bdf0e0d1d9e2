// The config that a command runs with. An error in it stops the command; every problem is printed.

import type { ClawtoolsConfig, ConfigProblem, LoadedConfig } from "../config/index.js";
import { ToolInputError } from "../core/index.js";
import { toPrintable } from "../lib/unicode-text.js";
import type { CommandCall } from "./command.js";

const MAX_PROBLEM_CHARS = 4_000;

export interface UsableConfig extends Pick<LoadedConfig, "path" | "parts" | "written"> {
  readonly config: ClawtoolsConfig;
  /** The lines that were printed about it. */
  readonly reported: ReadonlySet<string>;
}

/** Throws a ToolInputError when the config has an error. */
export async function readUsableConfig({ place, output }: CommandCall): Promise<UsableConfig> {
  const { loadConfig } = await import("../config/index.js");
  const loaded = await loadConfig(place);
  const { path, parts, written, problems } = loaded;
  const reported = new Set(problems.map(formatProblem));
  for (const line of reported) output.warn(line);
  if (loaded.ok) return { config: loaded.config, path, parts, written, reported };
  const count = problems.filter(({ severity }) => severity === "error").length;
  const errors = count === 1 ? "1 error" : `${count} errors`;
  const flag = place.path === undefined ? "" : ` --config ${place.path}`;
  throw new ToolInputError(
    `The config ${path ?? ""} has ${errors} and cannot be used. Fix it, then run \`clawtools config validate${flag}\`.`,
    { reason: "config_invalid" },
  );
}

function formatProblem({ severity, path, message }: ConfigProblem): string {
  const place = path === "" ? "" : `${path}: `;
  return toPrintable(`${severity}: ${place}${message}`, MAX_PROBLEM_CHARS);
}
