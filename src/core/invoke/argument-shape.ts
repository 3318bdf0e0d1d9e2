// What preparing arguments needs to know of a schema: known names, their other spellings, their
// kinds. Read once per tool, so that a call only looks things up.

import { toCamelCase, toSnakeCase } from "../../lib/letter-case.js";
import { isRecord } from "../schema/json-value.js";

/** Keywords that admit keys which `properties` does not name. */
const OPENING_KEYWORDS = [
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "$dynamicRef",
  "if",
  "dependentSchemas",
] as const;

export interface ObjectShape {
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Other spelling to the name in `fields`. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly required: ReadonlySet<string>;
  /** Unknown keys are refused. */
  readonly closed: boolean;
}

export interface FieldShape {
  /** The JSON type, when the schema names exactly one. */
  readonly kind: string | undefined;
  readonly nullable: boolean;
  /** Lower-case spelling to the allowed word. */
  readonly words: ReadonlyMap<string, string> | undefined;
  readonly object: ObjectShape | undefined;
  readonly item: FieldShape | undefined;
}

/** `schema` has passed the schema limits, so its depth is bounded. */
export function readObjectShape(
  schema: Record<string, unknown>,
  aliases: Readonly<Record<string, string>>,
): ObjectShape {
  const fields = new Map<string, FieldShape>();
  for (const [name, child] of Object.entries(toRecord(schema.properties))) {
    fields.set(name, readFieldShape(toRecord(child), aliases));
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    fields,
    spellings: readSpellings(fields, aliases),
    required: new Set(required.filter((name) => typeof name === "string")),
    closed: isClosed(schema),
  };
}

function readFieldShape(
  schema: Record<string, unknown>,
  aliases: Readonly<Record<string, string>>,
): FieldShape {
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  const kinds = types.filter((type) => type !== "null");
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  return {
    kind,
    nullable: types.length === 0 || types.includes("null"),
    words: readWords(schema.enum),
    object: kind === "object" ? readObjectShape(schema, aliases) : undefined,
    item: kind === "array" ? readFieldShape(toRecord(schema.items), aliases) : undefined,
  };
}

function readWords(values: unknown): ReadonlyMap<string, string> | undefined {
  if (!Array.isArray(values)) return undefined;
  const words = values.filter((value) => typeof value === "string");
  const folded = new Map(words.map((word) => [word.toLowerCase(), word]));
  // Two words that differ only in case leave nothing to guess.
  return folded.size === words.length ? folded : undefined;
}

function readSpellings(
  fields: ReadonlyMap<string, FieldShape>,
  aliases: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const name of fields.keys()) {
    for (const spelling of [toSnakeCase(name), toCamelCase(name)]) spellings.set(spelling, name);
  }
  for (const [alias, target] of Object.entries(aliases)) {
    if (!fields.has(target)) continue;
    for (const spelling of [alias, toSnakeCase(alias), toCamelCase(alias)]) {
      spellings.set(spelling, target);
    }
  }
  for (const name of fields.keys()) spellings.delete(name);
  return spellings;
}

function isClosed(schema: Record<string, unknown>): boolean {
  if (schema.additionalProperties === false) return true;
  if (!Object.hasOwn(schema, "properties")) return false;
  return OPENING_KEYWORDS.every((keyword) => !Object.hasOwn(schema, keyword));
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
