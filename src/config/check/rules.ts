// What a schema cannot say: rules between several values of a config that is right in itself.

import { type KeyPath, showKeyPath } from "../key-path.js";
import type { ConfigProblem } from "../problem.js";
import type { ClawtoolsConfig } from "../schema.js";

type Rule = (config: ClawtoolsConfig) => ConfigProblem[];

const RULES: readonly Rule[] = [findRepeatedAgents, findTokenlessHooks, findUnclearServers];

export function checkRules(config: ClawtoolsConfig): ConfigProblem[] {
  return RULES.flatMap((rule) => rule(config));
}

/** Two agents with one id would leave open whose tools count. Ids are blind to case. */
function findRepeatedAgents(config: ClawtoolsConfig): ConfigProblem[] {
  const seen = new Map<string, number>();
  return (config.agents?.list ?? []).flatMap(({ id }, index) => {
    const folded = id.trim().toLowerCase();
    const first = seen.get(folded);
    seen.set(folded, first ?? index);
    if (first === undefined) return [];
    return [wrong(["agents", "list", index, "id"], `repeats the id of agents.list[${first}]`)];
  });
}

function findTokenlessHooks(config: ClawtoolsConfig): ConfigProblem[] {
  const { hooks } = config;
  if (hooks?.enabled !== true || (hooks.token ?? "") !== "") return [];
  return [wrong(["hooks", "token"], "is required when hooks.enabled is true")];
}

function findUnclearServers(config: ClawtoolsConfig): ConfigProblem[] {
  return Object.entries(config.mcp?.servers ?? {}).flatMap(([id, { command, url }]) => {
    if ((command === undefined) !== (url === undefined)) return [];
    const message =
      command === undefined ? "needs command or url" : "has both command and url; keep one";
    return [wrong(["mcp", "servers", id], message)];
  });
}

function wrong(path: KeyPath, message: string): ConfigProblem {
  return { path: showKeyPath(path), severity: "error", message };
}
