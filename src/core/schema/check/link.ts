// A private, typed copy of a schema: modern keywords, compiled patterns, numbered references.

import { copyJson, isRecord, isStringList } from "../json-value.js";
import { isSchema, type Schema } from "../keywords.js";
import { createPatternBudget } from "../limits.js";
import { parsePattern } from "../pattern.js";
import { createRefResolver } from "../refs.js";

export type LinkedNode = LinkedSchema | boolean;

export interface LinkedPattern {
  readonly source: string;
  readonly expression: RegExp;
}

export interface LiteralList {
  readonly values: readonly unknown[];
  readonly leaves: ReadonlySet<unknown>;
  readonly others: readonly object[];
}

const BOUNDS = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
] as const;

export type Bounds = Readonly<Partial<Record<(typeof BOUNDS)[number], number>>>;

/** Undefined means: the keyword is not there. */
export interface LinkedSchema {
  readonly ref: number | undefined;
  readonly types: readonly string[] | undefined;
  /** One for `enum` and one for `const`; a value must be in all of them. */
  readonly literals: readonly LiteralList[];
  readonly bounds: Bounds;
  readonly pattern: LinkedPattern | undefined;
  readonly uniqueItems: boolean;
  readonly prefixItems: readonly LinkedNode[];
  readonly items: LinkedNode | undefined;
  readonly contains: LinkedNode | undefined;
  readonly unevaluatedItems: LinkedNode | undefined;
  readonly properties: ReadonlyMap<string, LinkedNode>;
  readonly required: readonly string[];
  readonly patternProperties: readonly (LinkedPattern & { readonly schema: LinkedNode })[];
  readonly additionalProperties: LinkedNode | undefined;
  readonly unevaluatedProperties: LinkedNode | undefined;
  readonly propertyNames: LinkedNode | undefined;
  readonly dependentRequired: ReadonlyMap<string, readonly string[]>;
  readonly dependentSchemas: ReadonlyMap<string, LinkedNode>;
  readonly allOf: readonly LinkedNode[];
  readonly anyOf: readonly LinkedNode[] | undefined;
  readonly oneOf: readonly LinkedNode[] | undefined;
  readonly not: LinkedNode | undefined;
  readonly condition: LinkedCondition | undefined;
}

export interface LinkedCondition {
  readonly test: LinkedNode;
  readonly whenTrue: LinkedNode;
  readonly whenFalse: LinkedNode;
}

export interface LinkedDocument {
  readonly root: LinkedNode;
  readonly definitions: readonly LinkedNode[];
  readonly tracksKeys: boolean;
}

/** Throws when a reference cannot be followed, or leads to patterns that are too long. */
export function linkSchema(schema: Schema): LinkedDocument {
  const resolve = createRefResolver(schema);
  const readPattern = createPatternReader();
  const linked = new Map<Schema, LinkedSchema>();
  const indexes = new Map<Schema | boolean, number>();
  let tracksKeys = false;

  const root = link(schema);
  const definitions: LinkedNode[] = [];
  // Linking a target may find further targets, which join the end of the map.
  for (const target of indexes.keys()) definitions.push(link(target));
  return { root, definitions, tracksKeys };

  function link(part: Schema | boolean): LinkedNode {
    if (typeof part === "boolean") return part;
    const node = linked.get(part) ?? linkUncached(part);
    linked.set(part, node);
    return node;
  }

  function indexOf(target: Schema | boolean): number {
    const index = indexes.get(target) ?? indexes.size;
    indexes.set(target, index);
    return index;
  }

  function linkUncached(part: Schema): LinkedSchema {
    tracksKeys ||= part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined;
    const one = (value: unknown) => (isSchema(value) ? link(value) : undefined);
    const list = (value: unknown) => (Array.isArray(value) ? value.filter(isSchema).map(link) : []);
    const map = (value: unknown) => mapOf(value, one);
    const target = resolve(part);
    return {
      ref: target === undefined ? undefined : indexOf(target),
      types: readTypes(part.type),
      literals: readLiteralLists(part),
      bounds: readBounds(part),
      pattern: readPattern(part.pattern),
      uniqueItems: part.uniqueItems === true,
      ...linkItems(part, { one, list }),
      contains: one(part.contains),
      unevaluatedItems: one(part.unevaluatedItems),
      properties: map(part.properties),
      required: isStringList(part.required) ? [...new Set(part.required)] : [],
      patternProperties: linkPatterns(map(part.patternProperties), readPattern),
      additionalProperties: one(part.additionalProperties),
      unevaluatedProperties: one(part.unevaluatedProperties),
      propertyNames: one(part.propertyNames),
      dependentRequired: readDependentNames(part),
      dependentSchemas: new Map([...map(part.dependencies), ...map(part.dependentSchemas)]),
      allOf: list(part.allOf),
      anyOf: Array.isArray(part.anyOf) ? list(part.anyOf) : undefined,
      oneOf: Array.isArray(part.oneOf) ? list(part.oneOf) : undefined,
      not: one(part.not),
      condition: linkCondition(part, one),
    };
  }
}

type LinkOne = (value: unknown) => LinkedNode | undefined;

function linkItems(
  schema: Schema,
  link: { one: LinkOne; list: (value: unknown) => LinkedNode[] },
): Pick<LinkedSchema, "prefixItems" | "items"> {
  if (!Array.isArray(schema.items)) {
    return { prefixItems: link.list(schema.prefixItems), items: link.one(schema.items) };
  }
  return { prefixItems: link.list(schema.items), items: link.one(schema.additionalItems) };
}

function linkCondition(schema: Schema, one: LinkOne): LinkedCondition | undefined {
  const test = one(schema.if);
  if (test === undefined) return undefined;
  return { test, whenTrue: one(schema.then) ?? true, whenFalse: one(schema.else) ?? true };
}

function linkPatterns(
  map: ReadonlyMap<string, LinkedNode>,
  readPattern: ReadPattern,
): LinkedSchema["patternProperties"] {
  return [...map].flatMap(([source, schema]) => {
    const pattern = readPattern(source);
    return pattern ? [{ ...pattern, schema }] : [];
  });
}

function mapOf(value: unknown, one: LinkOne): Map<string, LinkedNode> {
  const linked = new Map<string, LinkedNode>();
  for (const [key, item] of Object.entries(isRecord(value) ? value : {})) {
    const node = one(item);
    if (node !== undefined) linked.set(key, node);
  }
  return linked;
}

function readTypes(type: unknown): readonly string[] | undefined {
  if (typeof type === "string") return [type];
  return isStringList(type) ? [...new Set(type)] : undefined;
}

function readLiteralLists(schema: Schema): LiteralList[] {
  const lists: LiteralList[] = [];
  if (Array.isArray(schema.enum)) lists.push(toLiteralList(schema.enum));
  if (schema.const !== undefined) lists.push(toLiteralList([schema.const]));
  return lists;
}

function toLiteralList(source: readonly unknown[]): LiteralList {
  const values = source.map((value) => copyJson(value));
  const others = values.filter(isObject);
  return { values, leaves: new Set(values.filter((value) => !isObject(value))), others };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

type ReadPattern = (source: unknown) => LinkedPattern | undefined;

function createPatternReader(): ReadPattern {
  const spend = createPatternBudget();
  const known = new Map<string, LinkedPattern | undefined>();
  return (source) => {
    if (typeof source !== "string") return undefined;
    if (!known.has(source)) {
      spend(source);
      const expression = parsePattern(source);
      known.set(source, expression && { source, expression });
    }
    return known.get(source);
  };
}

function readDependentNames(schema: Schema): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const map of [schema.dependencies, schema.dependentRequired]) {
    for (const [key, value] of Object.entries(isRecord(map) ? map : {})) {
      if (isStringList(value)) names.set(key, [...new Set([...(names.get(key) ?? []), ...value])]);
    }
  }
  return names;
}

function readBounds(schema: Schema): Bounds {
  return Object.fromEntries(
    BOUNDS.flatMap((name) => (typeof schema[name] === "number" ? [[name, schema[name]]] : [])),
  );
}
