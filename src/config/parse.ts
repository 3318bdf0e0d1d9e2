// Checks a plain object against the schema. What comes out is safe to read key by key.
import { foldName, listAgents } from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";
import { parseSpanMs } from "../lib/time-span.js";
import { checkValue, holdsRules, isObject } from "./check-value.js";
import { listNames, wordsForReceived } from "./check-words.js";
import {
  type ConfigProblem,
  createProblemList,
  type KeyPath,
  type ProblemList,
  showKeyPath,
} from "./problem.js";
import { type ClawtoolsConfig, configSchemaNode, type SchemaNode } from "./schema.js";

const HEARTBEAT_OFF = /^0+(?:ms|[smhd])?$/i;
const MIN_HEARTBEAT_MS = 10_000;
const NOTHING_OFFERED: ClawtoolsConfig = { tools: { deny: ["*"] }, plugins: { enabled: false } };

const RULES: readonly Rule[] = [
  findRepeatedAgents,
  findDoubleExec,
  findNarrowSandboxes,
  findTokenlessHooks,
  findUnusableHeartbeats,
  findUnclearServers,
  findImpossibleUndo,
];

type Plain = Readonly<Record<string, unknown>>;

type Rule = (config: Plain) => ConfigProblem[];

export interface ParsedConfig {
  /** False when a problem is an error; then `config` removes every tool and plugin. */
  readonly ok: boolean;
  readonly config: ClawtoolsConfig;
  readonly problems: ConfigProblem[];
}

interface ParseOptions {
  readonly hiddenPaths?: ReadonlySet<string>;
  /** The file of another program: sections that mean nothing here are named once, all together. */
  readonly origin?: "own" | "foreign";
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Never throws. Unknown keys are warnings and are kept, unless they restrict; those and wrong values are errors. Nothing may run
 * under a config that is wrong, so with an error `config` is one that offers nothing.
 */
export function parseConfig(value: unknown): ParsedConfig {
  return parseConfigFrom(value, {});
}

export function parseConfigFrom(value: unknown, options: ParseOptions): ParsedConfig {
  const problems = createProblemList();
  const config = check(value, { ...options, problems });
  return { ok: config !== undefined, config: config ?? NOTHING_OFFERED, problems: problems.list() };
}

function check(
  value: unknown,
  options: ParseOptions & { readonly problems: ProblemList },
): ClawtoolsConfig | undefined {
  const { problems, hiddenPaths = NONE } = options;
  const copy = copyPlain(value, { problems, path: [] });
  if (problems.hasErrors()) return undefined;
  if (!isObject(copy)) {
    const received = wordsForReceived(copy, { hidden: true });
    problems.add(wrong([], `expected an object, received ${received}`));
    return undefined;
  }
  const node = configSchemaNode();
  const known = options.origin === "foreign" ? withoutForeign(copy, { node, problems }) : copy;
  checkValue(known, { node, path: [], problems, hiddenPaths });
  for (const rule of RULES) for (const problem of rule(copy)) problems.add(problem);
  // The border: the schema has just found nothing wrong with it.
  return problems.hasErrors() ? undefined : (copy as ClawtoolsConfig);
}

/** A toolkit checks its config again; without these sections it does not repeat their warnings. */
export function withoutUnknownSections(config: ClawtoolsConfig): ClawtoolsConfig {
  const known = configSchemaNode().properties ?? {};
  return Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(known, name)));
}

function withoutForeign(
  value: Record<string, unknown>,
  context: { readonly node: SchemaNode; readonly problems: ProblemList },
): Record<string, unknown> {
  const known = Object.keys(context.node.properties ?? {});
  const isForeign = (name: string) =>
    !known.includes(name) && nearestName(name, known) === undefined && !holdsRules(value[name]);
  const foreign = Object.keys(value).filter(isForeign);
  if (foreign.length > 0) {
    const message = `not used here: ${listNames(foreign)}`;
    context.problems.add({ path: "", severity: "warning", message });
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isForeign(name)));
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
    const { network } = read(read(config.tools).exec);
    const isOpen = network === true || isObject(network);
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

function findUnusableHeartbeats(config: Plain): ConfigProblem[] {
  const defaults = { path: ["agents", "defaults"], value: read(config.agents).defaults };
  return [defaults, ...listAgents(config)].flatMap(({ path, value }) => {
    const { every } = read(read(value).heartbeat);
    const text = typeof every === "string" ? every.trim() : "";
    if (text === "" || HEARTBEAT_OFF.test(text)) return [];
    const spanMs = parseSpanMs(/^\d+$/.test(text) ? `${text}ms` : text);
    if (spanMs !== undefined && spanMs >= MIN_HEARTBEAT_MS) return [];
    const message = 'must be a span of time of at least "10s", such as "30m", or "0" for none';
    return [wrong([...path, "heartbeat", "every"], message)];
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

export const MAX_CONFIG_DEPTH = 64;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** undefined when something was refused; the problems say what, and where below `path`. */
export function copyPlain(
  value: unknown,
  { problems, path }: { readonly problems: ProblemList; readonly path: KeyPath },
): unknown {
  let isRefused = false;
  const result = copy(value, path, []);
  return isRefused ? undefined : result;

  function refuse(at: KeyPath, message: string): undefined {
    isRefused = true;
    problems.add({ path: showKeyPath(at), severity: "error", message });
  }

  function copy(item: unknown, at: KeyPath, holders: readonly object[]): unknown {
    if (typeof item !== "object" || item === null) return copyLeaf(item, at);
    if (holders.includes(item)) return refuse(at, "contains itself");
    if (at.length > MAX_CONFIG_DEPTH) {
      return isRefused ? undefined : refuse(path, `is deeper than ${MAX_CONFIG_DEPTH} levels`);
    }
    const inside = [...holders, item];
    if (Array.isArray(item)) {
      return Array.from(item, (one: unknown, index) => copy(one, [...at, index], inside));
    }
    if (!isPlain(item)) return refuse(at, "expected plain data, received an object of a class");
    const entries = Object.entries(item).filter(([, one]) => one !== undefined);
    return Object.fromEntries(
      entries.map(([key, one]) => {
        const within = [...at, key];
        const isAllowed = !FORBIDDEN_KEYS.has(key);
        return [
          key,
          isAllowed ? copy(one, within, inside) : refuse(within, "is not allowed as a key"),
        ];
      }),
    );
  }

  function copyLeaf(item: unknown, at: KeyPath): unknown {
    if (item === null || typeof item === "string" || typeof item === "boolean") return item;
    if (typeof item === "number") {
      return Number.isFinite(item)
        ? item
        : refuse(at, `expected a finite number, received ${item}`);
    }
    const received = item === undefined ? "nothing" : `a ${typeof item}`;
    return refuse(at, `expected plain data, received ${received}`);
  }
}

/** Made by `{}`, `JSON.parse` or `Object.create(null)`, in this or another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
