// Everything a config says about one request: one scope per place, each read once.

import {
  childOf,
  descend,
  type Found,
  faultBelow,
  faultOfRecord,
  findAgent,
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

interface SenderMatch {
  readonly scopes: readonly Scope[];
  readonly isSettled: boolean;
}

interface SenderInput {
  readonly tools: Found;
  readonly agentTools: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

interface SenderLookup {
  readonly table: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

interface KeySearch {
  readonly table: Found;
  readonly keys: readonly string[];
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
  const model = readModelNames(request);
  const tools = childOf(root, "tools");
  const agent = readAgent({ root, request, log });
  const agentTools = agent.found ? childOf(agent.found, "tools") : { path: [], value: undefined };
  return {
    model,
    global: faultOfRecord(root) ? readScope(root, log) : readScope(tools, log),
    agent: agent.scope ?? readScope(agentTools, log),
    globalProvider: readProvider({ tools, model, log }),
    agentProvider: readProvider({ tools: agentTools, model, log }),
    group: readGroupScopes({ root, request, log }),
    sender: readSenderScopes({ tools, agentTools, request, log }),
    sandbox: readNested({ tools, key: "sandbox", isInForce: request.sandboxed, log }),
    agentSandbox: readNested({
      tools: agentTools,
      key: "sandbox",
      isInForce: request.sandboxed,
      log,
    }),
    subagents: readNested({
      tools,
      key: "subagents",
      isInForce: request.subagent !== undefined,
      log,
    }),
    patch: readPatchSetting({ tools, agentTools, log }),
    unknownAllow: readUnknownAllow(childOf(tools, "unknownAllow"), log),
  };
}

interface AgentInput {
  readonly root: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

function readAgent({ root, request, log }: AgentInput): { found?: Found; scope?: Scope } {
  const lookup = findAgent(root, request.agentId);
  if (lookup.kind === "found") return { found: lookup.found };
  if (lookup.kind === "absent") return {};
  if (request.agentId !== undefined) return { scope: faultyScope(lookup.fault, log) };
  reportFault(lookup.fault, log);
  return {};
}

interface ProviderInput {
  readonly tools: Found;
  readonly model: ModelNames | undefined;
  readonly log: WarningLog;
}

function readProvider({ tools, model, log }: ProviderInput): Scope | undefined {
  const table = childOf(tools, "byProvider");
  const fault = faultOfRecord(table);
  if (fault && model) return faultyScope(fault, log);
  if (fault) reportFault(fault, log);
  for (const key of model?.keys ?? []) {
    const lookup = lookUpKey(table, key);
    if (lookup.kind === "fault") return faultyScope(lookup.fault, log);
    if (lookup.kind === "found") return readScope(lookup.found, log);
  }
  return undefined;
}

interface NestedInput {
  readonly tools: Found;
  readonly key: "sandbox" | "subagents";
  readonly isInForce: boolean | undefined;
  readonly log: WarningLog;
}

function readNested({ tools, key, isInForce, log }: NestedInput): Scope | undefined {
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

interface GroupInput {
  readonly root: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

function readGroupScopes({ root, request, log }: GroupInput): Scope[] {
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
  const keys = groupId === ANY_GROUP ? [ANY_GROUP] : [groupId, ANY_GROUP];
  return readGroups({ groups, keys, request, log });
}

interface GroupSearch {
  readonly groups: Found;
  readonly keys: readonly string[];
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

function readGroups({ groups, keys, request, log }: GroupSearch): Scope[] {
  const [key, ...rest] = keys;
  if (key === undefined) return [];
  const wider = () => readGroups({ groups, keys: rest, request, log });
  const lookup = lookUpKey(groups, key);
  if (lookup.kind === "fault") return [faultyScope(lookup.fault, log)];
  if (lookup.kind === "absent") return wider();
  const group = lookup.found;
  const fault = faultOfRecord(group);
  if (fault) return [faultyScope(fault, log)];
  const sender = matchSender({ table: childOf(group, "toolsBySender"), request, log });
  if (sender.isSettled) return [...sender.scopes];
  const all = readLists(childOf(group, "tools"), log);
  return [...sender.scopes, ...(all ? [all] : wider())];
}

function readSenderScopes({ tools, agentTools, request, log }: SenderInput): Scope[] {
  const own = matchSender({ table: childOf(agentTools, "toolsBySender"), request, log });
  const wide = matchSender({ table: childOf(tools, "toolsBySender"), request, log });
  return own.isSettled ? [...own.scopes] : [...own.scopes, ...wide.scopes];
}

function matchSender({ table, request, log }: SenderLookup): SenderMatch {
  const isChat = request.sender !== undefined || request.channel !== undefined;
  const fault = faultOfRecord(table);
  if (fault && isChat) return { scopes: [faultyScope(fault, log)], isSettled: true };
  if (fault) reportFault(fault, log);
  if (fault || !isChat || table.value === undefined) return { scopes: [], isSettled: false };
  const find = (keys: readonly string[]) => findScope({ table, keys, log });
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

function findScope({ table, keys, log }: KeySearch): Scope | undefined {
  for (const key of keys) {
    const lookup = lookUpKey(table, key);
    if (lookup.kind === "fault") return faultyScope(lookup.fault, log);
    if (lookup.kind === "found") return readLists(lookup.found, log);
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
