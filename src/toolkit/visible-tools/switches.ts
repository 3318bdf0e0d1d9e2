// Settings of a tool itself that turn it off. Such a tool is not offered, and `explain` names the key.
import { findAgent } from "../../config/index.js";
import type { PolicyRequest, ToolContext } from "../../core/index.js";
import { CATALOG } from "../../tools/catalog.js";
import { readSection, type Section } from "../options/settings.js";
import { readAskedFor } from "../options/toolkit-options.js";
import type { Removal } from "./tool-set.js";

export interface SwitchedOff {
  readonly rule: string;
  readonly reason: string;
  readonly restore: Record<string, unknown>;
  /** It lacks something that no patch brings; calls answer `unavailable`. */
  readonly isUnattached?: true;
}

const NO_VISION: SwitchedOff = {
  rule: "no vision model",
  reason: "no vision model: set agents.defaults.imageModel or the API key of a provider",
  restore: {},
  isUnattached: true,
};

export function findSwitchedOff({
  config = {},
  agentId,
  models,
  vision = false,
}: ToolContext): ReadonlyMap<string, SwitchedOff> {
  const found = new Map<string, SwitchedOff>();
  const web = readSection(readSection(config, "tools"), "web");
  for (const name of ["search", "fetch"] as const) {
    if (readSection(web, name).enabled !== false) continue;
    const restore = { tools: { web: { [name]: { enabled: true } } } };
    found.set(`web_${name}`, switchedOff(`tools.web.${name}.enabled`, restore));
  }
  if (readSection(config, "browser").enabled === false) {
    found.set("browser", switchedOff("browser.enabled", { browser: { enabled: true } }));
  }
  const memory = findMemorySwitch(config, agentId);
  if (memory) found.set("memory_search", memory).set("memory_get", memory);
  if (!vision && (models?.list("image") ?? []).length === 0) found.set("image", NO_VISION);
  return found;
}

/** What an agent says of itself counts before what is said for all. */
function findMemorySwitch(config: Section, agentId: string | undefined): SwitchedOff | undefined {
  const on = { memorySearch: { enabled: true } };
  const agent = findAgent(config, agentId);
  const own = agent?.memorySearch?.enabled;
  if (agent === undefined || own === undefined) {
    const defaults = readSection(readSection(config, "agents"), "defaults");
    if (readSection(defaults, "memorySearch").enabled !== false) return undefined;
    return switchedOff("agents.defaults.memorySearch.enabled", { agents: { defaults: on } });
  }
  if (own) return undefined;
  const { id, path } = agent;
  const isListed = path.startsWith("agents.list[");
  const agents = isListed ? { list: [{ id, ...on }] } : { entries: { [id]: on } };
  return switchedOff(`${path}.memorySearch.enabled`, { agents });
}

function switchedOff(path: string, restore: SwitchedOff["restore"]): SwitchedOff {
  const rule = `${path} false`;
  return { rule, reason: `switched off by ${rule}`, restore };
}

export interface OptionalTool {
  readonly id: string;
  readonly names: readonly string[];
  readonly pluginId: string;
  readonly isAsked: boolean;
}

interface AskingRules {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
}

/** Those that come with this package: always there, and offered while some list asks for them. */
export function listBundledTools(): OptionalTool[] {
  return CATALOG.flatMap(({ tool: { name }, plugin }) =>
    plugin === undefined ? [] : [{ id: name, names: [name], pluginId: plugin, isAsked: true }],
  );
}

export function findUnasked(
  tools: readonly OptionalTool[],
  rules: AskingRules,
): ReadonlyMap<string, Removal> {
  const gone = tools.filter((tool) => tool.isAsked && !isAskedNow(tool, rules));
  const rows = gone.flatMap((tool) =>
    [tool.id, ...tool.names].map((name) => [name, describe(tool)] as const),
  );
  return new Map(rows);
}

export function hasNewlyAsked(tools: readonly OptionalTool[], rules: AskingRules): boolean {
  return tools.some((tool) => !tool.isAsked && isAskedNow(tool, rules));
}

function isAskedNow({ id, names, pluginId }: OptionalTool, { config, request }: AskingRules) {
  return readAskedFor(config, request)([id, ...names, pluginId]);
}

function describe({ id, pluginId }: OptionalTool): Removal {
  return {
    rule: `optional tool of the plugin "${pluginId}"`,
    reason: "it is optional, and no allow list names it, its plugin or group:plugins",
    restore: { tools: { alsoAllow: [id] } },
  };
}
