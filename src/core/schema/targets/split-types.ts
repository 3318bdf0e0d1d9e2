// A schema for several types, said as one schema for each type.

import type { Schema } from "../keywords.js";

/** Keywords that say something of one type only. */
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

const TYPE_CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["array", (value) => Array.isArray(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["integer", (value) => Number.isInteger(value)],
  ["null", (value) => value === null],
  ["number", (value) => typeof value === "number"],
  ["object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)],
  ["string", (value) => typeof value === "string"],
]);

/** The types that a schema names; none when it names none. */
export function readTypes(schema: Schema): string[] {
  return [schema.type].flat().filter((type) => typeof type === "string");
}

/** The part of `schema` that speaks of values of `type`. */
export function narrowToType(schema: Schema, type: string): Schema {
  const entries = Object.entries(schema).filter(([keyword]) => speaksOf(keyword, type));
  return { ...Object.fromEntries(entries), type };
}

/** The values of a list that are of `type`. */
export function valuesOfType(values: readonly unknown[], type: string): unknown[] {
  return values.filter((value) => TYPE_CHECKS.get(type)?.(value) === true);
}

/** The JSON type of a value; whole numbers are "integer". */
export function typeOfValue(value: unknown): string {
  if (Number.isInteger(value)) return "integer";
  const found = [...TYPE_CHECKS].find(([, holds]) => holds(value));
  return found?.[0] ?? "null";
}

/** The types that a schema without `type` speaks of by its keywords. */
export function guessTypes(schema: Schema): string[] {
  if (Object.hasOwn(schema, "properties")) return ["object"];
  if (Object.hasOwn(schema, "items")) return ["array"];
  return [];
}

function speaksOf(keyword: string, type: string): boolean {
  return KEYWORD_TYPES.get(keyword)?.includes(type) ?? true;
}
