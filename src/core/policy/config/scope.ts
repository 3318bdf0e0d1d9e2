// One place of the config that says which tools are left: `{ profile, allow, alsoAllow, deny }`.
// What is malformed there is kept as a fault, and the layer that uses it lets nothing pass.

import { isRecord } from "../../schema/json-value.js";
import type { ToolProfile } from "../../tool.js";
import { PROFILE_NAMES, parseProfile } from "../names/profiles.js";
import { nearestTypo } from "../names/typo.js";
import type { WarningLog } from "../warnings.js";
import { childOf, type Edit, type Fault, type Found, faultOfRecord, reportFault } from "./found.js";
import { type ConfigPath, quote } from "./path.js";

export interface NameList {
  readonly path: ConfigPath;
  /** The texts among its entries. */
  readonly entries: readonly string[];
  /** The value is not a list of strings. */
  readonly fault?: Fault;
}

export interface ProfileSetting {
  readonly path: ConfigPath;
  /** As it is written. */
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
  /** The place itself is malformed. */
  readonly fault?: Fault;
}

/** A place that may choose a profile next to its lists. */
export function readScope(found: Found, log: WarningLog): Scope | undefined {
  const profile = readProfile(childOf(found, "profile"), log);
  const scope = readParts(found, { log, hasProfile: profile !== undefined });
  return scope && profile ? { ...scope, profile } : scope;
}

/** A place that has lists alone. */
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

/** Is for a place that cannot be read at all. */
export function faultyScope(fault: Fault, log: WarningLog): Scope {
  reportFault(fault, log);
  return { path: fault.path, fault };
}

/** The edit that adds a name to a list that may not exist yet. */
export function addName(
  list: NameList | undefined,
  added: { path: ConfigPath; name: string },
): Edit {
  return { path: list?.path ?? added.path, value: [...(list?.entries ?? []), added.name] };
}

export function readNames({ path, value }: Found, log: WarningLog): NameList | undefined {
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
