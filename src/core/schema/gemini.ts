// Schemas for Gemini, which rejects requests with unknown keywords. Names and values never change.

import { copyJson, isRecord, withoutSameJson } from "./json-value.js";
import { mapValues, readTypes, type Schema, withoutKeys } from "./keywords.js";
import {
  joinAllOf,
  mergeAlternatives,
  type PartReader,
  readLiterals,
  readRequired,
  toEnum,
} from "./normalize.js";
import { inlineLocalRefs } from "./refs.js";

const ANNOTATIONS = ["title", "description", "default", "example", "nullable"] as const;
const NULL_TYPE = "null";
const TYPE_KEYWORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["array", ["items", "prefixItems"]],
  ["object", ["properties", "required"]],
]);
const SPLIT_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  ...ANNOTATIONS,
  ...[...TYPE_KEYWORDS.values()].flat(),
]);

const READER: PartReader = {
  fold: (part) => (isRecord(part) ? mergeAlternatives(joinAllOf(part, READER.fold), READER) : {}),
  follow: (property) => (isRecord(property) ? property : {}),
};

/** Throws a ToolError `limit` when the schema is too large. */
export function cleanSchemaForGemini(schema: unknown): Record<string, unknown> {
  return isRecord(schema) ? clean(inlineLocalRefs(schema, { unresolved: "open" })) : {};
}

function clean(schema: unknown): Schema {
  if (!isRecord(schema)) return {};
  const joined = joinAllOf(schema);
  const literals = readLiterals(joined);
  if (literals) return cleanLiterals(joined, literals);
  const variants = joined.anyOf ?? joined.oneOf;
  if (!Array.isArray(variants)) return cleanPlain(joined);
  // Variants next to properties only refine them; one object says it all.
  if (isRecord(joined.properties)) return cleanPlain(mergeAlternatives(joined, READER));
  return cleanUnion(joined, variants);
}

function cleanLiterals(schema: Schema, literals: readonly unknown[]): Schema {
  const values = literals.filter((value) => value !== null);
  const nullable = values.length < literals.length || allowsNull(schema) ? { nullable: true } : {};
  if (values.length === 0) return { ...annotationsOf(schema), ...nullable };
  const type = singleType(schema);
  const plain = { ...annotationsOf(schema), ...(type === undefined ? {} : { type }) };
  return { ...toEnum(plain, values), ...nullable };
}

function cleanUnion(schema: Schema, variants: readonly unknown[]): Schema {
  const type = singleType(schema);
  const inherited = type === undefined ? {} : { type };
  const others = variants.filter((variant) => !isNullOnly(variant));
  const cleaned = withoutSameJson(
    others.map((variant) => clean({ ...inherited, ...(isRecord(variant) ? variant : {}) })),
  ).filter(isRecord);
  const nullable = others.length < variants.length ? { nullable: true } : {};
  const [only] = cleaned;
  if (cleaned.length <= 1) return { ...only, ...annotationsOf(schema), ...nullable };
  return { ...annotationsOf(schema), anyOf: cleaned, ...nullable };
}

function cleanPlain(schema: Schema): Schema {
  const types = readTypes(schema).filter((type) => type !== NULL_TYPE);
  const nullable = allowsNull(schema) ? { nullable: true } : {};
  if (types.length > 1) return { ...splitTypes(schema, types), ...nullable };
  const [type] = types;
  return {
    ...(type === undefined ? {} : { type }),
    ...annotationsOf(schema),
    ...cleanProperties(schema),
    ...cleanItems(schema),
    ...nullable,
  };
}

function splitTypes(schema: Schema, types: readonly string[]): Schema {
  const shared = withoutKeys(schema, SPLIT_KEYWORDS);
  const variants = types.map((type) => {
    const keywords = TYPE_KEYWORDS.get(type) ?? [];
    const own = keywords.filter((keyword) => Object.hasOwn(schema, keyword));
    const entries = own.map((keyword) => [keyword, schema[keyword]]);
    return clean({ ...shared, ...Object.fromEntries(entries), type });
  });
  return { ...annotationsOf(schema), anyOf: variants };
}

function cleanProperties(schema: Schema): Schema {
  if (!isRecord(schema.properties)) return {};
  const properties = mapValues(schema.properties, clean);
  const required = readRequired(schema).filter((key) => Object.hasOwn(properties, key));
  return { properties, ...(required.length === 0 ? {} : { required: [...new Set(required)] }) };
}

function cleanItems(schema: Schema): Schema {
  const { items, prefixItems } = schema;
  const places = [prefixItems, items].flat().filter(isRecord);
  if (places.length === 0) return {};
  return { items: places.length === 1 ? clean(places[0]) : clean({ anyOf: places }) };
}

function annotationsOf(schema: Schema): Schema {
  const known = ANNOTATIONS.filter((keyword) => isAnnotation(keyword, schema[keyword]));
  return Object.fromEntries(known.map((keyword) => [keyword, copyJson(schema[keyword])]));
}

function isAnnotation(keyword: (typeof ANNOTATIONS)[number], value: unknown): boolean {
  if (keyword === "title" || keyword === "description") return typeof value === "string";
  return keyword === "nullable" ? value === true : value !== undefined;
}

function singleType(schema: Schema): string | undefined {
  const types = readTypes(schema).filter((type) => type !== NULL_TYPE);
  return types.length === 1 ? types[0] : undefined;
}

function allowsNull(schema: Schema): boolean {
  return schema.nullable === true || readTypes(schema).includes(NULL_TYPE);
}

function isNullOnly(schema: unknown): boolean {
  const literals = readLiterals(schema) ?? [];
  return literals.length > 0 && literals.every((value) => value === null);
}
