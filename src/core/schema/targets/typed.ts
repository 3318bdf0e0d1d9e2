// Schemas whose parts have one type or are unions of typed parts, for Gemini and plain servers.

import { isOfType, isRecord, kindOf, showLiteral, withoutSameJson } from "../json-value.js";
import { mapSubschemas, mapValues, readTypes, type Schema } from "../keywords.js";
import { readRequired } from "../normalize.js";

const KEYWORD_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ["additionalProperties", ["object"]],
  ["exclusiveMaximum", ["integer", "number"]],
  ["exclusiveMinimum", ["integer", "number"]],
  ["format", ["string"]],
  ["items", ["array"]],
  ["maxItems", ["array"]],
  ["maxLength", ["string"]],
  ["maximum", ["integer", "number"]],
  ["minItems", ["array"]],
  ["minLength", ["string"]],
  ["minimum", ["integer", "number"]],
  ["multipleOf", ["integer", "number"]],
  ["pattern", ["string"]],
  ["properties", ["object"]],
  ["required", ["object"]],
  ["uniqueItems", ["array"]],
]);

export function narrowToType(schema: Schema, type: string): Schema {
  const entries = Object.entries(schema).filter(([keyword]) => speaksOf(keyword, type));
  return { ...Object.fromEntries(entries), type };
}

export function valuesOfType(values: readonly unknown[], type: string): unknown[] {
  return values.filter((value) => isOfType(value, type));
}

export function typeOfValue(value: unknown): string {
  return Number.isInteger(value) ? "integer" : kindOf(value);
}

export function guessTypes(schema: Schema): string[] {
  if (Object.hasOwn(schema, "properties")) return ["object"];
  if (Object.hasOwn(schema, "items")) return ["array"];
  return [];
}

function speaksOf(keyword: string, type: string): boolean {
  return KEYWORD_TYPES.get(keyword)?.includes(type) ?? true;
}

const NULL_TYPE = "null";
const TEXT_TYPE = "string";
const MAX_LISTED_VALUES = 20;
const ANY_LEAF: readonly Schema[] = [
  { type: TEXT_TYPE },
  { type: "number" },
  { type: "boolean" },
  { type: "object" },
];
const ANY_LIST_LEVELS = 2;
const TELLING_KEYWORDS = "type enum const anyOf oneOf allOf properties items".split(" ");

export interface TypedDialect {
  /** How null is allowed: by `nullable`, and then `anyOf` is alone, or by a variant. */
  readonly nulls: "keyword" | "variant";
  /** Which values may be listed; others are reported in the description. */
  readonly enums: "texts" | "scalars";
}

/** Lists of numbers and empty texts in a list are refused, and so is anything besides `anyOf`. */
export const GEMINI_DIALECT: TypedDialect = { nulls: "keyword", enums: "texts" };
export const GENERIC_DIALECT: TypedDialect = { nulls: "variant", enums: "scalars" };

interface Part {
  readonly variants: readonly Schema[];
  readonly isNullable: boolean;
  readonly description: string | undefined;
}

export function typeOpenParts(schema: Schema): Schema {
  const inner = mapSubschemas(schema, typeOpenParts);
  const isOpen = TELLING_KEYWORDS.every((keyword) => inner[keyword] === undefined);
  return isOpen ? { ...inner, anyOf: [...anything(ANY_LIST_LEVELS), { type: NULL_TYPE }] } : inner;
}

function anything(listLevels: number): Schema[] {
  if (listLevels === 0) return [...ANY_LEAF];
  const items = { anyOf: [...anything(listLevels - 1), { type: NULL_TYPE }] };
  return [...ANY_LEAF, { type: "array", items }];
}

export function typeSchema(root: Schema, dialect: TypedDialect): Schema {
  const { nullable: _nullable, ...own } = root;
  return typed({ ...own, type: "object" }, dialect);
}

function typed(schema: Schema, dialect: TypedDialect): Schema {
  return writePart(readPart(schema, dialect), dialect);
}

function readPart(schema: Schema, dialect: TypedDialect): Part {
  const isNullable = schema.nullable === true;
  const description = typeof schema.description === "string" ? schema.description : undefined;
  if (Array.isArray(schema.enum)) return readEnum(schema, dialect);
  if (Array.isArray(schema.anyOf)) return readUnion(schema, dialect);
  const [type] = [...readTypes(schema), ...guessTypes(schema)];
  if (type !== undefined && type !== NULL_TYPE) {
    return { isNullable, description, variants: [readType({ ...schema, type }, dialect)] };
  }
  // Nothing but null is left of a schema that only allows null.
  return { isNullable: true, description, variants: [] };
}

function readType(schema: Schema, dialect: TypedDialect): Schema {
  const { type, items, properties } = schema;
  const plain = { type, ...annotationsOf(schema) };
  if (type === "array") {
    return { ...plain, items: typed(isRecord(items) ? items : {}, dialect) };
  }
  if (type !== "object" || !isRecord(properties)) return plain;
  const required = readRequired(schema);
  return {
    ...plain,
    properties: mapValues(properties, (child) => typed(isRecord(child) ? child : {}, dialect)),
    ...(required.length === 0 ? {} : { required }),
  };
}

function readUnion(schema: Schema, dialect: TypedDialect): Part {
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const parts = variants.filter(isRecord).map((variant) => readPart(variant, dialect));
  return {
    isNullable: schema.nullable === true || parts.some((part) => part.isNullable),
    description: typeof schema.description === "string" ? schema.description : undefined,
    variants: parts.flatMap((part) =>
      part.variants.map((variant) => withDescription(variant, part.description)),
    ),
  };
}

function readEnum(schema: Schema, dialect: TypedDialect): Part {
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const withValues = tellValues(schema, values);
  const declared = readTypes(schema);
  const types = declared.length > 0 ? declared : listTypes(values);
  if (types.some((type) => type === "object" || type === "array")) {
    const variants = anything(ANY_LIST_LEVELS);
    return readUnion({ anyOf: variants, nullable: true, description: withValues }, dialect);
  }
  const variants = types.map((type) => {
    const own = withoutSameJson(valuesOfType(values, type));
    const plain = { type, ...annotationsOf(schema) };
    return isListable(own, dialect) ? { ...plain, enum: own } : plain;
  });
  const isWhole = variants.every((variant) => Object.hasOwn(variant, "enum"));
  const description = typeof schema.description === "string" ? schema.description : undefined;
  return {
    variants,
    isNullable: schema.nullable === true || values.includes(null),
    description: isWhole ? description : withValues,
  };
}

function isListable(values: readonly unknown[], dialect: TypedDialect): boolean {
  if (values.length === 0) return false;
  if (dialect.enums === "scalars") return true;
  return values.every((value) => typeof value === "string" && value !== "");
}

function listTypes(values: readonly unknown[]): string[] {
  const types = new Set(values.map(typeOfValue));
  if (types.has("number")) types.delete("integer");
  types.delete(NULL_TYPE);
  return [...types];
}

function writePart(part: Part, dialect: TypedDialect): Schema {
  const { isNullable, description } = part;
  const variants = withoutSameJson(part.variants).filter(isRecord);
  const [first, ...others] = variants;
  if (dialect.nulls === "variant") {
    const all = isNullable ? [...variants, { type: NULL_TYPE }] : variants;
    return withDescription(all.length === 1 ? (all[0] ?? {}) : { anyOf: all }, description);
  }
  const plain = first ?? { type: TEXT_TYPE };
  const leader = withDescription(isNullable ? { ...plain, nullable: true } : plain, description);
  return others.length === 0 ? leader : { anyOf: [leader, ...others] };
}

function tellValues(schema: Schema, values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED_VALUES).map(showLiteral).join(", ");
  const rest = values.length > MAX_LISTED_VALUES ? ", …" : "";
  const choices = `One of: ${shown}${rest}.`;
  return typeof schema.description === "string" ? `${schema.description} ${choices}` : choices;
}

function withDescription(schema: Schema, description: string | undefined): Schema {
  if (description === undefined) return schema;
  const { description: own, ...rest } = schema;
  const words =
    typeof own === "string" && own !== description ? `${description} ${own}` : description;
  return { ...rest, description: words };
}

function annotationsOf(schema: Schema): Schema {
  const { title, default: preset } = schema;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(preset === undefined || preset === null ? {} : { default: preset }),
  };
}
