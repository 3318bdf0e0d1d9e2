// Every problem of a loaded config: those of its files and values, and those of its policy.

import type { ConfigProblem, LoadedConfig } from "../../config/index.js";
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
  const problems = [...loaded.problems, ...more];
  const ok = loaded.ok && more.every(({ severity }) => severity !== "error");
  return { path, exists, ok, problems };
}

export function describeProblem({ path, message }: ConfigProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}
