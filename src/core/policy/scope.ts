// One place of the config with profile, allow, alsoAllow and deny. Malformed, it lets nothing pass.

import { isRecord } from "../schema/json-value.js";
import type { ToolProfile } from "../tool.js";
import {
  type ConfigPath,
  childOf,
  descend,
  type Edit,
  type Fault,
  type Found,
  faultBelow,
  faultOfRecord,
  quote,
  reportFault,
  type WarningLog,
} from "./found.js";
import { nearestTypo, PROFILE_NAMES, parseProfile } from "./names.js";

export interface NameList {
  readonly path: ConfigPath;
  readonly entries: readonly string[];
  readonly fault?: Fault;
}

export interface ProfileSetting {
  readonly path: ConfigPath;
  readonly text: string;
  /** `undefined` for an unknown profile. */
  readonly profile: ToolProfile | undefined;
  readonly fault?: Fault;
}

export interface Scope {
  readonly path: ConfigPath;
  readonly profile?: ProfileSetting;
  readonly allow?: NameList;
  readonly alsoAllow?: NameList;
  readonly deny?: NameList;
  readonly fault?: Fault;
}

export function readScope(found: Found, log: WarningLog): Scope | undefined {
  const profile = readProfile(childOf(found, "profile"), log);
  const scope = readParts(found, { log, hasProfile: profile !== undefined });
  return scope && profile ? { ...scope, profile } : scope;
}

export function readLists(found: Found, log: WarningLog): Scope | undefined {
  return readParts(found, { log, hasProfile: false });
}

function readParts(
  found: Found,
  { log, hasProfile }: { log: WarningLog; hasProfile: boolean },
): Scope | undefined {
  const { path, value } = found;
  if (value === undefined) return undefined;
  const fault = faultOfRecord(found);
  if (fault) return faultyScope(fault, log);
  const allow = readNames(childOf(found, "allow"), log);
  const alsoAllow = readNames(childOf(found, "alsoAllow"), log);
  const deny = readNames(childOf(found, "deny"), log);
  // Next to a profile, or next to a list that allows nothing, `alsoAllow` says what `allow` cannot.
  const isDoubled = allow?.entries.length && alsoAllow?.entries.length;
  if (isDoubled && !hasProfile) reportConflict(path, log);
  return {
    path,
    ...(allow ? { allow } : {}),
    ...(alsoAllow ? { alsoAllow } : {}),
    ...(deny ? { deny } : {}),
  };
}

export function faultyScope(fault: Fault, log: WarningLog): Scope {
  reportFault(fault, log);
  return { path: fault.path, fault };
}

export function addName(
  list: NameList | undefined,
  added: { path: ConfigPath; name: string },
): Edit {
  return { path: list?.path ?? added.path, value: [...(list?.entries ?? []), added.name] };
}

function readNames({ path, value }: Found, log: WarningLog): NameList | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    const fault = { path, reason: "must be a list of names" };
    reportFault(fault, log);
    return { path, entries: [], fault };
  }
  const wrongPosition = value.findIndex((item) => typeof item !== "string");
  // The same array: compiled lists are remembered by identity.
  if (wrongPosition === -1) return { path, entries: value };
  const entries = value.filter((item) => typeof item === "string");
  const fault = { path: [...path, wrongPosition], reason: "must be a text" };
  reportFault(fault, log);
  return { path, entries, fault };
}

function readProfile({ path, value }: Found, log: WarningLog): ProfileSetting | undefined {
  if (value === undefined) return undefined;
  const profile = typeof value === "string" ? parseProfile(value) : undefined;
  if (profile !== undefined) return { path, text: profile, profile };
  const text = typeof value === "string" ? value : describe(value);
  const nearest = nearestTypo(text.trim().toLowerCase(), PROFILE_NAMES);
  const hint = nearest ? `, perhaps ${quote(nearest)}` : "";
  const fault = { path, reason: `must be one of ${PROFILE_NAMES.join(", ")}${hint}` };
  reportFault(fault, log);
  return { path, text, profile, fault };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "an object" : String(value);
}

function reportConflict(path: ConfigPath, log: WarningLog): void {
  log.add({
    severity: "warning",
    code: "allow_conflict",
    path,
    message: "It has both allow and alsoAllow; they are read as one list. One of them is enough.",
  });
}

const KEYS = ["exec", "applyPatch"] as const;

export interface PatchSetting {
  readonly enabled: { readonly path: ConfigPath; readonly value: boolean | undefined };
  readonly allowModels?: NameList;
  readonly fault?: Fault;
}

interface PatchInput {
  readonly tools: Found;
  readonly agentTools: Found;
  readonly log: WarningLog;
}

export function readPatchSetting({ tools, agentTools, log }: PatchInput): PatchSetting {
  const global = descend(tools, KEYS);
  const agent = descend(agentTools, KEYS);
  const enabledPlaces = [childOf(agent, "enabled"), childOf(global, "enabled")];
  const enabled = enabledPlaces.find(({ value }) => value !== undefined);
  const isSwitch = enabled === undefined || typeof enabled.value === "boolean";
  const fault =
    faultBelow(agentTools, KEYS) ??
    faultBelow(tools, KEYS) ??
    (isSwitch ? undefined : wrongSwitch(enabled));
  if (fault) reportFault(fault, log);
  const allowModels =
    readNames(childOf(agent, "allowModels"), log) ?? readNames(childOf(global, "allowModels"), log);
  return {
    enabled: {
      path: enabled?.path ?? childOf(global, "enabled").path,
      value: typeof enabled?.value === "boolean" ? enabled.value : undefined,
    },
    ...(allowModels ? { allowModels } : {}),
    ...(fault ? { fault } : {}),
  };
}

function wrongSwitch({ path }: Found): Fault {
  return { path, reason: "must be true or false", fix: { path, value: true } };
}
