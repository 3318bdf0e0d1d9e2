// Reading a config step by step: every value keeps the place it was found at, and only own keys
// are looked up, so that a name such as `constructor` finds nothing.

import { isRecord } from "../../schema/json-value.js";
import { foldName } from "../names/normalize.js";
import type { WarningLog } from "../warnings.js";
import type { ConfigPath } from "./path.js";

export interface Found {
  readonly path: ConfigPath;
  /** `undefined` when there is nothing. */
  readonly value: unknown;
}

/** A change of the config that fixes something. */
export interface Edit {
  readonly path: ConfigPath;
  readonly value: unknown;
}

/** A value that cannot be used, and what would fix it, where a change can. */
export interface Fault {
  readonly path: ConfigPath;
  /** "must be …". */
  readonly reason: string;
  readonly fix?: Edit;
}

export function childOf({ path, value }: Found, key: string): Found {
  const has = isRecord(value) && Object.hasOwn(value, key);
  return { path: [...path, key], value: has ? value[key] : undefined };
}

export function descend(found: Found, keys: readonly string[]): Found {
  return keys.reduce(childOf, found);
}

/** A fault when something else than an object is there. */
export function faultOfRecord({ path, value }: Found): Fault | undefined {
  if (value === undefined || isRecord(value)) return undefined;
  return { path, reason: "must be an object", fix: { path, value: {} } };
}

/** The first place below `found` on the way down that is not an object. */
export function faultBelow(found: Found, keys: readonly string[]): Fault | undefined {
  const [key, ...rest] = keys;
  if (key === undefined || faultOfRecord(found)) return undefined;
  const child = childOf(found, key);
  return faultOfRecord(child) ?? faultBelow(child, rest);
}

export type Lookup =
  | { readonly kind: "absent" }
  | { readonly kind: "found"; readonly found: Found }
  | { readonly kind: "fault"; readonly fault: Fault };

/** Finds a key as it is written, else without regard to case; two that differ in case alone are a fault. */
export function lookUpKey(parent: Found, name: string): Lookup {
  const { path, value } = parent;
  if (!isRecord(value)) return { kind: "absent" };
  if (Object.hasOwn(value, name)) return { kind: "found", found: childOf(parent, name) };
  const wanted = foldName(name);
  const keys = Object.keys(value).filter((key) => foldName(key) === wanted);
  const [key] = keys;
  if (key === undefined) return { kind: "absent" };
  if (keys.length === 1) return { kind: "found", found: childOf(parent, key) };
  const reason = `must have one key "${wanted}", not ${keys.length} that differ in case alone`;
  return { kind: "fault", fault: { path, reason } };
}

export function reportFault(fault: Fault, log: WarningLog): void {
  const { path, reason } = fault;
  const message = `It ${reason}; until then nothing passes this layer.`;
  log.add({ severity: "error", code: "malformed", path, message });
}
