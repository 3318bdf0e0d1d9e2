// Settings of a toolkit from the config: the agent, limits of calls, undo, the state folder.

import { isAbsolute } from "node:path";
import { type ClawtoolsConfig, findAgent, readAgents, stateDir } from "../../config/index.js";
import {
  type BudgetLimits,
  foldName,
  isToolError,
  type LoopSettings,
  type TaintMode,
  ToolInputError,
} from "../../core/index.js";
import { currentDirectory, homeDirectory, readEnvironment } from "../../drivers/environment.js";
import type { HistoryLimits } from "../../drivers/history/index.js";
import { toPrintable } from "../../lib/printable.js";
import { withoutUndefined } from "../../lib/without-undefined.js";

const DEFAULT_RESULT_CHARS = 50_000;
const DEFAULT_TURN_CHARS = 150_000;

export interface ToolkitSettings {
  readonly resultChars: number;
  readonly turnChars: number;
  readonly taintMode: TaintMode;
  readonly budgets: BudgetLimits;
  readonly loop: LoopSettings;
  readonly approvalLimitMs: number | undefined;
  readonly pluginPaths: readonly string[];
  readonly mcpServers: readonly string[];
}

export function readToolkitSettings(
  config: ClawtoolsConfig,
  agentId: string | undefined,
): ToolkitSettings {
  const { limits, tools, budgets = {}, approvals, mcp, plugins } = config;
  return {
    resultChars: limits?.resultChars ?? DEFAULT_RESULT_CHARS,
    turnChars: limits?.turnChars ?? DEFAULT_TURN_CHARS,
    taintMode: tools?.taint ?? "mark",
    budgets,
    loop: readLoop(config, agentId),
    approvalLimitMs: approvals?.timeoutMs,
    mcpServers: Object.keys(mcp?.servers ?? {}),
    pluginPaths: plugins?.load?.paths ?? [],
  };
}

/** Key by key: what the agent says of itself counts before what is said for all. */
function readLoop(config: ClawtoolsConfig, agentId: string | undefined): LoopSettings {
  const own = findAgent(config, agentId)?.tools?.loopDetection;
  const { enabled = true, warnAt, stopAt } = { ...config.tools?.loopDetection, ...own };
  return { enabled, warnAt, stopAt };
}

/** The agent that is there without being listed. */
const MAIN_AGENT = "main";
const MAIN_SESSION = /(?:^|:)main$/i;
const MAX_SHOWN_IDS = 20;

/** Throws a ToolInputError when the config lists agents and this is none of them. */
export function readAgentId(
  config: ClawtoolsConfig,
  given: string | undefined,
): string | undefined {
  const agents = readAgents(config);
  if (given === undefined) {
    return agents.find((agent) => agent.default === true)?.id ?? findAgent(config, MAIN_AGENT)?.id;
  }
  if (agents.length === 0 || foldName(given) === MAIN_AGENT) return given;
  if (findAgent(config, given) !== undefined) return given;
  const ids = agents.slice(0, MAX_SHOWN_IDS).map(({ id }) => `"${toPrintable(id, 80)}"`);
  throw new ToolInputError(
    `agentId: the config has no agent "${toPrintable(given, 80)}"; it has ${ids.join(", ")}.`,
    { reason: "agent_unknown" },
  );
}

interface SandboxRequest {
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
}

/** What `sandbox.mode` of the agent, else of all agents, says of this session. */
export function isSandboxed(config: ClawtoolsConfig, request: SandboxRequest): boolean {
  const { agentId, sessionKey = MAIN_AGENT } = request;
  const all = config.agents?.defaults?.sandbox?.mode;
  const mode = findAgent(config, agentId)?.sandbox?.mode ?? all;
  return mode === "all" || (mode === "non-main" && !MAIN_SESSION.test(sessionKey));
}

const HOUR_MS = 60 * 60_000;

export interface UndoSettings {
  readonly isEnabled: boolean;
  /** A change whose old content cannot be kept is refused. */
  readonly isRequired: boolean;
  readonly limits: Partial<HistoryLimits>;
}

export function readUndoSettings({ undo = {} }: ClawtoolsConfig): UndoSettings {
  const { enabled = true, required = false, maxBytes, maxAgeHours } = undo;
  return {
    isEnabled: enabled,
    isRequired: required,
    limits: withoutUndefined({
      maxTotalBytes: maxBytes,
      maxAgeMs: maxAgeHours && maxAgeHours * HOUR_MS,
    }),
  };
}

export type Section = Readonly<Record<string, unknown>>;

export function readSection(parent: Section, name: string): Section {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  // A parse border: a JSON object, read key by key as unknown.
  return typeof value === "object" && value !== null ? (value as Section) : {};
}

export function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

const STATE_VARIABLE = "CLAWTOOLS_STATE_DIR";

/** The one that is used where nothing names another; `undefined` without a home folder. */
export function readUsualStateDir(): string | undefined {
  const homeDir = homeDirectory();
  return homeDir === undefined ? undefined : stateDir({ env: {}, homeDir, cwd: "" });
}

/** Absolute. `undefined` when none is wanted, or none is given and this user has no home folder. */
export function readStateDir(given: string | false | undefined): string | undefined {
  if (given === false) return undefined;
  const written = given ?? readEnvironment()[STATE_VARIABLE];
  try {
    return stateDir({
      env: { [STATE_VARIABLE]: written },
      homeDir: homeDirectory(),
      // Asked for only when it counts: a process may have lost its working folder.
      cwd: written === undefined || isAbsolute(written) ? "" : currentDirectory(),
    });
  } catch (error) {
    if (given === undefined && isToolError(error) && error.reason === "no_home_folder") {
      return undefined;
    }
    throw error;
  }
}
