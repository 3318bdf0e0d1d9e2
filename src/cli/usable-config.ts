// The config that a command runs with. An error in it stops the command; every problem is printed.

import type { ClawtoolsConfig, ConfigProblem, LoadedConfig } from "../config/index.js";
import { ToolInputError } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import type { CommandCall } from "./command.js";

const MAX_PROBLEM_CHARS = 4_000;

export interface UsableConfig extends Pick<LoadedConfig, "path" | "parts" | "written"> {
  readonly config: ClawtoolsConfig;
  readonly reported: ReadonlySet<string>;
}

/** Throws a ToolInputError when the config has an error. */
export async function readUsableConfig(call: CommandCall): Promise<UsableConfig> {
  const { loaded, reported } = await loadReported(call);
  const { path, parts, written } = loaded;
  if (!loaded.ok) throw configInvalid(call, loaded);
  const { withoutUnknownSections } = await import("../config/index.js");
  const config = withoutUnknownSections(loaded.config);
  return { config, path, parts, written, reported };
}

/** For clients of a gateway, which keeps its last good config: then errors are only warnings. */
export async function readClientConfig(
  call: CommandCall,
  { isRunning }: { readonly isRunning: boolean },
): Promise<Pick<ClawtoolsConfig, "gateway">> {
  const { loaded } = await loadReported(call);
  if (loaded.ok) return loaded.config;
  if (!isRunning) throw configInvalid(call, loaded);
  call.output.warn(
    `warning: The config ${loaded.path ?? ""} has ${countErrors(loaded)} and is not used. The gateway runs with the last working config, or with the defaults if there was none, until you fix it.`,
  );
  const { parseConfig } = await import("../config/index.js");
  const parsed = parseConfig({ gateway: loaded.draft?.gateway ?? {} });
  return parsed.ok ? parsed.config : {};
}

async function loadReported({ place, output }: CommandCall) {
  const { loadConfig } = await import("../config/index.js");
  const loaded = await loadConfig(place);
  const reported = new Set(loaded.problems.map(formatProblem));
  for (const line of reported) output.warn(line);
  return { loaded, reported };
}

function configInvalid({ place }: CommandCall, loaded: LoadedConfig): ToolInputError {
  const flag = place.path === undefined ? "" : ` --config ${place.path}`;
  return new ToolInputError(
    `The config ${loaded.path ?? ""} has ${countErrors(loaded)} and cannot be used. Fix it, then run \`clawtools config validate${flag}\`.`,
    { reason: "config_invalid" },
  );
}

function countErrors({ problems }: LoadedConfig): string {
  const count = problems.filter(({ severity }) => severity === "error").length;
  return count === 1 ? "1 error" : `${count} errors`;
}

function formatProblem({ severity, path, message }: ConfigProblem): string {
  const place = path === "" ? "" : `${path}: `;
  return toPrintable(`${severity}: ${place}${message}`, MAX_PROBLEM_CHARS);
}
