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

interface Switch {
  readonly path: string;
  readonly isOff: boolean;
  readonly restore: Record<string, unknown>;
}

export function findSwitchedOff({
  config = {},
  agentId,
  models,
  vision = false,
}: ToolContext): ReadonlyMap<string, SwitchedOff> {
  const web = readSection(readSection(config, "tools"), "web");
  const memory = readMemorySwitch(config, agentId);
  const switches: readonly (readonly [string, Switch])[] = [
    ["web_search", readWebSwitch(web, "search")],
    ["web_fetch", readWebSwitch(web, "fetch")],
    ["memory_search", memory],
    ["memory_get", memory],
    ["browser", readBrowserSwitch(config)],
  ];
  const isBlind = !vision && (models?.list("image") ?? []).length === 0;
  return new Map([
    ...switches
      .filter(([, { isOff }]) => isOff)
      .map(([name, found]): [string, SwitchedOff] => [name, tell(found)]),
    ...(isBlind ? [["image", NO_VISION] satisfies [string, SwitchedOff]] : []),
  ]);
}

function readWebSwitch(web: Section, name: "search" | "fetch"): Switch {
  return {
    path: `tools.web.${name}.enabled`,
    isOff: readSection(web, name).enabled === false,
    restore: { tools: { web: { [name]: { enabled: true } } } },
  };
}

function readBrowserSwitch(config: Section): Switch {
  return {
    path: "browser.enabled",
    isOff: readSection(config, "browser").enabled === false,
    restore: { browser: { enabled: true } },
  };
}

/** What an agent says of itself counts before what is said for all. */
function readMemorySwitch(config: Section, agentId: string | undefined): Switch {
  const on = { memorySearch: { enabled: true } };
  const agent = findAgent(config, agentId);
  const own = agent?.memorySearch?.enabled;
  const agents = readSection(config, "agents");
  const all = readSection(readSection(agents, "defaults"), "memorySearch").enabled;
  if (agent === undefined || own === undefined) {
    const path = "agents.defaults.memorySearch.enabled";
    return { path, isOff: all === false, restore: { agents: { defaults: on } } };
  }
  const { id, path } = agent;
  const isListed = path.startsWith("agents.list[");
  return {
    path: `${path}.memorySearch.enabled`,
    isOff: own === false,
    restore: { agents: isListed ? { list: [{ id, ...on }] } : { entries: { [id]: on } } },
  };
}

function tell({ path, restore }: Switch): SwitchedOff {
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
