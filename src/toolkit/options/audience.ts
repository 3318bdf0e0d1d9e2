// Doubts about for whom a toolkit is made: a channel that no one knows, and rules for groups or
// senders that stay out of force because the options do not say which group or sender.

import { type ClawtoolsConfig, findAgent, readAgents } from "../../config/index.js";
import { CHANNEL_IDS, foldName, type PolicyRequest } from "../../core/index.js";
import { nearestName, nearestWithin } from "../../lib/nearest-name.js";
import type { Doubt } from "./read-config.js";

const MAX_LETTERS = 2;
const KNOWN_PROVIDERS: readonly string[] = [
  "openai",
  "openai-codex",
  "azure-openai",
  "anthropic",
  "google",
  "google-vertex",
  "google-antigravity",
  "openrouter",
  "amazon-bedrock",
  "mistral",
  "deepseek",
  "github-copilot",
  "moonshot",
  "minimax",
  "ollama",
];
const CHANNEL_RULE = /^channel:([^:]+):/i;

export function findAudienceDoubts(config: ClawtoolsConfig, request: PolicyRequest): Doubt[] {
  return [
    ...findUnknownChannel(config, request),
    ...findIdleGroups(config, request),
    ...findIdleSenders(config, request),
    ...findMistypedProviders(config, request),
  ];
}

/** Only what is near a provider of the list: there are many more than these. */
function findMistypedProviders(config: ClawtoolsConfig, { provider }: PolicyRequest): Doubt[] {
  const scopes = [
    { path: "tools", tools: config.tools },
    ...readAgents(config).map(({ path, tools }) => ({ path: `${path}.tools`, tools })),
  ];
  const keys = scopes.flatMap(({ path, tools }) =>
    Object.keys(tools?.byProvider ?? {}).map((key) => ({ path: `${path}.byProvider`, key })),
  );
  const given = provider === undefined ? [] : [{ path: "provider", key: provider }];
  return [...given, ...keys].flatMap(({ path, key }) => {
    const name = foldName(key.split("/")[0] ?? "");
    if (KNOWN_PROVIDERS.includes(name)) return [];
    const nearest = nearestWithin({ name, known: KNOWN_PROVIDERS, maxLetters: MAX_LETTERS });
    if (nearest === undefined) return [];
    return [
      warn(path, `"${key.slice(0, 80)}" is not a known provider; did you mean "${nearest}"?`),
    ];
  });
}

function findUnknownChannel(config: ClawtoolsConfig, { channel }: PolicyRequest): Doubt[] {
  if (channel === undefined) return [];
  const inRules = senderKeys(config).flatMap((key) => CHANNEL_RULE.exec(key)?.[1] ?? []);
  const known = [...CHANNEL_IDS, ...Object.keys(config.channels ?? {}), ...inRules];
  if (known.some((name) => foldName(name) === foldName(channel))) return [];
  const nearest = nearestName(channel, known);
  const hint = nearest === undefined ? "." : `; did you mean "${nearest}"?`;
  return [warn("messageChannel", `"${channel.slice(0, 80)}" is not a known channel${hint}`)];
}

function findIdleGroups({ channels = {} }: ClawtoolsConfig, request: PolicyRequest): Doubt[] {
  const { channel, groupId } = request;
  if (groupId !== undefined && channel === undefined) {
    return [warn("groupId", "has no effect without messageChannel.")];
  }
  if (channel === undefined || groupId !== undefined) return [];
  const names = Object.keys(channels).filter((name) => foldName(name) === foldName(channel));
  const hasRules = names.some((name) =>
    Object.values(channels[name]?.groups ?? {}).some(
      ({ tools, toolsBySender }) => tools !== undefined || toolsBySender !== undefined,
    ),
  );
  if (!hasRules) return [];
  const message = `has rules for groups; without groupId none of them is in force.`;
  return [warn(`channels.${names[0]}`, message)];
}

function findIdleSenders(config: ClawtoolsConfig, request: PolicyRequest): Doubt[] {
  const { channel, sender, agentId } = request;
  if (sender !== undefined || channel !== undefined) return [];
  const own = findAgent(config, agentId);
  const hasRules = [config.tools, own?.tools].some(
    (scope) => Object.keys(scope?.toolsBySender ?? {}).length > 0,
  );
  if (!hasRules) return [];
  const message = "is out of force, because neither sender nor messageChannel is given.";
  return [warn("tools.toolsBySender", message)];
}

function senderKeys(config: ClawtoolsConfig): string[] {
  const scopes = [config.tools, ...readAgents(config).map(({ tools }) => tools)];
  return scopes.flatMap((scope) => Object.keys(scope?.toolsBySender ?? {}));
}

function warn(path: string, message: string): Doubt {
  return { severity: "warning", path, message };
}
