// Settings of a tool itself that turn it off. Such a tool is not offered, and `explain` names the key.

import { findAgent } from "../../config/index.js";
import type { ToolContext } from "../../core/index.js";
import { readSection, type Section } from "../options/config-section.js";

export interface SwitchedOff {
  /** As written in the config. */
  readonly rule: string;
  readonly reason: string;
  /** The patch that turns the tool on again. */
  readonly restore: Record<string, unknown>;
}

const NO_VISION: SwitchedOff = {
  rule: "no vision model",
  reason: "no vision model: set agents.defaults.imageModel or the API key of a provider",
  restore: {},
};

interface Switch {
  readonly path: string;
  readonly isOff: boolean;
  readonly restore: Record<string, unknown>;
}

/** By the name of the tool. */
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
