// Folds the parts of `allOf` and the variants of `anyOf` and `oneOf` into one object schema, for
// readers that take no combinators. Some of what the variants say is lost by this; the validator
// works from the original.

import { isRecord, isStringList, toJsonKey, withoutSameJson } from "./json-value.js";
import { type Schema, withoutKeys } from "./keywords.js";

const LITERAL_KEYWORDS: ReadonlySet<string> = new Set(["anyOf", "const", "enum", "oneOf", "type"]);

type Read = (schema: unknown) => Schema;

/** How the parts of a schema are read where they may be references. */
export interface PartReader {
  /** A variant or a part, with its reference followed and its own variants folded. */
  readonly fold: Read;
  /** A property, with its reference followed. */
  readonly follow: Read;
}

/** The values a schema allows, when it allows nothing but a list of values. */
export function readLiterals(schema: unknown, follow: Read = toSchema): unknown[] | undefined {
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

/** One schema for a schema with `allOf`: properties and required join, else the first to speak wins. */
export function joinAllOf(schema: Schema, fold: Read = toSchema): Schema {
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

/**
 * One object schema for a schema with `anyOf` or `oneOf`: the union of all properties; required is
 * what the schema itself and what every object variant requires.
 */
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
    for (const [key, value] of Object.entries(toSchema(properties))) {
      joined.set(key, joined.has(key) ? combine(joined.get(key), value) : value);
    }
  }
  return joined.size === 0 ? {} : { properties: Object.fromEntries(joined) };
}

function joinRequired(keys: readonly string[]): Schema {
  return keys.length === 0 ? {} : { required: [...new Set(keys)] };
}

/** Either may hold: the values of both. */
function pool(first: unknown, second: unknown, follow: Read): unknown {
  const one = readLiterals(first, follow);
  const two = readLiterals(second, follow);
  return one && two ? toEnum(follow(first), [...one, ...two]) : first;
}

/** Both hold: the values they share, when there are any. */
function narrow(first: unknown, second: unknown): unknown {
  const one = readLiterals(first);
  const two = readLiterals(second);
  const known = new Set(two?.map(toJsonKey));
  const shared = one?.filter((value) => known.has(toJsonKey(value)));
  return shared && shared.length > 0 ? toEnum(toSchema(first), shared) : first;
}

function closeWhenAllClosed(variants: readonly Schema[]): Schema {
  const closed = variants.every(
    (variant) => variant.additionalProperties === false && variant.patternProperties === undefined,
  );
  return closed && variants.length > 0 ? { additionalProperties: false } : {};
}

function toSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
