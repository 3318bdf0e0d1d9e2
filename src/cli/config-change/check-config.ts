// Every problem of a loaded config: those of its files and values, and those of its policy.

import type { ClawtoolsConfig, ConfigProblem, LoadedConfig } from "../../config/index.js";
import { SEARCH_PROVIDER_IDS } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import { findPolicyProblems } from "../../toolkit/index.js";
import { sentenceAsWritten } from "../as-written.js";

export type CheckedConfig = Pick<LoadedConfig, "path" | "exists" | "ok" | "problems">;

/** The policy is compiled for everybody, so that no `tools` command refuses what passes here. */
export function checkConfig(loaded: LoadedConfig): CheckedConfig {
  const { path, exists, written } = loaded;
  const config = loaded.ok ? loaded.config : loaded.draft;
  const told = new Set(loaded.problems.map((problem) => problem.path));
  const more = findPolicyProblems(config ?? {})
    // Where the schema has found something wrong, it has said it better.
    .filter((problem) => loaded.ok || (problem.code !== "malformed" && !told.has(problem.path)))
    .map(({ path: place, severity, message }): ConfigProblem => {
      return { path: place, severity, message: sentenceAsWritten(message, written) };
    });
  const problems = [...loaded.problems, ...more, ...findProviderProblems(config ?? {})];
  const ok = loaded.ok && more.every(({ severity }) => severity !== "error");
  return { path, exists, ok, problems };
}

/** Who searches may also come with a plugin, which is not loaded here. */
function findProviderProblems({ tools, plugins }: ClawtoolsConfig): ConfigProblem[] {
  const provider = tools?.web?.search?.provider;
  if (typeof provider !== "string" || plugins !== undefined) return [];
  if (SEARCH_PROVIDER_IDS.some((id) => id === provider)) return [];
  const nearest = nearestName(provider, SEARCH_PROVIDER_IDS);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  const known = SEARCH_PROVIDER_IDS.join(", ");
  const message = `"${toPrintable(provider, 80)}" is none of ${known}, and no plugin is set up that could bring it${hint}`;
  return [{ path: "tools.web.search.provider", severity: "warning", message }];
}

export function describeProblem({ path, message }: ConfigProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}
