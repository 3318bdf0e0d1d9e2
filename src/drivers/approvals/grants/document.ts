// What the document says for one agent: rules and current grants, never looser than the request.
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
  type CommandGrant,
  type CommandSecurity,
  foldName,
} from "../../../core/index.js";

const MAIN_AGENT = "main";
const EVERY_AGENT = "*";
/** The main agent in older files. */
const LEGACY_MAIN = "default";

export interface EffectiveRules {
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
  readonly askFallback: AskFallback;
  /** Those of all agents first, without expired ones. */
  readonly entries: readonly NamedEntry[];
}

/** Without an id it is named by its position. */
export type NamedEntry = ApprovalsEntry & { readonly id: string };

interface EffectiveRequest {
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
  const [security, ask] = [pick("security"), pick("ask")];
  return {
    // Both lists are ordered: the first security and the last ask are the strictest.
    security:
      COMMAND_SECURITY.find((one) => one === security || one === request.security) ?? "deny",
    ask: COMMAND_ASK.findLast((one) => one === ask || one === request.ask) ?? "always",
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

function keyOfAgent(document: ApprovalsDocument, agentId: string | undefined): string {
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

/** Falls back to ignoring case, so that a rule is not lost. */
function findAgent({ agents = {} }: ApprovalsDocument, name: string): FoundAgent | undefined {
  const names = Object.keys(agents);
  const key =
    names.find((one) => one === name) ?? names.find((one) => foldName(one) === foldName(name));
  const rules = key === undefined ? undefined : agents[key];
  return key === undefined || rules === undefined ? undefined : [key, rules];
}

const MAX_COMMAND_CHARS = 200;

interface GrantRequest {
  readonly agentId: string | undefined;
  readonly grants: readonly CommandGrant[];
  readonly source: string;
  readonly addedBy: string;
  readonly nowMs: number;
  readonly expiresAtMs?: number | undefined;
  readonly newId: () => string;
}

interface Edited {
  readonly document: ApprovalsDocument;
  /** Without those that existed. */
  readonly added: readonly NamedEntry[];
}

export function addGrants(document: ApprovalsDocument, request: GrantRequest): Edited {
  const { agentId, nowMs, expiresAtMs } = request;
  const key = keyOfAgent(document, agentId);
  const kept = listOf(document, key).filter((entry) => !isExpired(entry, nowMs));
  const fresh = request.grants
    .filter((grant) => !kept.some((entry) => isSame(entry, { grant, expiresAtMs })))
    .map(
      ({ pattern, argPattern, shown }): NamedEntry => ({
        id: request.newId(),
        pattern,
        ...(argPattern === undefined ? {} : { argPattern }),
        ...(shown === undefined ? {} : { shown }),
        source: request.source,
        addedAt: nowMs,
        addedBy: request.addedBy,
        ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
      }),
    );
  return { document: withList(document, { key, list: [...kept, ...fresh] }), added: fresh };
}

/** `name`: the id, or the position as `agent[0]`. */
export function removeGrant(
  document: ApprovalsDocument,
  name: string,
): { readonly document: ApprovalsDocument; readonly removed: NamedEntry | undefined } {
  for (const [key, rules] of Object.entries(document.agents ?? {})) {
    const index = nameEntries(key, rules).findIndex(({ id }) => id === name);
    const removed = nameEntries(key, rules)[index];
    if (removed === undefined) continue;
    const list = listOf(document, key).filter((_, place) => place !== index);
    return { document: withList(document, { key, list }), removed };
  }
  return { document, removed: undefined };
}

export interface EntryUse {
  readonly atMs: number;
  readonly command: string;
  readonly resolvedPath: string | undefined;
}

/** Ignores entries that were removed meanwhile. */
export function markUsed(
  document: ApprovalsDocument,
  uses: ReadonlyMap<string, EntryUse>,
): ApprovalsDocument {
  return Object.keys(document.agents ?? {}).reduce((changed, key) => {
    const names = nameEntries(key, { allowlist: listOf(changed, key) });
    const list = listOf(changed, key).map((entry, index) => {
      const use = uses.get(names[index]?.id ?? "");
      return use === undefined ? entry : withUse(entry, use);
    });
    return list.length === 0 ? changed : withList(changed, { key, list });
  }, document);
}

function withUse(entry: ApprovalsEntry, { atMs, command, resolvedPath }: EntryUse): ApprovalsEntry {
  return {
    ...entry,
    lastUsedAt: atMs,
    lastUsedCommand: command.slice(0, MAX_COMMAND_CHARS),
    ...(resolvedPath === undefined ? {} : { lastResolvedPath: resolvedPath }),
  };
}

function isSame(
  entry: ApprovalsEntry,
  {
    grant,
    expiresAtMs,
  }: { readonly grant: CommandGrant; readonly expiresAtMs?: number | undefined },
): boolean {
  return (
    entry.pattern === grant.pattern &&
    entry.argPattern === grant.argPattern &&
    entry.expiresAt === expiresAtMs
  );
}

function listOf({ agents = {} }: ApprovalsDocument, key: string): readonly ApprovalsEntry[] {
  return (Object.hasOwn(agents, key) ? agents[key]?.allowlist : undefined) ?? [];
}

function withList(
  document: ApprovalsDocument,
  { key, list }: { readonly key: string; readonly list: readonly ApprovalsEntry[] },
): ApprovalsDocument {
  const agents = document.agents ?? {};
  const rules = Object.hasOwn(agents, key) ? agents[key] : {};
  return { ...document, agents: { ...agents, [key]: { ...rules, allowlist: [...list] } } };
}
