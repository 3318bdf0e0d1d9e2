// Rules for single senders: `toolsBySender`. Ids and phone numbers belong to their bearer and pick
// one rule; user names and display names can be taken by anybody, so such a rule only narrows.

import { foldName } from "../names/normalize.js";
import type { PolicyRequest, PolicySender } from "../request.js";
import type { WarningLog } from "../warnings.js";
import { childOf, type Found, faultOfRecord, lookUpKey, reportFault } from "./found.js";
import { faultyScope, readLists, type Scope } from "./scope.js";

const PREFIXED = /^(?:channel|id|e164|username|name):/i;
const ANYBODY = "*";

/** The rules of one table for one sender. */
export interface SenderMatch {
  /** All of them hold. */
  readonly scopes: readonly Scope[];
  /** The sender is settled, and no wider table is asked. */
  readonly isSettled: boolean;
}

export interface SenderInput {
  readonly tools: Found;
  readonly agentTools: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

/** A match in the agent's table replaces the global one. */
export function readSenderScopes({ tools, agentTools, request, log }: SenderInput): Scope[] {
  const own = matchSender({ table: childOf(agentTools, "toolsBySender"), request, log });
  const wide = matchSender({ table: childOf(tools, "toolsBySender"), request, log });
  return own.isSettled ? [...own.scopes] : [...own.scopes, ...wide.scopes];
}

export interface SenderLookup {
  readonly table: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

export function matchSender({ table, request, log }: SenderLookup): SenderMatch {
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

interface KeySearch {
  readonly table: Found;
  readonly keys: readonly string[];
  readonly log: WarningLog;
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
      'Anybody can take this name, so the rule only narrows and "*" holds beside it. Use id: to widen.',
  });
}
