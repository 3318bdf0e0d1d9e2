// What a schema cannot say: rules between several values. They are asked of every config, also of
// one with wrong values, so that one fault does not hide another.

import { foldName, listAgents } from "../../core/index.js";
import { type KeyPath, showKeyPath } from "../key-path.js";
import type { ConfigProblem } from "../problem.js";
import { isObject } from "./check-value.js";

type Plain = Readonly<Record<string, unknown>>;
type Rule = (config: Plain) => ConfigProblem[];

const RULES: readonly Rule[] = [
  findRepeatedAgents,
  findDoubleExec,
  findNarrowSandboxes,
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
  const seen = new Map<string, KeyPath>();
  return listAgents(config).flatMap(({ id, path }) => {
    if (id === undefined) return [];
    const first = seen.get(foldName(id));
    seen.set(foldName(id), first ?? path);
    if (first === undefined) return [];
    const place = path[1] === "list" ? [...path, "id"] : path;
    return [wrong(place, `repeats the id of ${showKeyPath(first)}`)];
  });
}

/** With both, what is meant is a guess, and a wrong one runs commands. */
function findDoubleExec(config: Plain): ConfigProblem[] {
  const agents = listAgents(config).map(({ path, value }) => ({ path, tools: read(value).tools }));
  return [{ path: [], tools: config.tools }, ...agents].flatMap(({ path, tools }) => {
    const { mode, security, ask } = read(read(tools).exec);
    if (mode === undefined || (security === undefined && ask === undefined)) return [];
    const message = "says the same as security and ask; keep mode, or those two";
    return [wrong([...path, "tools", "exec", "mode"], message)];
  });
}

/** There is one sandbox here, so what one agent wants narrower cannot be kept. */
function findNarrowSandboxes(config: Plain): ConfigProblem[] {
  const defaults = { path: ["agents", "defaults"], value: read(config.agents).defaults };
  return [defaults, ...listAgents(config)].flatMap(({ path, value }) => {
    const { workspaceAccess: access = "rw", docker } = read(read(value).sandbox);
    const isOpen = read(read(config.tools).exec).network === true;
    const problems: ConfigProblem[] = [];
    if (access !== "rw") {
      const message = "can only be rw: commands in the sandbox read and write the workspace";
      problems.push(wrong([...path, "sandbox", "workspaceAccess"], message));
    }
    if (isOpen && read(docker).network === "none") {
      const message = "contradicts tools.exec.network, which gives commands the network; keep one";
      problems.push(wrong([...path, "sandbox", "docker", "network"], message));
    }
    return problems;
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
