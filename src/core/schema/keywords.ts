// The keywords of JSON Schema: which hold schemas, and which values each can have.

import { ToolInputError } from "../errors.js";
import { isRecord, isStringList, showPointer, showReceived } from "./json-value.js";
import { parsePattern } from "./pattern.js";

export type Schema = Record<string, unknown>;

type Place = "schema" | "list" | "map";

const PLACES: ReadonlyMap<string, Place> = new Map<string, Place>([
  ["additionalItems", "schema"],
  ["additionalProperties", "schema"],
  ["contains", "schema"],
  ["contentSchema", "schema"],
  ["else", "schema"],
  ["if", "schema"],
  ["items", "schema"],
  ["not", "schema"],
  ["propertyNames", "schema"],
  ["then", "schema"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["dependencies", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["properties", "map"],
]);

interface Subschema {
  readonly schema: unknown;
  readonly path: readonly (string | number)[];
}

export function placeOf(keyword: string): Place | undefined {
  return PLACES.get(keyword);
}

export function isSchema(value: unknown): value is Schema | boolean {
  return isRecord(value) || typeof value === "boolean";
}

export function listSubschemas(schema: Schema): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const place = PLACES.get(keyword);
    if (place === undefined) continue;
    if (Array.isArray(value)) {
      if (!takesList(keyword)) continue;
      for (const [index, item] of value.entries()) add(item, [keyword, index]);
    } else if (place === "map" && isRecord(value)) {
      for (const [name, item] of Object.entries(value)) add(item, [keyword, name]);
    } else if (place === "schema") {
      add(value, [keyword]);
    }
  }
  return found;

  function add(item: unknown, path: (string | number)[]): void {
    if (isSchema(item)) found.push({ schema: item, path });
  }
}

/** The schema and every one inside it; booleans are left out. */
export function listSchemas(schema: Schema): Schema[] {
  const inner = listSubschemas(schema).map((sub) => sub.schema);
  return [schema, ...inner.filter(isRecord).flatMap(listSchemas)];
}

interface SchemaMapper {
  readonly schema: (subschema: Schema | boolean) => unknown;
  readonly value: (value: unknown) => unknown;
}

export function mapSchema(schema: Schema, mapper: SchemaMapper): Schema {
  const mapPlace = (value: unknown) =>
    isSchema(value) ? mapper.schema(value) : mapper.value(value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const place = PLACES.get(keyword);
      if (place === undefined) return [keyword, mapper.value(value)];
      if (Array.isArray(value) && takesList(keyword)) return [keyword, value.map(mapPlace)];
      if (place === "map" && isRecord(value)) return [keyword, mapValues(value, mapPlace)];
      return [keyword, place === "schema" ? mapPlace(value) : mapper.value(value)];
    }),
  );
}

/** Booleans stay as they are. */
export function mapSubschemas(schema: Schema, edit: (subschema: Schema) => Schema): Schema {
  return mapSchema(schema, {
    schema: (child) => (isRecord(child) ? edit(child) : child),
    value: (value) => value,
  });
}

export function readTypes({ type }: Schema): string[] {
  return [...new Set([type].flat().filter((name) => typeof name === "string"))];
}

export function mapValues<T>(
  record: Record<string, unknown>,
  map: (value: unknown) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

export function withoutKeys(record: Schema, keys: ReadonlySet<string>): Schema {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}

function takesList(keyword: string): boolean {
  return keyword === "items" || PLACES.get(keyword) === "list";
}

const TYPE_NAMES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const SCHEMA: Rule = { expected: "a schema", holds: isSchema };
const SCHEMA_LIST: Rule = { expected: "a list of at least one schema", holds: isSchemaList };
const SCHEMA_MAP: Rule = { expected: "an object of schemas", holds: isSchemaMap };
const NUMBER: Rule = { expected: "a number", holds: Number.isFinite };
const COUNT: Rule = { expected: "a whole number from 0", holds: isCount };
const TEXT: Rule = { expected: "text", holds: (value) => typeof value === "string" };

const PLACE_RULES = {
  schema: SCHEMA,
  list: SCHEMA_LIST,
  map: SCHEMA_MAP,
} as const satisfies Record<Place, Rule>;

/** Rules of keywords that hold no schemas, or not as their place says. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["$anchor", TEXT],
  ["$dynamicAnchor", TEXT],
  ["$dynamicRef", TEXT],
  ["$id", TEXT],
  ["$ref", TEXT],
  ["dependencies", { expected: "an object of schemas or name lists", holds: isDependencyMap }],
  ["dependentRequired", { expected: "an object of name lists", holds: isNameListMap }],
  ["enum", { expected: "a list of at least one value", holds: isFilledList }],
  ["exclusiveMaximum", NUMBER],
  ["exclusiveMinimum", NUMBER],
  ["format", TEXT],
  ["items", { expected: "a schema or a list of schemas", holds: isItems }],
  ["maxContains", COUNT],
  ["maxItems", COUNT],
  ["maxLength", COUNT],
  ["maxProperties", COUNT],
  ["maximum", NUMBER],
  ["minContains", COUNT],
  ["minItems", COUNT],
  ["minLength", COUNT],
  ["minProperties", COUNT],
  ["minimum", NUMBER],
  ["multipleOf", { expected: "a number above 0", holds: isPositive }],
  ["pattern", { expected: "a regular expression", holds: isPattern }],
  ["patternProperties", { expected: "schemas under regular expressions", holds: isPatternMap }],
  ["required", { expected: "a list of names", holds: isStringList }],
  ["type", { expected: `one of ${[...TYPE_NAMES].join(", ")}, or a list of them`, holds: isType }],
  ["uniqueItems", { expected: "true or false", holds: (value) => typeof value === "boolean" }],
]);

function ruleOf(keyword: string): Rule | undefined {
  const place = PLACES.get(keyword);
  return RULES.get(keyword) ?? (place && PLACE_RULES[place]);
}

/** Throws a ToolInputError `schema_invalid` with the JSON pointer of the first fault. */
export function assertWellFormedSchema(schema: unknown): asserts schema is Schema {
  if (!isRecord(schema)) throw fault([], "an object", schema);
  assertNode(schema, []);
}

function assertNode(schema: Schema, path: readonly (string | number)[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = ruleOf(keyword);
    if (rule === undefined || value === undefined || rule.holds(value)) continue;
    throw faultInside([...path, keyword], rule, value);
  }
  for (const sub of listSubschemas(schema)) {
    if (isRecord(sub.schema)) assertNode(sub.schema, [...path, ...sub.path]);
  }
}

export function expectedOf(keyword: string, value: unknown): string | undefined {
  const rule = ruleOf(keyword);
  return rule === undefined || rule.holds(value) ? undefined : rule.expected;
}

function faultInside(
  path: readonly (string | number)[],
  rule: Rule,
  value: unknown,
): ToolInputError {
  const list = rule === SCHEMA_LIST && Array.isArray(value) ? value : {};
  const entries = rule === SCHEMA_MAP && isRecord(value) ? value : list;
  const wrong = Object.entries(entries).find(([, item]) => !isSchema(item));
  if (wrong === undefined) return fault(path, rule.expected, value);
  return fault([...path, wrong[0]], SCHEMA.expected, wrong[1]);
}

function fault(
  path: readonly (string | number)[],
  expected: string,
  value: unknown,
): ToolInputError {
  const pointer = showPointer(path);
  return new ToolInputError(
    `The schema is not valid at ${pointer}: expected ${expected}, received ${showReceived(value)}.`,
    { reason: "schema_invalid", details: { pointer } },
  );
}

function isType(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((name) => TYPE_NAMES.has(name));
  return TYPE_NAMES.has(value);
}

function isSchemaList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema);
}

function isSchemaMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isSchema);
}

function isItems(value: unknown): boolean {
  return isSchema(value) || (Array.isArray(value) && value.every(isSchema));
}

function isDependencyMap(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.values(value).every((item) => isSchema(item) || isStringList(item));
}

function isNameListMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isStringList);
}

function isPatternMap(value: unknown): boolean {
  return isRecord(value) && isSchemaMap(value) && Object.keys(value).every(isPattern);
}

function isPattern(value: unknown): boolean {
  return typeof value === "string" && parsePattern(value) !== undefined;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isPositive(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0;
}
