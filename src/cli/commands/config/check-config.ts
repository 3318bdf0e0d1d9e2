// All problems of a loaded config: of its files, its values and its policy.

import { type ConfigProblem, type LoadedConfig, valueAsWritten } from "../../../config/index.js";
import { findPolicyProblems } from "../../../toolkit/index.js";
import { findProviderProblems } from "./search-provider.js";

/** A toolkit continues after such a typo; a command does not. */
const READ_AS = / and is read as "[^"]*" until you fix it\.?$/;

export type CheckedConfig = Pick<LoadedConfig, "path" | "exists" | "ok" | "problems">;

/** Compiled for everyone, so that no `tools` command refuses what passes here. */
export function checkConfig(loaded: LoadedConfig): CheckedConfig {
  const { path, exists, written } = loaded;
  const config = loaded.ok ? loaded.config : loaded.draft;
  const reported = new Set(loaded.problems.map((problem) => problem.path));
  const more = findPolicyProblems(config ?? {})
    // The schema's message for the same path is clearer.
    .filter((problem) => loaded.ok || (problem.code !== "malformed" && !reported.has(problem.path)))
    .map(({ path: place, severity, message, nearest }): ConfigProblem => {
      const said = message.replace(READ_AS, () => `; did you mean "${nearest}"?`);
      return { path: place, severity, message: said };
    });
  const found = [...more, ...findProviderProblems(config ?? {})];
  const problems = [...loaded.problems, ...valueAsWritten(found, written)];
  const ok = loaded.ok && more.every(({ severity }) => severity !== "error");
  return { path, exists, ok, problems };
}

export function describeProblem({ path, message }: ConfigProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}
