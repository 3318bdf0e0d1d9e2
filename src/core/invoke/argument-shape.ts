// What preparing arguments needs from a schema: names, other spellings, kinds. Read once per tool.

import { foldSpelling, toCamelCase, toSnakeCase } from "../../lib/letter-case.js";
import { toRecord } from "../schema/json-value.js";
import { createRefResolver } from "../schema/refs.js";

const OPENING_KEYWORDS = (
  "additionalProperties patternProperties unevaluatedProperties anyOf oneOf allOf $ref if " +
  "dependentSchemas"
).split(" ");

const MAX_HOPS = 16;

export interface ObjectShape {
  readonly fields: ReadonlyMap<string, FieldShape>;
  readonly spellings: ReadonlyMap<string, string>;
  /** The same without regard to letter case, `_` and `-`, where that leaves one name. */
  readonly folded: ReadonlyMap<string, string>;
  readonly required: ReadonlySet<string>;
  readonly closed: boolean;
}

export interface FieldShape {
  readonly kind: string | undefined;
  readonly nullable: boolean;
  readonly words: ReadonlyMap<string, string> | undefined;
  readonly object: ObjectShape | undefined;
  readonly item: FieldShape | undefined;
}

interface Reading {
  readonly aliases: Readonly<Record<string, string>>;
  readonly nulls: NullReading;
}

interface NullReading {
  readonly resolve: ReturnType<typeof createRefResolver>;
  readonly known: Map<object, boolean>;
}

export function readObjectShape(
  schema: Record<string, unknown>,
  aliases: Readonly<Record<string, string>>,
): ObjectShape {
  const nulls = { resolve: createRefResolver(schema), known: new Map() };
  return readObject(schema, { aliases, nulls });
}

function readObject(schema: Record<string, unknown>, reading: Reading): ObjectShape {
  const fields = new Map<string, FieldShape>();
  for (const [name, child] of Object.entries(toRecord(schema.properties))) {
    fields.set(name, readField(toRecord(child), reading));
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const spellings = readSpellings(fields, reading.aliases);
  return {
    fields,
    spellings,
    folded: foldSpellings(fields, spellings),
    required: new Set(required.filter((name) => typeof name === "string")),
    closed: isClosed(schema),
  };
}

function readField(schema: Record<string, unknown>, reading: Reading): FieldShape {
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  const kinds = types.filter((type) => type !== "null");
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  return {
    kind,
    nullable: admitsNull(schema, { ...reading.nulls, hops: 0 }),
    words: readWords(schema.enum),
    object: kind === "object" ? readObject(schema, reading) : undefined,
    item: kind === "array" ? readField(toRecord(schema.items), reading) : undefined,
  };
}

type NullWay = NullReading & { readonly hops: number };

/** Whether null is a value of its own here: every keyword that speaks of it must let it through. */
function admitsNull(schema: Record<string, unknown>, way: NullWay): boolean {
  const known = way.known.get(schema);
  if (known !== undefined) return known;
  way.known.set(schema, true);
  const admits = lookForNull(schema, way);
  way.known.set(schema, admits);
  return admits;
}

function lookForNull(schema: Record<string, unknown>, way: NullWay): boolean {
  const { type, enum: values, allOf } = schema;
  if (type !== undefined && ![type].flat().includes("null")) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if (Object.hasOwn(schema, "const") && schema.const !== null) return false;
  const admits = (part: unknown) => admitsNull(toRecord(part), way);
  if (Array.isArray(allOf) && !allOf.every(admits)) return false;
  const unions = [schema.anyOf, schema.oneOf].filter(Array.isArray);
  if (!unions.every((variants) => variants.some(admits))) return false;
  const target = way.hops < MAX_HOPS ? readTarget(schema, way) : undefined;
  return target === undefined || admitsNull(target, { ...way, hops: way.hops + 1 });
}

function readTarget(
  schema: Record<string, unknown>,
  { resolve }: NullReading,
): Record<string, unknown> | undefined {
  try {
    const target = resolve(schema);
    return target === undefined ? undefined : toRecord(target);
  } catch {
    return undefined;
  }
}

function readWords(values: unknown): ReadonlyMap<string, string> | undefined {
  if (!Array.isArray(values)) return undefined;
  const words = values.filter((value) => typeof value === "string");
  const folded = new Map(words.map((word) => [word.toLowerCase(), word]));
  // Two words that differ only in case leave nothing to guess.
  return folded.size > 0 && folded.size === words.length ? folded : undefined;
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

function foldSpellings(
  fields: ReadonlyMap<string, FieldShape>,
  spellings: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const folded = new Map<string, string>();
  const unclear = new Set<string>();
  const own = [...fields.keys()].map((name) => [name, name] as const);
  for (const [spelling, name] of [...own, ...spellings]) {
    const key = foldSpelling(spelling);
    const known = folded.get(key) ?? name;
    if (known === name) folded.set(key, name);
    else unclear.add(key);
  }
  for (const key of unclear) folded.delete(key);
  return folded;
}

function isClosed(schema: Record<string, unknown>): boolean {
  if (schema.additionalProperties === false) return !hasPatterns(schema);
  if (!Object.hasOwn(schema, "properties")) return false;
  return OPENING_KEYWORDS.every((keyword) => !Object.hasOwn(schema, keyword));
}

function hasPatterns({ patternProperties }: Record<string, unknown>): boolean {
  return Object.keys(toRecord(patternProperties)).length > 0;
}
