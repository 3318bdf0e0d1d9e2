// Everything a config says about one request: one scope per place, each read once.

import {
  childOf,
  descend,
  type Found,
  faultBelow,
  faultOfRecord,
  findAgent,
  type Lookup,
  lookUpKey,
  reportFault,
  type WarningLog,
} from "./found.js";
import { foldName } from "./names.js";
import {
  faultyScope,
  type PatchSetting,
  readLists,
  readPatchSetting,
  readScope,
  type Scope,
} from "./scope.js";
import { type ModelNames, type PolicyRequest, type PolicySender, readModelNames } from "./tools.js";

const PREFIXED = /^(?:channel|id|e164|username|name):/i;
const ANYBODY = "*";

interface Match {
  readonly scopes: readonly Scope[];
  readonly isSettled: boolean;
}

/** What is read for, and where faults are reported. */
interface Reading {
  readonly request: PolicyRequest;
  readonly model: ModelNames | undefined;
  readonly log: WarningLog;
}

const ANY_GROUP = "*";

export interface PolicySources {
  readonly model: ModelNames | undefined;
  readonly global: Scope | undefined;
  readonly agent: Scope | undefined;
  readonly globalProvider: Scope | undefined;
  readonly agentProvider: Scope | undefined;
  readonly group: readonly Scope[];
  readonly sender: readonly Scope[];
  readonly sandbox: Scope | undefined;
  readonly agentSandbox: Scope | undefined;
  readonly subagents: Scope | undefined;
  readonly patch: PatchSetting;
  /** Whether an allow list that names nothing at hand is left out of account. */
  readonly unknownAllow: "ignore" | "deny";
}

interface SourceInput {
  readonly config: unknown;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

export function readSources({ config, request, log }: SourceInput): PolicySources {
  const root: Found = { path: [], value: config };
  const reading: Reading = { request, model: readModelNames(request), log };
  const { sandboxed, subagent } = request;
  const tools = childOf(root, "tools");
  const agent = readAgent(root, reading);
  const agentTools = agent.found ? childOf(agent.found, "tools") : { path: [], value: undefined };
  return {
    model: reading.model,
    global: faultOfRecord(root) ? readScope(root, log) : readScope(tools, log),
    agent: agent.scope ?? readScope(agentTools, log),
    globalProvider: readProvider(tools, reading),
    agentProvider: readProvider(agentTools, reading),
    group: readGroupScopes(root, reading),
    sender: readSenderScopes({ tools, agentTools }, reading),
    sandbox: readNested(tools, { key: "sandbox", isInForce: sandboxed, log }),
    agentSandbox: readNested(agentTools, { key: "sandbox", isInForce: sandboxed, log }),
    subagents: readNested(tools, { key: "subagents", isInForce: subagent !== undefined, log }),
    patch: readPatchSetting({ tools, agentTools, log }),
    unknownAllow: readUnknownAllow(childOf(tools, "unknownAllow"), log),
  };
}

function readAgent(root: Found, { request, log }: Reading): { found?: Found; scope?: Scope } {
  const lookup = findAgent(root, request.agentId);
  if (lookup.kind === "found") return { found: lookup.found };
  if (lookup.kind === "absent") return {};
  if (request.agentId !== undefined) return { scope: faultyScope(lookup.fault, log) };
  reportFault(lookup.fault, log);
  return {};
}

function readProvider(tools: Found, { model, log }: Reading): Scope | undefined {
  const table = childOf(tools, "byProvider");
  const fault = faultOfRecord(table);
  if (fault && model) return faultyScope(fault, log);
  if (fault) reportFault(fault, log);
  return findScope(table, { keys: model?.keys ?? [], read: readScope, log });
}

interface Nested {
  readonly key: "sandbox" | "subagents";
  readonly isInForce: boolean | undefined;
  readonly log: WarningLog;
}

function readNested(tools: Found, { key, isInForce, log }: Nested): Scope | undefined {
  const fault = faultBelow(tools, [key, "tools"]);
  if (!isInForce) {
    if (fault) reportFault(fault, log);
    return undefined;
  }
  return fault ? faultyScope(fault, log) : readLists(descend(tools, [key, "tools"]), log);
}

function readUnknownAllow({ path, value }: Found, log: WarningLog): "ignore" | "deny" {
  if (value === undefined || value === "ignore") return "ignore";
  if (value === "deny") return "deny";
  const message = "It must be ignore or deny; until then it is read as deny.";
  log.add({ severity: "error", code: "malformed", path, message });
  return "deny";
}

function readGroupScopes(root: Found, reading: Reading): Scope[] {
  const { request, log } = reading;
  const { channel, groupId } = request;
  const channels = childOf(root, "channels");
  const fault = faultOfRecord(channels);
  const isGroup = channel !== undefined && groupId !== undefined;
  if (fault && isGroup) return [faultyScope(fault, log)];
  if (fault) reportFault(fault, log);
  if (fault || !isGroup) return [];
  const own = lookUpKey(channels, channel);
  if (own.kind === "absent") return [];
  if (own.kind === "fault") return [faultyScope(own.fault, log)];
  const wrong = faultOfRecord(own.found) ?? faultBelow(own.found, ["groups"]);
  if (wrong) return [faultyScope(wrong, log)];
  const groups = childOf(own.found, "groups");
  const scopes: Scope[] = [];
  for (const key of new Set([groupId, ANY_GROUP])) {
    const group = readGroup(lookUpKey(groups, key), reading);
    scopes.push(...group.scopes);
    if (group.isSettled) break;
  }
  return scopes;
}

/** Not settled: the wider group counts too. */
function readGroup(lookup: Lookup, reading: Reading): Match {
  const { log } = reading;
  if (lookup.kind === "absent") return { scopes: [], isSettled: false };
  if (lookup.kind === "fault") return { scopes: [faultyScope(lookup.fault, log)], isSettled: true };
  const fault = faultOfRecord(lookup.found);
  if (fault) return { scopes: [faultyScope(fault, log)], isSettled: true };
  const sender = matchSender(childOf(lookup.found, "toolsBySender"), reading);
  const all = sender.isSettled ? undefined : readLists(childOf(lookup.found, "tools"), log);
  return all ? { scopes: [...sender.scopes, all], isSettled: true } : sender;
}

function readSenderScopes(
  { tools, agentTools }: { readonly tools: Found; readonly agentTools: Found },
  reading: Reading,
): Scope[] {
  const own = matchSender(childOf(agentTools, "toolsBySender"), reading);
  const wide = matchSender(childOf(tools, "toolsBySender"), reading);
  return own.isSettled ? [...own.scopes] : [...own.scopes, ...wide.scopes];
}

function matchSender(table: Found, { request, log }: Reading): Match {
  const isChat = request.sender !== undefined || request.channel !== undefined;
  const fault = faultOfRecord(table);
  if (fault && isChat) return { scopes: [faultyScope(fault, log)], isSettled: true };
  if (fault) reportFault(fault, log);
  if (fault || !isChat || table.value === undefined) return { scopes: [], isSettled: false };
  const find = (keys: readonly string[]) => findScope(table, { keys, read: readLists, log });
  const sure = find(sureKeys(request));
  if (sure) return { scopes: [sure], isSettled: true };
  const mutable = find(mutableKeys(request.sender ?? {}));
  const anybody = find([ANYBODY]);
  if (mutable) reportMutable(mutable, log);
  const scopes = [mutable, anybody].filter((scope) => scope !== undefined);
  return { scopes, isSettled: anybody !== undefined };
}

function sureKeys({ channel, sender }: PolicyRequest): string[] {
  const id = foldName(sender?.id ?? "");
  const e164 = foldName(sender?.e164 ?? "");
  return [
    ...(id && channel ? [`channel:${foldName(channel)}:${id}`] : []),
    ...(id ? [`id:${id}`] : []),
    // An older spelling; an id that looks like another kind of key must not pick that one.
    ...(id && id !== ANYBODY && !PREFIXED.test(id) ? [id] : []),
    ...(e164 ? [`e164:${e164}`] : []),
  ];
}

function mutableKeys(sender: PolicySender): string[] {
  const username = foldName(sender.username ?? "").replace(/^@/, "");
  const name = foldName(sender.name ?? "");
  return [
    ...(username ? [`username:${username}`, `username:@${username}`] : []),
    ...(name ? [`name:${name}`] : []),
  ];
}

interface ScopeSearch {
  readonly keys: readonly string[];
  readonly read: (found: Found, log: WarningLog) => Scope | undefined;
  readonly log: WarningLog;
}

/** The scope under the first of the keys that is there. */
function findScope(table: Found, { keys, read, log }: ScopeSearch): Scope | undefined {
  for (const key of keys) {
    const lookup = lookUpKey(table, key);
    if (lookup.kind === "fault") return faultyScope(lookup.fault, log);
    if (lookup.kind === "found") return read(lookup.found, log);
  }
  return undefined;
}

function reportMutable({ path }: Scope, log: WarningLog): void {
  log.add({
    severity: "warning",
    code: "mutable_sender",
    path,
    message:
      'Anybody can take this name, so the rule only narrows and "*" holds next to it. Use id: to widen.',
  });
}
