// How long a check could take at worst, judged from the schema alone: whether it needs the time
// guard, and whether it would ever end.

import { ToolInputError } from "../../errors.js";
import { isPlainPattern } from "../pattern.js";
import { refExpansionError } from "../refs.js";
import type { LinkedDocument, LinkedNode, LinkedSchema } from "./link.js";

/** Steps that need no guard; each subschema is one. Above it the schema is not compiled either. */
const MAX_PLAIN_COST = 2_000;
/** Steps for each item or key of a value; arguments may have 100,000 of them. */
const MAX_PLAIN_COST_EACH = 64;
/** A pattern runs over a whole text, which may be long. */
const PATTERN_COST_EACH = 16;
/** Alternatives inside alternatives that need no guard. */
const MAX_PLAIN_NESTING = 3;
/** Subschemas inside each other, through references too. */
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
  /** Steps for each part of the value, over all subschemas that look at the same value. */
  readonly costEach: number;
  /** Levels of anyOf, oneOf, not and if inside each other. */
  readonly nesting: number;
}

interface Survey {
  readonly definitions: readonly LinkedNode[];
  readonly measures: Map<number, Measure>;
  readonly open: Set<number>;
  /** Something was found that can take long whatever the cost. */
  risky: boolean;
}

interface Position {
  readonly depth: number;
  /** References followed since the last step into the value; one of them again never ends. */
  readonly here: readonly number[];
}

const LEAF: Measure = { cost: 1, costEach: 0, nesting: 0 };

/**
 * Throws a ToolInputError `ref_cyclic` for a schema that refers to itself without a step into the
 * value, a ToolError `ref_expansion` for references that lead too deep.
 */
export function assessRisk(document: LinkedDocument): Risk {
  const survey: Survey = {
    definitions: document.definitions,
    measures: new Map(),
    open: new Set(),
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
  if (isRisky(node) || costEach > MAX_PLAIN_COST_EACH) survey.risky = true;
  const parts = [...inPlace, ...once, ...each];
  return {
    cost: sumOf([1 + node.required.length, ...parts.map((part) => part.cost)]),
    costEach,
    nesting: Math.max(0, ...parts.map((part) => part.nesting)),
  };
}

function sumOf(costs: readonly number[]): number {
  return Math.min(
    MAX_COST,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
}

function ownCostEach(node: LinkedSchema): number {
  const compared = node.literals.reduce((sum, list) => sum + list.others.length, 0);
  const patterns = (node.pattern ? 1 : 0) + node.patternProperties.length;
  return compared + patterns * PATTERN_COST_EACH + (node.uniqueItems ? 1 : 0);
}

function measureRef(index: number, survey: Survey, position: Position): Measure {
  if (position.here.includes(index)) throw cyclicRef();
  if (survey.open.has(index)) {
    // How often it comes round is up to the value.
    survey.risky = true;
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

/** Subschemas that every item or key is held against. */
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
