// Rules for one group of a channel: `channels.<channel>.groups.<id>`. The group's own rules win over
// those of the group `*`; in each, rules for the sender win over those for all.

import type { PolicyRequest } from "../request.js";
import type { WarningLog } from "../warnings.js";
import { childOf, type Found, faultBelow, faultOfRecord, lookUpKey, reportFault } from "./found.js";
import { faultyScope, readLists, type Scope } from "./scope.js";
import { matchSender } from "./sender.js";

const ANY_GROUP = "*";

export interface GroupInput {
  readonly root: Found;
  readonly request: PolicyRequest;
  readonly log: WarningLog;
}

/** All scopes hold. */
export function readGroupScopes({ root, request, log }: GroupInput): Scope[] {
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
  /** The most exact first. */
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
