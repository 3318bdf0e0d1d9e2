// The config of a toolkit: errors are thrown, doubts are kept as diagnostics.
import { stat } from "node:fs/promises";
import { type ClawtoolsConfig, findAgent, parseConfig, readAgents } from "../../config/index.js";
import {
  CHANNEL_IDS,
  type Diagnostic,
  foldName,
  type PolicyRequest,
  ToolInputError,
} from "../../core/index.js";
import { nearestName, nearestWithin } from "../../lib/nearest-name.js";

export interface Doubt {
  readonly severity: "warning" | "error";
  readonly path: string;
  readonly message: string;
}

export interface ReadConfig {
  readonly config: ClawtoolsConfig;
  readonly doubts: readonly Doubt[];
}

/** Throws a ToolInputError that names every wrong value. */
export function readConfig(value: ClawtoolsConfig): ReadConfig {
  const { config, problems } = parseConfig(value);
  assertUsable(problems);
  return { config, doubts: problems };
}

/** Throws when one is an error: until it is fixed, no one knows what was meant. */
export function assertUsable(doubts: readonly Doubt[]): void {
  const errors = doubts.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  throw new ToolInputError(`The config cannot be used. ${errors.map(toLine).join(" ")}`, {
    reason: "config_invalid",
    details: { problems: errors },
  });
}

export function toDiagnostic(doubt: Doubt): Diagnostic {
  const { severity } = doubt;
  return { code: "config_doubtful", severity, toolId: "", message: toLine(doubt) };
}

function toLine({ path, message }: Doubt): string {
  return `${path}: ${message}`;
}

export async function findRootDoubt(root: string): Promise<Doubt | undefined> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
  if (isFolder) return undefined;
  const what = isFolder === undefined ? "is not there, or cannot be opened" : "is not a folder";
  const message = `"${root.slice(0, 200)}" ${what}; the file tools have nothing to work in.`;
  return { severity: "warning", path: "root", message };
}

const MAX_LETTERS = 2;
const KNOWN_PROVIDERS = (
  "openai openai-codex azure-openai anthropic google google-vertex google-antigravity " +
  "openrouter amazon-bedrock mistral deepseek github-copilot moonshot minimax ollama"
).split(" ");
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
