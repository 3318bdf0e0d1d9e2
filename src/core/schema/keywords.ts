// Where a JSON Schema holds further schemas. Everything that walks schemas asks here, so that a
// property called "pattern" or an enum value that looks like a schema is never taken for one.

import { isRecord } from "./json-value.js";

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

/** One schema inside another, with the way to it. */
export interface Subschema {
  readonly schema: unknown;
  readonly path: readonly (string | number)[];
}

export function isSchema(value: unknown): value is Schema | boolean {
  return isRecord(value) || typeof value === "boolean";
}

/** The direct subschemas; what is in their place but is none is left out. */
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

export interface SchemaMapper {
  /** Makes what is in place of a direct subschema. */
  readonly schema: (subschema: Schema | boolean) => unknown;
  /** Makes what is in place of any other value. */
  readonly value: (value: unknown) => unknown;
}

/** A new object with every direct subschema and every other value mapped. */
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

export function mapValues<T>(
  record: Record<string, unknown>,
  map: (value: unknown) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

export function withoutKeys(record: Schema, keys: ReadonlySet<string>): Schema {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}

/** `items` was a list in the older drafts. */
function takesList(keyword: string): boolean {
  return keyword === "items" || PLACES.get(keyword) === "list";
}
