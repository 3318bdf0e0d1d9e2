// What a schema cannot say: rules between several values. They are asked of every config, also of
// one with wrong values, so that one fault does not hide another.

import { type KeyPath, showKeyPath } from "../key-path.js";
import type { ConfigProblem } from "../problem.js";
import { isObject } from "./check-value.js";

type Plain = Readonly<Record<string, unknown>>;
type Rule = (config: Plain) => ConfigProblem[];

const RULES: readonly Rule[] = [
  findRepeatedAgents,
  findTokenlessHooks,
  findUnclearServers,
  findImpossibleUndo,
];

/** What the schema calls wrong is nothing to these rules. */
export function checkRules(config: Plain): ConfigProblem[] {
  return RULES.flatMap((rule) => rule(config));
}

/** Two agents with one id would leave open whose tools count. Ids are blind to case. */
function findRepeatedAgents(config: Plain): ConfigProblem[] {
  const { list } = read(config.agents);
  const agents: readonly unknown[] = Array.isArray(list) ? list : [];
  const seen = new Map<string, number>();
  return agents.flatMap((agent, index) => {
    const { id } = read(agent);
    if (typeof id !== "string") return [];
    const folded = id.trim().toLowerCase();
    const first = seen.get(folded);
    seen.set(folded, first ?? index);
    if (first === undefined) return [];
    return [wrong(["agents", "list", index, "id"], `repeats the id of agents.list[${first}]`)];
  });
}

function findTokenlessHooks(config: Plain): ConfigProblem[] {
  const { enabled, token = "" } = read(config.hooks);
  if (enabled !== true || token !== "") return [];
  return [wrong(["hooks", "token"], "is required when hooks.enabled is true")];
}

function findUnclearServers(config: Plain): ConfigProblem[] {
  const { servers } = read(config.mcp);
  return Object.entries(read(servers)).flatMap(([id, server]) => {
    const { command, url } = read(server);
    if (!isObject(server) || (command === undefined) !== (url === undefined)) return [];
    const message =
      command === undefined ? "needs command or url" : "has both command and url; keep one";
    return [wrong(["mcp", "servers", id], message)];
  });
}

function findImpossibleUndo(config: Plain): ConfigProblem[] {
  const { enabled, required } = read(config.undo);
  if (enabled !== false || required !== true) return [];
  return [wrong(["undo", "required"], "cannot be true when undo.enabled is false")];
}

function read(value: unknown): Plain {
  return isObject(value) ? value : {};
}

function wrong(path: KeyPath, message: string): ConfigProblem {
  return { path: showKeyPath(path), severity: "error", message };
}
