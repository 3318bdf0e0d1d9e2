// Which unknown keys take something away. To ignore one would open what its writer closed, so the
// config does not load. Keys that OpenClaw knows and that concern no tool stay harmless.

import { BUILT_IN_NAMES, normalizeToolName } from "../../core/index.js";
import type { KeyPath } from "../key-path.js";

const RESTRICTING_WORD =
  /^(?:allow|deny|deni|blocked|blocklist|blacklist|whitelist|forbid|restrict|profile|security|ask$|modes?$|sandbox|polic|only|readonly|approv|permi|confirm|guard|disab|enab|exclu|requir|isolat|network)/;
/** A slip in one of these counts wherever it is. */
const ALWAYS_RESTRICTING = /^(?:allow|deny|enabled|required)|Policy$/;
const LIST_KEYS: ReadonlySet<string> = new Set(["allow", "alsoAllow", "deny"]);
/** What is below one of these says which tools there are, wherever it is. */
const POLICY_KEYS: ReadonlySet<string> = new Set(["tools", "toolsBySender", "sandbox"]);
const GATEWAY_KEYS: ReadonlySet<string> = new Set(["auth", "nodes"]);
const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  ...["modelPolicy", "typingMode", "fastModeDefault", "delegationMode", "codeMode", "skills"],
  "brave.mode",
]);

/** `path` is that of the object that holds the key, `nearest` the known key that was probably meant. */
export function isRestriction(key: {
  readonly path: KeyPath;
  readonly name: string;
  readonly value: unknown;
  readonly nearest: string | undefined;
}): boolean {
  const { path, name, value, nearest } = key;
  if (HARMLESS_KEYS.has(name) || HARMLESS_KEYS.has(`${path.at(-1)}.${name}`)) return false;
  if (nearest !== undefined && ALWAYS_RESTRICTING.test(nearest)) return true;
  const isPolicy = isPolicyPlace(path);
  if (holdsRules(value, isPolicy ? () => true : isToolName)) return true;
  if (!isPolicy) return false;
  const isSection = typeof value === "object" && Object.keys(value ?? {}).length > 0;
  if (isSection && POLICY_KEYS.has(name)) return true;
  if (soundsRestricting(name) || soundsRestricting(nearest ?? "")) return true;
  if (Array.isArray(value)) return value.some(isToolName);
  // A mistyped section may hold anything that its right name would.
  return nearest !== undefined && isSection;
}

function isPolicyPlace(path: KeyPath): boolean {
  const [first = "tools", second = ""] = path;
  if (first === "agents" || first === "approvals") return true;
  if (first === "gateway" && GATEWAY_KEYS.has(String(second))) return true;
  return [first, ...path].some((step) => POLICY_KEYS.has(String(step)));
}

function soundsRestricting(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => RESTRICTING_WORD.test(word));
}

/** Lists of tools somewhere in it, such as the `tools` of one room of a channel. */
export function holdsRules(value: unknown, isRule = isToolName): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    const isList = LIST_KEYS.has(key) && Array.isArray(inner);
    return isList ? inner.some(isRule) : holdsRules(inner, isRule);
  });
}

function isToolName(entry: unknown): boolean {
  if (typeof entry !== "string") return false;
  return entry.startsWith("group:") || BUILT_IN_NAMES.has(normalizeToolName(entry));
}
