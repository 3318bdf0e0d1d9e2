// Makes the one shape every model API takes for parameters: an object schema with properties.

import { wordSet } from "../../lib/word-set.js";
import {
  copyJson,
  isRecord,
  isStringList,
  toJsonKey,
  toRecord,
  withoutSameJson,
} from "./json-value.js";
import { listSchemas, mapSubschemas, type Schema, withoutKeys } from "./keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH } from "./limits.js";
import { createRefFollower, inlineLocalRefs, readRef } from "./refs.js";

/** The same object when nothing in it is nullable. Arguments are an object, so the root never is. */
export function admitNulls(schema: Schema): Schema {
  if (!hasNullable(schema)) return schema;
  const { nullable: _nullable, ...root } = schema;
  return admitNull(root);
}

function hasNullable(schema: Schema): boolean {
  return listSchemas(schema).some(({ nullable }) => nullable === true);
}

function admitNull(schema: Schema): Schema {
  const inner = mapSubschemas(schema, admitNull);
  const joined = isWidened(schema) ? toAnyOf(inner) : inner;
  if (joined.nullable !== true) return joined;
  const { nullable: _nullable, ...rest } = joined;
  return { ...rest, ...typeWithNull(rest), ...valuesWithNull(rest), ...variantsWithNull(rest) };
}

function isWidened({ oneOf, nullable }: Schema): boolean {
  if (!Array.isArray(oneOf)) return false;
  return nullable === true || oneOf.some((part) => isRecord(part) && hasNullable(part));
}

function toAnyOf({ oneOf, ...rest }: Schema): Schema {
  if (rest.anyOf === undefined) return { ...rest, anyOf: oneOf };
  const others = Array.isArray(rest.allOf) ? rest.allOf : [];
  return { ...rest, allOf: [...others, { anyOf: oneOf }] };
}

function typeWithNull({ type }: Schema): Schema {
  if (type === undefined) return {};
  const types = [type].flat();
  return types.includes("null") ? {} : { type: [...types, "null"] };
}

function valuesWithNull({ enum: values }: Schema): Schema {
  return Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
}

function variantsWithNull({ anyOf }: Schema): Schema {
  if (!Array.isArray(anyOf)) return {};
  const hasNull = anyOf.some((part) => isRecord(part) && [part.type].flat().includes("null"));
  return hasNull ? {} : { anyOf: [...anyOf, { type: "null" }] };
}

const LITERAL_KEYWORDS: ReadonlySet<string> = new Set(["anyOf", "const", "enum", "oneOf", "type"]);

type Read = (schema: unknown) => Schema;

export interface PartReader {
  /** A variant or a part, with its reference followed and its own variants folded. */
  readonly fold: Read;
  /** A property, with its reference followed. */
  readonly follow: Read;
}

export function readLiterals(schema: unknown, follow: Read = toRecord): unknown[] | undefined {
  const followed = follow(schema);
  if (Object.hasOwn(followed, "const")) return [followed.const];
  if (Array.isArray(followed.enum)) return followed.enum;
  if (followed.type === "null") return [null];
  const variants = followed.anyOf ?? followed.oneOf;
  if (!Array.isArray(variants) || variants.length === 0) return undefined;
  const literals = variants.map((variant) => readLiterals(variant, follow));
  return literals.every((values) => values !== undefined) ? literals.flat() : undefined;
}

/** `schema` with `values` as its only allowed ones; title, description and default stay. */
export function toEnum(schema: Schema, values: readonly unknown[]): Schema {
  const kinds = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const [kind] = kinds;
  const type = kinds.size === 1 && kind !== "object" && kind !== undefined ? { type: kind } : {};
  const number = kind === "number" && values.every(Number.isInteger) ? { type: "integer" } : {};
  const known = typeof schema.type === "string" ? { type: schema.type } : { ...type, ...number };
  return { ...known, ...withoutKeys(schema, LITERAL_KEYWORDS), enum: withoutSameJson(values) };
}

export function joinAllOf(schema: Schema, fold: Read = toRecord): Schema {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts = allOf.map((part) => joinAllOf(fold(part), fold));
  const all = [own, ...parts];
  return {
    // Later entries win, and unlike assignment this keeps a key called "__proto__" a mere key.
    ...Object.fromEntries(all.toReversed().flatMap((part) => Object.entries(part))),
    ...joinProperties(all, narrow),
    ...joinRequired(all.flatMap((part) => readRequired(part))),
  };
}

export function mergeAlternatives(schema: Schema, reader: PartReader): Schema {
  const { anyOf, oneOf, ...own } = schema;
  let merged = own;
  for (const group of [anyOf, oneOf]) {
    if (Array.isArray(group)) merged = mergeGroup(merged, group.map(reader.fold), reader.follow);
  }
  return merged;
}

function mergeGroup(own: Schema, group: readonly Schema[], follow: Read): Schema {
  const variants = group.filter(isObjectLike);
  const [first, ...others] = variants.map((variant) => new Set(readRequired(variant)));
  const shared = [...(first ?? [])].filter((key) => others.every((keys) => keys.has(key)));
  return {
    ...closeWhenAllClosed(variants),
    ...own,
    ...joinProperties([own, ...variants], (one, two) => pool(one, two, follow)),
    ...joinRequired([...readRequired(own), ...shared]),
  };
}

export function readRequired(schema: Schema): string[] {
  return isStringList(schema.required) ? schema.required : [];
}

function isObjectLike(schema: Schema): boolean {
  const types = [schema.type].flat();
  if (schema.type !== undefined) return types.includes("object");
  return readLiterals(schema) === undefined;
}

type Combine = (first: unknown, second: unknown) => unknown;

function joinProperties(schemas: readonly Schema[], combine: Combine): Schema {
  const joined = new Map<string, unknown>();
  for (const { properties } of schemas) {
    for (const [key, value] of Object.entries(toRecord(properties))) {
      joined.set(key, joined.has(key) ? combine(joined.get(key), value) : value);
    }
  }
  return joined.size === 0 ? {} : { properties: Object.fromEntries(joined) };
}

function joinRequired(keys: readonly string[]): Schema {
  return keys.length === 0 ? {} : { required: [...new Set(keys)] };
}

function pool(first: unknown, second: unknown, follow: Read): unknown {
  const one = readLiterals(first, follow);
  const two = readLiterals(second, follow);
  return one && two ? toEnum(follow(first), [...one, ...two]) : first;
}

function narrow(first: unknown, second: unknown): unknown {
  const one = readLiterals(first);
  const two = readLiterals(second);
  const known = new Set(two?.map(toJsonKey));
  const shared = one?.filter((value) => known.has(toJsonKey(value)));
  return shared && shared.length > 0 ? toEnum(toRecord(first), shared) : first;
}

function closeWhenAllClosed(variants: readonly Schema[]): Schema {
  const closed = variants.every(
    (variant) => variant.additionalProperties === false && variant.patternProperties === undefined,
  );
  return closed && variants.length > 0 ? { additionalProperties: false } : {};
}

const OTHER_TYPE_KEYWORDS = wordSet(
  "const contains enum exclusiveMaximum exclusiveMinimum format items maxItems maxLength " +
    "maximum minItems minLength minimum multipleOf pattern prefixItems uniqueItems",
);
const COMBINATORS = ["allOf", "anyOf", "oneOf"] as const;
const KEPT_REF = /^#\/(?:\$defs|definitions)\//;

/** Always an object schema with `properties`. */
export function normalizeSchema(schema: unknown): Record<string, unknown> {
  const { required, ...others } = foldSchema(schema);
  const copy = copyJson(isStringList(required) ? { ...others, required } : others);
  return isRecord(copy) ? copy : others;
}

export function foldSchema(schema: unknown): Schema {
  assertSchemaWithinLimits(schema);
  if (!isRecord(schema)) return { type: "object", properties: {} };
  const root = rootWillChange(schema) && hasOtherRefs(schema) ? inlineLocalRefs(schema) : schema;
  return toObjectSchema(foldRoot(root));
}

function toObjectSchema(schema: Schema): Schema {
  const kept = isOfObjects(schema) ? schema : withoutKeys(schema, OTHER_TYPE_KEYWORDS);
  return {
    ...kept,
    type: "object",
    properties: isRecord(schema.properties) ? schema.properties : {},
  };
}

function isOfObjects(schema: Schema): boolean {
  if (schema.type !== undefined) return [schema.type].flat().includes("object");
  return schema.enum === undefined && schema.const === undefined;
}

function rootWillChange(schema: Schema): boolean {
  return (
    readRef(schema) !== undefined || COMBINATORS.some((keyword) => schema[keyword] !== undefined)
  );
}

function hasOtherRefs(schema: Schema): boolean {
  const refs = listSchemas(schema).map(readRef);
  return refs.some((ref) => ref !== undefined && !KEPT_REF.test(ref));
}

function foldRoot(root: Schema): Schema {
  const followRef = createRefFollower(root);

  function fold(schema: unknown, depth: number): Schema {
    // A variant that holds itself adds nothing that its outer self has not said.
    if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return {};
    const reader = { fold: (part: unknown) => fold(part, depth + 1), follow: followRef };
    return mergeAlternatives(joinAllOf(followRef(schema), reader.fold), reader);
  }

  return withDefinitions(fold(root, 0), root);
}

export function withDefinitions(schema: Schema, { $defs, definitions }: Schema): Schema {
  return {
    ...schema,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}
