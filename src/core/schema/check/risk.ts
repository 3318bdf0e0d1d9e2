// Judges from the schema alone whether a check needs the time guard and whether it ends.

import { ToolInputError } from "../../errors.js";
import { isRecord } from "../json-value.js";
import { isAnchored, isPlainPattern } from "../pattern.js";
import { refExpansionError } from "../refs.js";
import type { LinkedDocument, LinkedNode, LinkedSchema } from "./link.js";

const MAX_PLAIN_COST = 2_000;
const MAX_PLAIN_COST_EACH = 32;
const ANCHORED_PATTERN_COST = 8;
const LOOSE_PATTERN_COST = 16;
const LENGTH_COST = 8;
const MAX_SHORT_LENGTH = 32;
const KEYS_COST = 7;
const MAX_PLAIN_UNIQUE = 3;
const MAX_PLAIN_NESTING = 3;
const MAX_LINKED_DEPTH = 256;
const MAX_COST = 1e9;

export interface Risk {
  /** A check could take long, so it must run under the time guard. */
  readonly needsGuard: boolean;
  /** Too much to make code of. */
  readonly tooLargeToCompile: boolean;
}

interface Measure {
  readonly cost: number;
  readonly costEach: number;
  readonly nesting: number;
  readonly unique: number;
}

interface Survey {
  readonly definitions: readonly LinkedNode[];
  readonly measures: Map<number, Measure>;
  readonly open: Set<number>;
  readonly nodes: Map<LinkedSchema, Measure & { readonly depth: number }>;
  /** References that were not followed because they are open. */
  rounds: number;
  risky: boolean;
}

interface Position {
  readonly depth: number;
  /** References followed since the last step into the value; one of them again never ends. */
  readonly here: readonly number[];
}

const LEAF: Measure = { cost: 1, costEach: 0, nesting: 0, unique: 0 };

/**
 * Throws a ToolInputError `ref_cyclic` for a schema that refers to itself without a step into the
 * value, a ToolError `ref_expansion` for references that lead too deep.
 */
export function assessRisk(document: LinkedDocument): Risk {
  const survey: Survey = {
    definitions: document.definitions,
    measures: new Map(),
    open: new Set(),
    nodes: new Map(),
    rounds: 0,
    risky: false,
  };
  const { cost, nesting } = measure(document.root, survey, { depth: 0, here: [] });
  const tooLargeToCompile = cost > MAX_PLAIN_COST;
  const needsGuard = survey.risky || tooLargeToCompile || nesting > MAX_PLAIN_NESTING;
  return { needsGuard, tooLargeToCompile };
}

function measure(node: LinkedNode, survey: Survey, position: Position): Measure {
  if (typeof node === "boolean") return LEAF;
  if (position.depth > MAX_LINKED_DEPTH) throw refExpansionError();
  const known = survey.nodes.get(node);
  if (known && position.depth <= known.depth) return known;
  const { rounds } = survey;
  const found = measureUncached(node, survey, position);
  // Where a round was cut short, another way in may show that it never ends.
  if (survey.rounds === rounds) survey.nodes.set(node, { ...found, depth: position.depth });
  return found;
}

function measureUncached(node: LinkedSchema, survey: Survey, position: Position): Measure {
  const same = { depth: position.depth + 1, here: position.here };
  const inside = { depth: position.depth + 1, here: [] };
  const inPlace = [
    ...[...node.allOf, ...node.dependentSchemas.values()].map((part) =>
      measure(part, survey, same),
    ),
    ...listChoices(node).map((choice) => nested(measure(choice, survey, same))),
    ...(node.ref === undefined ? [] : [measureRef(node.ref, survey, position)]),
  ];
  const once = [...node.properties.values(), ...node.prefixItems].map((part) =>
    measure(part, survey, inside),
  );
  const each = listRepeated(node).map((part) => measure(part, survey, inside));
  const costEach = sumOf([
    ...each.map((part) => part.cost),
    ownCostEach(node),
    ...inPlace.map((part) => part.costEach),
  ]);
  const unique = sumOf([
    node.uniqueItems ? 1 : 0,
    ...[...inPlace, ...each].map((part) => part.unique),
    maxOf(once.map((part) => part.unique)),
  ]);
  survey.risky ||= isRisky(node) || costEach > MAX_PLAIN_COST_EACH || unique > MAX_PLAIN_UNIQUE;
  const parts = [...inPlace, ...once, ...each];
  return {
    cost: sumOf([1, countNames(node), ...parts.map((part) => part.cost)]),
    costEach,
    nesting: maxOf(parts.map((part) => part.nesting)),
    unique,
  };
}

function countNames(node: LinkedSchema): number {
  return sumOf([
    node.required.length,
    ...[...node.dependentRequired.values()].map((names) => names.length),
  ]);
}

function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function sumOf(costs: readonly number[]): number {
  return Math.min(
    MAX_COST,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
}

function ownCostEach(node: LinkedSchema): number {
  const compared = node.literals.flatMap((list) => list.others);
  const patterns = [...node.patternProperties, ...(node.pattern ? [node.pattern] : [])];
  const { minLength = 0, maxLength = 0 } = node.bounds;
  return sumOf([
    ...compared.map((value) => (isRecord(value) ? KEYS_COST : 1)),
    ...patterns.map(({ source }) =>
      isAnchored(source) ? ANCHORED_PATTERN_COST : LOOSE_PATTERN_COST,
    ),
    ...[minLength, maxLength].map((bound) => (bound > MAX_SHORT_LENGTH ? LENGTH_COST : 0)),
    listsKeys(node) ? KEYS_COST : 0,
  ]);
}

function listsKeys(node: LinkedSchema): boolean {
  const { minProperties, maxProperties } = node.bounds;
  const rules = [minProperties, maxProperties, node.additionalProperties, node.propertyNames];
  return rules.some((rule) => rule !== undefined);
}

function measureRef(index: number, survey: Survey, position: Position): Measure {
  if (position.here.includes(index)) throw cyclicRef();
  if (survey.open.has(index)) {
    // How often it comes round is up to the value.
    survey.risky = true;
    survey.rounds += 1;
    return LEAF;
  }
  const known = survey.measures.get(index);
  if (known) return known;
  survey.open.add(index);
  const target = survey.definitions[index] ?? true;
  const found = measure(target, survey, {
    depth: position.depth + 1,
    here: [...position.here, index],
  });
  survey.open.delete(index);
  survey.measures.set(index, found);
  return found;
}

function isRisky(node: LinkedSchema): boolean {
  const patterns = [...node.patternProperties, ...(node.pattern ? [node.pattern] : [])];
  return (
    node.dependentSchemas.size > 0 ||
    node.unevaluatedItems !== undefined ||
    node.unevaluatedProperties !== undefined ||
    patterns.some((pattern) => !isPlainPattern(pattern.source))
  );
}

/** Subschemas for the same value of which not all must hold. */
function listChoices(node: LinkedSchema): LinkedNode[] {
  const { condition } = node;
  return [
    ...(node.anyOf ?? []),
    ...(node.oneOf ?? []),
    ...(node.not === undefined ? [] : [node.not]),
    ...(condition ? [condition.test, condition.whenTrue, condition.whenFalse] : []),
  ];
}

function listRepeated(node: LinkedSchema): LinkedNode[] {
  const single = [
    node.items,
    node.contains,
    node.unevaluatedItems,
    node.additionalProperties,
    node.unevaluatedProperties,
    node.propertyNames,
  ];
  const patterns = node.patternProperties.map((pattern) => pattern.schema);
  return [...single.filter((child) => child !== undefined), ...patterns];
}

function nested(inner: Measure): Measure {
  return { ...inner, nesting: inner.nesting + 1 };
}

function cyclicRef(): ToolInputError {
  return new ToolInputError(
    "The schema refers to itself without a property or item between, so a check would never end.",
    { reason: "ref_cyclic" },
  );
}
