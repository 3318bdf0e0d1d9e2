// Schemas for OpenAI's strict mode: closed objects, all properties required, optional ones null.

import type { FieldShape, ObjectShape } from "../../invoke/argument-shape.js";
import { isRecord, showPointer, withoutSameJson } from "../json-value.js";
import { readTypes, type Schema } from "../keywords.js";
import { readRequired } from "../normalize.js";
import { STRICT_FORMATS } from "./lint-rules.js";
import { guessTypes, narrowToType, typeOfValue, valuesOfType } from "./typed.js";

const NULL_TYPE = "null";
const NULL_SCHEMA: Schema = { type: NULL_TYPE };
const SCALAR_TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean"]);
const SCALAR_KEYWORDS =
  "pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum".split(" ");
const LIST_KEYWORDS = ["minItems", "maxItems"] as const;

export type StrictOutcome =
  | { readonly schema: Schema; readonly obstacle?: undefined }
  | { readonly schema?: undefined; readonly obstacle: string };

interface Place {
  readonly path: readonly (string | number)[];
  readonly field: FieldShape | undefined;
  readonly obstacles: string[];
}

export function makeStrict(root: Schema, shape: ObjectShape): StrictOutcome {
  const obstacles: string[] = [];
  const { $defs, ...own } = root;
  const whole = {
    kind: "object",
    nullable: false,
    words: undefined,
    object: shape,
    item: undefined,
  };
  const schema = described(own, strictObject(own, { path: [], field: whole, obstacles }));
  const definitions = Object.entries(isRecord($defs) ? $defs : {}).map(([name, definition]) => [
    name,
    strict(definition, { path: ["$defs", name], field: undefined, obstacles }),
  ]);
  const [obstacle] = obstacles;
  if (obstacle !== undefined) return { obstacle };
  return definitions.length === 0
    ? { schema }
    : { schema: { ...schema, $defs: Object.fromEntries(definitions) } };
}

function strict(schema: unknown, place: Place): Schema {
  if (!isRecord(schema)) return refuse("has no type", place);
  if (typeof schema.$ref === "string") return described(schema, { $ref: schema.$ref });
  if (readLiterals(schema)) return described(schema, strictLiterals(schema, place));
  if (Array.isArray(schema.anyOf) && !isRecord(schema.properties)) {
    return described(schema, strictUnion(schema, place));
  }
  const named = readTypes(schema);
  const types = named.length === 0 ? guessTypes(schema) : named;
  if (types.length === 0) return refuse("has no type", place);
  const each = types.map((type) => strictType(narrowToType(schema, type), place));
  return described(schema, joinVariants(each));
}

function strictType(schema: Schema, place: Place): Schema {
  const { type } = schema;
  if (type === "object") return strictObject(schema, place);
  if (type !== "array") return { type, ...pick(schema, SCALAR_KEYWORDS), ...formatOf(schema) };
  const path = [...place.path, "items"];
  const items = strict(schema.items, { ...place, path, field: place.field?.item });
  return { type, ...pick(schema, LIST_KEYWORDS), items };
}

function strictObject(schema: Schema, place: Place): Schema {
  const { properties, additionalProperties } = schema;
  const isFree = additionalProperties !== undefined && additionalProperties !== false;
  const required = new Set(readRequired(schema));
  if (!isRecord(properties) || isFree || hasFurtherNames(schema)) {
    return refuse("takes names that are not listed", place);
  }
  const shape = place.field?.object;
  const entries = Object.entries(properties).map(([name, property]) => {
    const path = [...place.path, "properties", name];
    const inner = { ...place, path, field: shape?.fields.get(name) };
    const made = strict(property, inner);
    if (required.has(name)) return [name, made];
    // Of a name that only one of several variants has, the tool's own schema may not take null.
    const isKnown = shape === undefined || shape.fields.has(name);
    if (isKnown && admitsNull(property)) return [name, made];
    if (!isTakenBack(name, shape)) refuse("may be left out, but not be null", inner);
    return [name, withNull(made)];
  });
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function strictUnion(schema: Schema, place: Place): Schema {
  const { type, anyOf } = schema;
  const inherited = type === undefined ? {} : { type };
  const variants = Array.isArray(anyOf) ? anyOf : [];
  const each = variants.map((variant, index) => {
    const path = [...place.path, "anyOf", index];
    const own = isRecord(variant) ? { ...inherited, ...variant } : variant;
    return strict(own, { ...place, path, field: undefined });
  });
  return joinVariants(each);
}

function strictLiterals(schema: Schema, place: Place): Schema {
  const literals = readLiterals(schema) ?? [];
  const named = readTypes(schema);
  const types = named.length > 0 ? named : [...new Set(literals.map(typeOfValue))];
  const each = types.flatMap((type) => {
    const values = withoutSameJson(valuesOfType(literals, type));
    if (values.length === 0) return [];
    if (type === NULL_TYPE) return [NULL_SCHEMA];
    if (!SCALAR_TYPES.has(type)) return [refuse("lists values that are not scalars", place)];
    return [{ type, enum: values }];
  });
  return joinVariants(each);
}

/** What is required and what variants say must be listed too: closed, the object knows no others. */
function hasFurtherNames(schema: Schema): boolean {
  const { properties, anyOf } = schema;
  const known = new Set(Object.keys(isRecord(properties) ? properties : {}));
  if (readRequired(schema).some((name) => !known.has(name))) return true;
  const variants = Array.isArray(anyOf) ? anyOf : [];
  return variants.some((variant) => {
    if (!isRecord(variant) || variant.$ref !== undefined || variant.anyOf !== undefined)
      return true;
    const inner = isRecord(variant.properties) ? variant.properties : {};
    return Object.keys(inner).some((name) => !known.has(name));
  });
}

function refuse(what: string, { path, obstacles }: Place): Schema {
  obstacles.push(`${showPointer(path)} ${what}`);
  return {};
}

/** Whether preparing a call drops a null under this name, so that it counts as left out. */
function isTakenBack(name: string, shape: ObjectShape | undefined): boolean {
  if (shape === undefined) return false;
  // One of two spellings of a parameter is null when the other one is used.
  const canonical = shape.spellings.get(name);
  if (canonical !== undefined || isAliased(name, shape)) return true;
  return shape.fields.get(name)?.nullable === false && !shape.required.has(name);
}

function isAliased(name: string, shape: ObjectShape): boolean {
  return shape.required.has(name) && [...shape.spellings.values()].includes(name);
}

function readLiterals(schema: Schema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function admitsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const literals = readLiterals(schema);
  const types = readTypes(schema);
  if (types.length > 0 && !types.includes(NULL_TYPE)) return false;
  if (literals) return literals.includes(null);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(admitsNull);
  return types.includes(NULL_TYPE);
}

function joinVariants(variants: readonly Schema[]): Schema {
  const flat = variants.flatMap((variant) =>
    Array.isArray(variant.anyOf) && variant.description === undefined ? variant.anyOf : [variant],
  );
  const different = withoutSameJson(flat).filter(isRecord);
  const [first, second] = different;
  if (first === undefined || second === undefined) return first ?? {};
  const others = different.filter((variant) => variant.type !== NULL_TYPE);
  const [only] = others;
  if (others.length === 1 && only !== undefined && isPlainScalar(only)) {
    return { ...only, type: [only.type, NULL_TYPE] };
  }
  return { anyOf: different };
}

function withNull(schema: Schema): Schema {
  const { description, ...rest } = schema;
  const joined = joinVariants([rest, NULL_SCHEMA]);
  return description === undefined ? joined : { ...joined, description };
}

function isPlainScalar(schema: Schema): boolean {
  return typeof schema.type === "string" && SCALAR_TYPES.has(schema.type) && !schema.enum;
}

function described(source: Schema, made: Schema): Schema {
  if (typeof source.description !== "string") return made;
  const whole = made.$ref === undefined ? made : { anyOf: [made] };
  return { ...whole, description: source.description };
}

function formatOf(schema: Schema): Schema {
  return STRICT_FORMATS.has(schema.format) ? { format: schema.format } : {};
}

function pick(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(
    keywords.filter((keyword) => schema[keyword] !== undefined).map((key) => [key, schema[key]]),
  );
}
