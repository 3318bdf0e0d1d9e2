// What the document says for one agent: rules field by field, the entries that count now, and the
// stricter of file and request.

import type {
  ApprovalsAgent,
  ApprovalsDocument,
  ApprovalsEntry,
  AskFallback,
} from "../../../config/index.js";
import {
  COMMAND_ASK,
  COMMAND_SECURITY,
  type CommandAsk,
  type CommandSecurity,
  foldName,
} from "../../../core/index.js";

const MAIN_AGENT = "main";
const EVERY_AGENT = "*";
/** What older files call the main agent. */
const LEGACY_MAIN = "default";

export interface EffectiveRules {
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
  readonly askFallback: AskFallback;
  /** Those of all agents first; what has expired is left out. */
  readonly entries: readonly NamedEntry[];
}

/** An entry without an id of its own is named by its place. */
export type NamedEntry = ApprovalsEntry & { readonly id: string };

export interface EffectiveRequest {
  readonly agentId: string | undefined;
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
  readonly nowMs: number;
}

export function readEffective(
  document: ApprovalsDocument,
  request: EffectiveRequest,
): EffectiveRules {
  const all = findAgent(document, EVERY_AGENT);
  const own = findAgents(document, request.agentId ?? MAIN_AGENT);
  const layers = [...own.map(([, rules]) => rules), all?.[1], document.defaults];
  const pick = <Key extends "security" | "ask" | "askFallback">(key: Key) =>
    layers.find((layer) => layer?.[key] !== undefined)?.[key];
  return {
    security: stricterSecurity(pick("security"), request.security),
    ask: moreAsking(pick("ask"), request.ask),
    askFallback: pick("askFallback") ?? "deny",
    entries: [...(all ? [all] : []), ...own]
      .flatMap(([name, rules]) => nameEntries(name, rules))
      .filter((entry) => !isExpired(entry, request.nowMs)),
  };
}

export function isExpired({ expiresAt }: ApprovalsEntry, nowMs: number): boolean {
  return expiresAt !== undefined && expiresAt <= nowMs;
}

export function nameEntries(
  agent: string,
  { allowlist = [] }: { readonly allowlist?: readonly ApprovalsEntry[] },
): NamedEntry[] {
  return allowlist.map((entry, index) => ({ ...entry, id: entry.id ?? `${agent}[${index}]` }));
}

function stricterSecurity(
  file: CommandSecurity | undefined,
  request: CommandSecurity,
): CommandSecurity {
  const rank = Math.min(
    ...[file ?? request, request].map((word) => COMMAND_SECURITY.indexOf(word)),
  );
  return COMMAND_SECURITY[rank] ?? "deny";
}

function moreAsking(file: CommandAsk | undefined, request: CommandAsk): CommandAsk {
  const rank = Math.max(...[file ?? request, request].map((word) => COMMAND_ASK.indexOf(word)));
  return COMMAND_ASK[rank] ?? "always";
}

/** The key under which an agent's entries stand, or would stand. */
export function keyOfAgent(document: ApprovalsDocument, agentId: string | undefined): string {
  const wanted = agentId ?? MAIN_AGENT;
  return findAgent(document, wanted)?.[0] ?? wanted;
}

type FoundAgent = readonly [name: string, rules: ApprovalsAgent];

function findAgents(document: ApprovalsDocument, agentId: string): FoundAgent[] {
  const names = foldName(agentId) === MAIN_AGENT ? [agentId, LEGACY_MAIN] : [agentId];
  return names.flatMap((name) => {
    const found = findAgent(document, name);
    return found ? [found] : [];
  });
}

/** As written, else without regard to case: a rule must not be lost by a capital letter. */
function findAgent({ agents = {} }: ApprovalsDocument, name: string): FoundAgent | undefined {
  const names = Object.keys(agents);
  const key =
    names.find((one) => one === name) ?? names.find((one) => foldName(one) === foldName(name));
  const rules = key === undefined ? undefined : agents[key];
  return key === undefined || rules === undefined ? undefined : [key, rules];
}
