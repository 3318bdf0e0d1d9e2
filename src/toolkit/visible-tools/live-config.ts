// The part of the config that may change while a toolkit lives: who may call which tool. Everything
// else was built into the drivers when it was made, so rules that came with other settings than those
// may close tools but open none.

import type { ClawtoolsConfig } from "../../config/index.js";
import { listAgents } from "../../core/index.js";
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
  /** Whose rules must all let a tool through, the newest first. */
  rules(): readonly ClawtoolsConfig[];
  /** Tries the rules of another config; when `use` throws, those before stand again. */
  replace(next: ClawtoolsConfig, use: () => void): void;
}

/** `hasPlugins`: tools may have names that are known only where plugins were loaded for them. */
export function createLiveConfig(
  first: ClawtoolsConfig,
  { hasPlugins }: { readonly hasPlugins: boolean },
): LiveConfig {
  let rules: readonly ClawtoolsConfig[] = [first];
  return {
    rules: () => rules,
    replace(next, use) {
      const before = rules;
      const own = hasPlugins ? closed(next) : next;
      rules = findOtherChanges(first, next).length === 0 ? [own] : [own, first];
      try {
        use();
      } catch (error) {
        rules = before;
        throw error;
      }
    },
  };
}

/** Unknown names in an allow list now deny: the tool may come with the next start. */
function closed(config: ClawtoolsConfig): ClawtoolsConfig {
  return { ...config, tools: { ...config.tools, unknownAllow: "deny" } };
}

/** The sections that differ besides the rules, such as `tools.exec`. */
export function findOtherChanges(before: ClawtoolsConfig, after: ClawtoolsConfig): string[] {
  const first = withoutPolicy(before);
  const second = withoutPolicy(after);
  const paths = differingKeys(first, second).flatMap((name) => {
    if (name !== "tools") return [name];
    const keys = differingKeys(readSection(first, name), readSection(second, name));
    return keys.map((key) => `${name}.${key}`);
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

/** A section that holds nothing else is left out, so that it is not reported when it appears. */
function withoutPolicy(config: ClawtoolsConfig): Section {
  const { channels: _channels, tools, agents, ...rest } = config;
  const settings = withoutRules(Object(tools));
  const { list: _list, entries: _entries, ...others } = readSection(config, "agents");
  const known = listAgents(config).map(({ id, value }) => withoutAgentRules(id, value));
  return {
    ...rest,
    ...(Object.keys(settings).length > 0 && { tools: settings }),
    ...(agents !== undefined && { agents: { ...others, list: known } }),
  };
}

function withoutAgentRules(id: string | undefined, agent: unknown): unknown {
  const { tools, ...rest } = Object(agent);
  return { ...rest, id, tools: withoutRules(Object(tools)) };
}

function withoutRules(tools: Section): Section {
  return Object.fromEntries(Object.entries(tools).filter(([key]) => !POLICY_KEYS.has(key)));
}
