// The part of the config that may change while a toolkit lives: who may call which tool. Everything
// else was built into the drivers when it was made.

import type { ClawtoolsConfig } from "../../config/index.js";
import { readSection, type Section } from "../options/config-section.js";

/** Of `tools`, and of the `tools` of an agent: what the policy reads. */
const POLICY_KEYS: ReadonlySet<string> = new Set([
  "profile",
  "allow",
  "alsoAllow",
  "deny",
  "byProvider",
  "toolsBySender",
  "sandbox",
  "subagents",
  "unknownAllow",
]);
const MAX_PATHS = 20;

export interface LiveConfig {
  /** What the policy is read from. */
  current(): ClawtoolsConfig;
  /** Tries the policy of another config; when `use` throws, the one before stands again. */
  replace(next: ClawtoolsConfig, use: () => void): void;
}

export function createLiveConfig(first: ClawtoolsConfig): LiveConfig {
  let current = first;
  return {
    current: () => current,
    replace(next, use) {
      const before = current;
      current = next;
      try {
        use();
      } catch (error) {
        current = before;
        throw error;
      }
    },
  };
}

/** The sections that differ besides the policy, such as `tools.exec`: they count at the next start. */
export function findOtherChanges(before: ClawtoolsConfig, after: ClawtoolsConfig): string[] {
  const first = withoutPolicy(before);
  const second = withoutPolicy(after);
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const paths = names.flatMap((name) => {
    if (isEqual(first[name], second[name])) return [];
    if (name !== "tools") return [name];
    return differingKeys(readSection(first, name), readSection(second, name)).map(
      (key) => `${name}.${key}`,
    );
  });
  return paths.slice(0, MAX_PATHS);
}

function differingKeys(first: Section, second: Section): string[] {
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return keys.filter((key) => !isEqual(first[key], second[key]));
}

function isEqual(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

function withoutPolicy(config: ClawtoolsConfig): Section {
  const { channels: _channels, ...rest } = config;
  const { list } = readSection(config, "agents");
  const agents = readSection(config, "agents");
  return {
    ...rest,
    ...("tools" in config ? { tools: withoutRules(readSection(config, "tools")) } : {}),
    ...(Array.isArray(list) ? { agents: { ...agents, list: list.map(withoutAgentRules) } } : {}),
  };
}

function withoutAgentRules(agent: unknown): unknown {
  const { tools, ...rest } = Object(agent);
  return tools === undefined ? rest : { ...rest, tools: withoutRules(Object(tools)) };
}

function withoutRules(tools: Section): Section {
  return Object.fromEntries(Object.entries(tools).filter(([key]) => !POLICY_KEYS.has(key)));
}
