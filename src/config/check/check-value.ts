// Walks a plain value along the schema: wrong values are errors, unknown keys are warnings
// unless they restrict.

import { nearestName } from "../../lib/nearest-name.js";
import { type KeyPath, type Step, showKeyPath, showName } from "../key-path.js";
import { createProblemList, type ProblemList } from "../problem.js";
import type { SchemaNode } from "../schema.js";
import { isRestriction } from "./restriction.js";
import { listNames, wordsForNode, wordsForReceived } from "./words.js";

const SECRET_NAME = /token|key|secret|passw|passphrase|credential|auth|cookie|header|^env$|url$/i;

export const INCLUDE_KEY = "$include";

export interface CheckSpot {
  readonly node: SchemaNode;
  readonly path: KeyPath;
  readonly problems: ProblemList;
  /** Paths, as text, of values that came from the environment and are not shown. */
  readonly hiddenPaths: ReadonlySet<string>;
  /** Unknown keys never restrict here. */
  readonly keepsUnknown?: boolean;
}

/** `value` has been copied by `copyPlain`, so it is neither deep nor strange. */
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

/** As JSON Schema counts: code points. */
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
