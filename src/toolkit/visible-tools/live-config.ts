// Changes of policy while a toolkit lives. Other changed settings may close tools but open none.

import type { ClawtoolsConfig } from "../../config/index.js";
import { listAgents, type PolicyRequest, ToolInputError } from "../../core/index.js";
import { wordSet } from "../../lib/word-set.js";
import type { Events } from "../events.js";
import { assertUsable, readConfig, toDiagnostic } from "../options/read-config.js";
import { readAgentId, readSection, type Section } from "../options/settings.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { ToolList } from "../tool-list.js";
import { hasNewlyAsked, type OptionalTool } from "./switches.js";
import type { ToolViews, VisibleTools } from "./visible-tools.js";

/** Of `tools`, and of the `tools` of an agent: what the policy reads. */
const POLICY_KEYS = wordSet(
  "profile allow alsoAllow deny byProvider toolsBySender sandbox subagents unknownAllow",
);
const MAX_PATHS = 20;

export interface LiveConfig {
  /** Whose rules must all let a tool through, the newest first. */
  rules(): readonly ClawtoolsConfig[];
  /** The returned function takes it back. */
  replace(next: ClawtoolsConfig): () => void;
}

/** `hasPlugins`: tools may have names that are known only where plugins were loaded for them. */
export function createLiveConfig(
  first: ClawtoolsConfig,
  { hasPlugins }: { readonly hasPlugins: boolean },
): LiveConfig {
  let rules: readonly ClawtoolsConfig[] = [first];
  return {
    rules: () => rules,
    replace(next) {
      const before = rules;
      const own = hasPlugins ? closed(next) : next;
      rules = findOtherChanges(first, next).length === 0 ? [own] : [own, first];
      return () => {
        rules = before;
      };
    },
  };
}

/** Unknown names in an allow list now deny: the tool may come with the next start. */
function closed(config: ClawtoolsConfig): ClawtoolsConfig {
  return { ...config, tools: { ...config.tools, unknownAllow: "deny" } };
}

function findOtherChanges(before: ClawtoolsConfig, after: ClawtoolsConfig): string[] {
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

interface PolicyChange {
  readonly visible: VisibleTools;
  readonly views: Pick<ToolViews, "renew">;
  readonly live: LiveConfig;
  readonly toolList: ToolList;
  readonly events: Pick<Events, "emit">;
  readonly config: Parameters<typeof findOtherChanges>[0];
  readonly given: ToolkitOptions;
  readonly options: ToolkitOptions;
  readonly request: PolicyRequest;
  readonly optionalTools: readonly OptionalTool[];
}

/** Gives the sections that count for a new toolkit only. Throws a ToolInputError. */
export function setPolicy(next: Record<string, unknown>, change: PolicyChange): readonly string[] {
  const { visible, views, live, toolList, config, events } = change;
  assertObject(next);
  const read = readConfig(next);
  const agentId = readAgentId(read.config, change.given.agentId);
  if (agentId !== change.options.agentId) throw otherAgent();
  const names = () => visible.tools().map(({ name }) => name);
  const before = names();
  const takeBack = live.replace(read.config);
  views.renew();
  try {
    assertUsable(visible.warnings());
  } catch (error) {
    takeBack();
    views.renew();
    throw error;
  }
  for (const doubt of [...read.doubts, ...visible.warnings()]) {
    toolList.registry.report(toDiagnostic(doubt));
  }
  const now = names();
  if (now.join() !== before.join()) events.emit("tools", { names: now });
  const rest = findOtherChanges(config, read.config);
  const rules = { config: read.config, request: change.request };
  return hasNewlyAsked(change.optionalTools, rules) ? [...new Set([...rest, "plugins"])] : rest;
}

/** A value of another type would be read as a config without rules. */
function assertObject(value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw new ToolInputError("setPolicy: the config must be an object.", {
    reason: "config_invalid",
  });
}

function otherAgent(): ToolInputError {
  return new ToolInputError(
    "The config has another default agent than this toolkit was made for; make a new one.",
    { reason: "agent_changed" },
  );
}
