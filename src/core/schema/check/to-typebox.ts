// Converts a linked schema for TypeBox's compiler; what differs from JSON Schema is checked by us.

import { Check, Compile } from "typebox/schema";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import { ToolInputError } from "../../errors.js";
import { isRecord } from "../json-value.js";
import type { Schema } from "../keywords.js";
import { MAX_SCHEMA_NODES } from "../limits.js";
import { refExpansionError } from "../refs.js";
import { fits } from "./inspect.js";
import { findRepeat, isListed, isMultipleOf } from "./inspect-scalar.js";
import type { LinkedDocument, LinkedNode, LinkedSchema, LiteralList } from "./link.js";

export function compileCheck(schema: Schema | boolean): (value: unknown) => boolean {
  if (typeof schema === "boolean") return () => schema;
  try {
    const compiled = Compile(schema);
    return (value) => compiled.Check(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return (value) => Check(schema, value);
  }
}

const LONGEST_TEXT = 2 ** 29;
const MAX_CHAINED_VALUES = 32;
const SAFE_INHERITED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);
type Predicate = (value: unknown) => boolean;

type Convert = (node: LinkedNode) => Schema | boolean;

export function toTypebox(document: LinkedDocument): Schema | boolean {
  let remaining = MAX_SCHEMA_NODES;
  const convert: Convert = (node) => {
    remaining -= 1;
    if (remaining < 0) throw refExpansionError();
    if (typeof node === "boolean") return node;
    return isSuited(node) ? convertSchema(node, convert) : toOurs(node, document);
  };
  const root = convert(document.root);
  if (typeof root === "boolean") return root;
  const targets = document.definitions.map((node, index) => [String(index), convert(node)]);
  return targets.length === 0 ? root : { ...root, $defs: Object.fromEntries(targets) };
}

function convertSchema(node: LinkedSchema, convert: Convert): Schema {
  const predicates = listPredicates(node);
  const { minLength, maxLength, multipleOf: _refined, ...bounds } = node.bounds;
  return withoutUndefined({
    $ref: node.ref === undefined ? undefined : `#/$defs/${node.ref}`,
    type: node.types?.length === 1 ? node.types[0] : node.types,
    enum: node.literals.find(isChained)?.values,
    minLength: minLength && Math.min(minLength, LONGEST_TEXT),
    maxLength: maxLength && Math.min(maxLength, LONGEST_TEXT),
    pattern: node.pattern?.expression,
    ...bounds,
    ...toArrayKeywords(node, convert),
    ...toObjectKeywords(node, convert),
    ...toCombinators(node, convert),
    "~refine": predicates.length === 0 ? undefined : predicates.map(toRefinement),
  });
}

function toArrayKeywords(node: LinkedSchema, convert: Convert): Schema {
  return {
    prefixItems: node.prefixItems.length === 0 ? undefined : node.prefixItems.map(convert),
    items: optional(node.items, convert),
    contains: optional(node.contains, convert),
    unevaluatedItems: optional(node.unevaluatedItems, convert),
  };
}

function toObjectKeywords(node: LinkedSchema, convert: Convert): Schema {
  // The text of the expression, which may differ from what the schema says: see `parsePattern`.
  const patterns = new Map(
    node.patternProperties.map(({ expression, schema }) => [expression.source, schema]),
  );
  const { dependentRequired } = node;
  return {
    properties: optionalMap(node.properties, convert),
    required: node.required.length === 0 ? undefined : node.required,
    patternProperties: optionalMap(patterns, convert),
    additionalProperties: isClosed(node) ? undefined : optional(node.additionalProperties, convert),
    unevaluatedProperties: optional(node.unevaluatedProperties, convert),
    propertyNames: optional(node.propertyNames, convert),
    dependentRequired:
      dependentRequired.size === 0 ? undefined : Object.fromEntries(dependentRequired),
    dependentSchemas: optionalMap(node.dependentSchemas, convert),
  };
}

function toCombinators(node: LinkedSchema, convert: Convert): Schema {
  const { condition } = node;
  const choice = condition && [
    ["if", convert(condition.test)],
    ["then", convert(condition.whenTrue)],
    ["else", convert(condition.whenFalse)],
  ];
  return {
    allOf: node.allOf.length === 0 ? undefined : node.allOf.map(convert),
    anyOf: node.anyOf?.map(convert),
    oneOf: node.oneOf?.map(convert),
    not: optional(node.not, convert),
    ...Object.fromEntries(choice ?? []),
  };
}

function isSuited(node: LinkedSchema): boolean {
  const names = [
    ...node.properties.keys(),
    ...node.required,
    ...node.dependentSchemas.keys(),
    ...[...node.dependentRequired].flat(2),
  ];
  return (
    names.every((name) => !(name in Object.prototype) || SAFE_INHERITED_KEYS.has(name)) &&
    node.patternProperties.every((pattern) => pattern.expression.unicode)
  );
}

function toOurs(node: LinkedSchema, document: LinkedDocument): Schema {
  if (document.tracksKeys) {
    throw new ToolInputError(
      "A schema with unevaluatedProperties or unevaluatedItems cannot have a property that every " +
        "object inherits, such as toString, nor a name pattern that the u flag refuses.",
      { reason: "schema_invalid" },
    );
  }
  return { "~refine": [toRefinement((value) => fits(node, value, document.definitions))] };
}

function listPredicates(node: LinkedSchema): Predicate[] {
  const chained = node.literals.find(isChained);
  const others = node.literals.filter((list) => list !== chained);
  const predicates = others.map(
    (list): Predicate =>
      (value) =>
        isListed(list, value),
  );
  const { multipleOf } = node.bounds;
  if (multipleOf !== undefined) {
    predicates.push((value) => typeof value !== "number" || isMultipleOf(value, multipleOf));
  }
  if (node.uniqueItems) {
    predicates.push((value) => !Array.isArray(value) || findRepeat(value) === undefined);
  }
  if (isClosed(node)) predicates.push(toKeyCheck([...node.properties.keys()]));
  return predicates;
}

function isClosed(node: LinkedSchema): boolean {
  return node.additionalProperties === false && node.patternProperties.length === 0;
}

function isChained(list: LiteralList): boolean {
  return list.values.length <= MAX_CHAINED_VALUES && list.others.length === 0;
}

function toKeyCheck(names: readonly string[]): Predicate {
  // An object without prototype is the quickest to ask, and inherits nothing to be mistaken for a name.
  const known: Record<string, boolean> = Object.create(null);
  for (const name of names) known[name] = true;
  return (value) => {
    if (!isRecord(value)) return true;
    for (const key in value) {
      if (known[key] !== true && value[key] !== undefined) return false;
    }
    return true;
  };
}

function toRefinement(check: Predicate): { check: Predicate; error: () => string } {
  return { check, error: () => "refused" };
}

function optional(node: LinkedNode | undefined, convert: Convert): Schema | boolean | undefined {
  return node === undefined ? undefined : convert(node);
}

function optionalMap(nodes: ReadonlyMap<string, LinkedNode>, convert: Convert): Schema | undefined {
  if (nodes.size === 0) return undefined;
  return Object.fromEntries([...nodes].map(([key, node]) => [key, convert(node)]));
}
