// Reads a config step by step: every value keeps its path, and faults are reported.

import { toPrintable } from "../../lib/printable.js";
import { isRecord } from "../schema/json-value.js";
import { foldName } from "./names.js";

export type ConfigPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;
const MAX_SHOWN_CHARS = 80;

export function showPath(path: ConfigPath): string {
  if (path.length === 0) return "config";
  return path.reduce<string>((shown, segment) => {
    if (typeof segment === "number") return `${shown}[${segment}]`;
    if (!PLAIN_KEY.test(segment)) return `${shown}[${quote(segment)}]`;
    return shown === "" ? segment : `${shown}.${segment}`;
  }, "");
}

export function quote(text: string): string {
  return `"${toPrintable(text, MAX_SHOWN_CHARS).replaceAll('"', '\\"')}"`;
}

export type PolicyWarningCode =
  /** A value of the wrong kind; its layer lets nothing pass. */
  | "malformed"
  /** Within two letters of a known name; allows nothing, and denies what was probably meant. */
  | "typo"
  | "unknown_name"
  | "unknown_group"
  /** A known name of which no tool is loaded. */
  | "not_loaded"
  | "pattern_unmatched"
  /** An empty text where a name should be. */
  | "blank_entry"
  /** An allow list without entries; it lets nothing pass. */
  | "empty_allow"
  /** An allow list that names no tool at hand and is left out of account. */
  | "allow_ignored"
  /** `allow` next to `alsoAllow`; read as one list. */
  | "allow_conflict"
  /** A name that its bearer can change; such an entry only narrows. */
  | "mutable_sender";

export interface PolicyWarning {
  /** `error`: the config must be fixed, and until then this part fails closed. */
  readonly severity: "warning" | "error";
  readonly code: PolicyWarningCode;
  /** Where in the config: `tools.allow[2]`. */
  readonly path: string;
  readonly message: string;
  readonly nearest?: string;
}

export interface WarningLog {
  add(warning: Omit<PolicyWarning, "path"> & { readonly path: ConfigPath }): void;
  list(): readonly PolicyWarning[];
}

export function createWarningLog(): WarningLog {
  const warnings: PolicyWarning[] = [];
  return {
    add: ({ path, ...rest }) => {
      warnings.push(Object.freeze({ ...rest, path: showPath(path) }));
    },
    list: () => Object.freeze([...warnings]),
  };
}

export interface Found {
  readonly path: ConfigPath;
  readonly value: unknown;
}

/** A place, and what is to be there. */
export type Edit = Found;

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

export function faultOfRecord({ path, value }: Found): Fault | undefined {
  if (value === undefined || isRecord(value)) return undefined;
  return { path, reason: "must be an object", fix: { path, value: {} } };
}

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

interface AgentEntry extends Found {
  readonly id: string | undefined;
}

/** Never guesses: an agent that may hide in a malformed or doubled entry is a fault. */
export function findAgent(config: Found, agentId: string | undefined): Lookup {
  const fault =
    faultOfRecord(childOf(config, "agents")) ??
    faultOfList(descend(config, ["agents", "list"])) ??
    faultOfRecord(descend(config, ["agents", "entries"]));
  if (fault) return { kind: "fault", fault };
  return agentId === undefined ? { kind: "absent" } : pickAgent(listAgents(config.value), agentId);
}

export function listAgents(config: unknown): AgentEntry[] {
  const agents = childOf({ path: [], value: config }, "agents");
  const list = childOf(agents, "list");
  const entries = childOf(agents, "entries");
  const items: readonly unknown[] = Array.isArray(list.value) ? list.value : [];
  const ids = isRecord(entries.value) ? Object.keys(entries.value) : [];
  return [
    ...items.map((value, position) => {
      const entry = { path: [...list.path, position], value };
      const { value: id } = childOf(entry, "id");
      return { ...entry, id: typeof id === "string" ? id : undefined };
    }),
    ...ids.map((id) => {
      const entry = childOf(entries, id);
      return { ...entry, id: isRecord(entry.value) ? id : undefined };
    }),
  ];
}

function faultOfList({ path, value }: Found): Fault | undefined {
  if (value === undefined || Array.isArray(value)) return undefined;
  return { path, reason: "must be a list of agents", fix: { path, value: [] } };
}

function pickAgent(entries: readonly AgentEntry[], agentId: string): Lookup {
  const isWanted = ({ id }: AgentEntry) => id !== undefined && foldName(id) === foldName(agentId);
  const [own, duplicate] = entries.filter(isWanted);
  // Neither fault has a fix: a patch cannot take an entry away, and only its writer knows which.
  if (duplicate) {
    const reason = "must have an id that no other agent has";
    return { kind: "fault", fault: { path: duplicate.path, reason } };
  }
  if (own) return { kind: "found", found: own };
  const unreadable = entries.find(({ id }) => id === undefined);
  if (!unreadable) return { kind: "absent" };
  const reason = "must be an object with an id";
  return { kind: "fault", fault: { path: unreadable.path, reason } };
}
