// Checks a value against the schema: unknown keys are warnings unless they restrict.
import { normalizeToolName } from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";
import { listNames, wordsForNode, wordsForReceived } from "./check-words.js";
import {
  createProblemList,
  type KeyPath,
  type ProblemList,
  type Step,
  showKeyPath,
  showName,
} from "./problem.js";
import type { SchemaNode } from "./schema.js";

const RESTRICTING_WORD =
  /^(?:allow|deny|deni|blocked|blocklist|blacklist|whitelist|forbid|restrict|profile|security|ask$|modes?$|sandbox|polic|only|readonly|approv|permi|confirm|guard|disab|enab|exclu|requir|isolat|network)/;

const ALWAYS_RESTRICTING = /^(?:allow|deny|enabled|required)|Policy$/;
const LIST_KEYS: ReadonlySet<string> = new Set(["allow", "alsoAllow", "deny"]);
const POLICY_KEYS: ReadonlySet<string> = new Set(["tools", "toolsBySender", "sandbox"]);
const GATEWAY_KEYS: ReadonlySet<string> = new Set(["auth", "nodes"]);

const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  ...["modelPolicy", "typingMode", "fastModeDefault", "delegationMode", "codeMode", "skills"],
  "brave.mode",
]);

/** Tools that OpenClaw configs list: a list of them in an unknown section is a rule. */
const LISTED_TOOLS: ReadonlySet<string> = new Set(
  (
    "read write edit apply_patch grep find ls exec process web_search web_fetch memory_search " +
    "memory_get sessions_list sessions_history sessions_send sessions_spawn subagents session_status " +
    "browser canvas message cron gateway nodes agents_list image tts lobster llm-task"
  ).split(" "),
);
const SECRET_NAME = /token|key|secret|passw|passphrase|credential|auth|cookie|header|^env$|url$/i;
export const INCLUDE_KEY = "$include";

interface CheckSpot {
  readonly node: SchemaNode;
  readonly path: KeyPath;
  readonly problems: ProblemList;
  readonly hiddenPaths: ReadonlySet<string>;
  readonly keepsUnknown?: boolean;
}

export function checkValue(value: unknown, spot: CheckSpot): void {
  const { node } = spot;
  if (node.deprecated === true) addWarning(spot, `has no effect. ${node.description}`);
  if (node.anyOf !== undefined) {
    checkForms(value, { ...spot, forms: node.anyOf });
  } else if (!fitsLeaf(value, node)) {
    reportExpected(value, spot);
  } else if (Array.isArray(value)) {
    checkList(value, spot);
  } else if (isObject(value)) {
    checkObject(value, spot);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkList(value: readonly unknown[], spot: CheckSpot): void {
  const { items = {}, maxItems } = spot.node;
  if (maxItems !== undefined && value.length > maxItems) {
    addError(spot, `has ${value.length} entries; at most ${maxItems} are allowed`);
    return;
  }
  for (const [index, item] of value.entries()) {
    checkValue(item, { ...within(spot, index), node: items });
  }
}

function checkObject(value: Record<string, unknown>, spot: CheckSpot): void {
  const { node } = spot;
  for (const name of node.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    addError(within(spot, name), "is required, but missing");
  }
  for (const [name, item] of Object.entries(value)) {
    checkName(name, spot);
    const known = findProperty(node, name);
    if (known !== undefined) checkValue(item, { ...within(spot, name), node: known });
    else reportUnknown({ name, value: item }, spot);
  }
}

function findProperty(node: SchemaNode, name: string): SchemaNode | undefined {
  const { properties, additionalProperties } = node;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties === true ? undefined : additionalProperties;
}

function checkName(name: string, spot: CheckSpot): void {
  const rule = spot.node.propertyNames;
  if (rule === undefined) return;
  const { maxLength, pattern } = rule;
  if (countCharacters(name) <= maxLength && new RegExp(pattern, "u").test(name)) return;
  const message = `is not an allowed name: at most ${maxLength} characters that match ${pattern}`;
  addError(within(spot, name), message);
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

function reportUnknown({ name, value }: Entry, spot: CheckSpot): void {
  const { properties, additionalProperties } = spot.node;
  const place = within(spot, name);
  if (name === INCLUDE_KEY) {
    const message = "is followed only in a file that is loaded, not in a config given as an object";
    addError(place, message);
    return;
  }
  // An object without a word about its keys, such as the settings of a plugin, takes all.
  if (properties === undefined) return;
  const names = Object.entries(properties)
    .filter(([, property]) => property.deprecated !== true)
    .map(([known]) => known);
  const nearest = nearestName(name, names);
  const hint = nearest ? `did you mean ${showName(nearest)}?` : `known here: ${listNames(names)}`;
  if (!spot.keepsUnknown && isRestriction({ path: spot.path, name, value, nearest })) {
    addError(place, `is not a known key, and a restriction must not be ignored; ${hint}`);
    return;
  }
  if (nearest === undefined && additionalProperties === true) return;
  addWarning(place, `is not a known key and has no effect; ${hint}`);
}

/** The first form that fits counts; if none does, the one form of the right kind is explained. */
function checkForms(
  value: unknown,
  spot: CheckSpot & { readonly forms: readonly SchemaNode[] },
): void {
  const tries = spot.forms.map((node) => {
    const problems = createProblemList();
    checkValue(value, { ...spot, node, problems });
    return { node, problems };
  });
  const fitting = tries.find(({ problems }) => !problems.hasErrors());
  const sameKind = tries.filter(({ node }) => fitsKind(value, node));
  const chosen = fitting ?? (sameKind.length === 1 ? sameKind[0] : undefined);
  if (chosen === undefined) reportExpected(value, spot);
  else for (const problem of chosen.problems.list()) spot.problems.add(problem);
}

function fitsLeaf(value: unknown, node: SchemaNode): boolean {
  if (!fitsKind(value, node)) return false;
  if (typeof value === "string") return fitsText(value, node);
  if (typeof value !== "number") return true;
  return value >= (node.minimum ?? value) && value <= (node.maximum ?? value);
}

function fitsText(value: string, node: SchemaNode): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = node;
  if (node.enum !== undefined && !node.enum.includes(value)) return false;
  const length = countCharacters(value);
  if (length < minLength || length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}

const KINDS = {
  string: (value: unknown) => typeof value === "string",
  integer: (value: unknown) => Number.isInteger(value),
  number: (value: unknown) => typeof value === "number",
  boolean: (value: unknown) => typeof value === "boolean",
  array: (value: unknown) => Array.isArray(value),
  object: isObject,
} satisfies Record<NonNullable<SchemaNode["type"]>, (value: unknown) => boolean>;

function fitsKind(value: unknown, node: SchemaNode): boolean {
  return node.type === undefined || KINDS[node.type](value);
}

function within(spot: CheckSpot, step: Step): CheckSpot {
  return { ...spot, path: [...spot.path, step] };
}

function reportExpected(value: unknown, spot: CheckSpot): void {
  const { node, path, hiddenPaths } = spot;
  const hidden = isSecretPath(path) || hiddenPaths.has(showKeyPath(path));
  const received = wordsForReceived(value, { hidden });
  addError(spot, `expected ${wordsForNode(node)}, received ${received}`);
}

function addError({ path, problems }: CheckSpot, message: string): void {
  problems.add({ path: showKeyPath(path), severity: "error", message });
}

function addWarning({ path, problems }: CheckSpot, message: string): void {
  problems.add({ path: showKeyPath(path), severity: "warning", message });
}

function isSecretPath(path: KeyPath): boolean {
  return path.some((step) => typeof step === "string" && SECRET_NAME.test(step));
}

function isRestriction(key: {
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

export function holdsRules(value: unknown, isRule = isToolName): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    const isList = LIST_KEYS.has(key) && Array.isArray(inner);
    return isList ? inner.some(isRule) : holdsRules(inner, isRule);
  });
}

function isToolName(entry: unknown): boolean {
  if (typeof entry !== "string") return false;
  return entry.startsWith("group:") || LISTED_TOOLS.has(normalizeToolName(entry));
}
