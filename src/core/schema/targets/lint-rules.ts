// What the API of each target refuses, by what the providers publish.

import { wordSet } from "../../../lib/word-set.js";
import { isRecord, toRecord } from "../json-value.js";
import type { SchemaTarget } from "./target.js";

export interface SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  readonly objectLevels: number;
}

export interface Complaint {
  readonly rule: string;
  readonly message: string;
  /** Below the schema that was looked at. */
  readonly at?: string;
}

type Complaints = Iterable<Complaint>;

interface RuleSet {
  readonly each: (node: SchemaNode) => Complaints;
  readonly whole?: (nodes: readonly SchemaNode[]) => Complaints;
}

export const RULE_SETS: Readonly<Record<SchemaTarget, RuleSet>> = {
  generic: { each: checkGeneric },
  openai: { each: checkOpenAI },
  "openai-strict": { each: checkStrict, whole: checkStrictSize },
  anthropic: { each: checkAnthropic },
  gemini: { each: checkGemini },
  mcp: { each: () => [] },
};

export function listTypes({ type }: SchemaNode["schema"]): unknown[] {
  return type === undefined ? [] : [type].flat();
}

export function namesOf(value: unknown): string[] {
  return Object.keys(toRecord(value));
}

function* checkKnown(schema: SchemaNode["schema"], known: ReadonlySet<string>): Complaints {
  for (const at of Object.keys(schema)) {
    if (!known.has(at)) yield { rule: "keyword", message: "is not permitted", at };
  }
}

function* checkRoot({ schema, pointer }: SchemaNode, refused: readonly string[]): Complaints {
  if (pointer !== "") return;
  for (const at of refused) {
    if (Object.hasOwn(schema, at)) {
      yield { rule: "root", message: "is refused at the top level", at };
    }
  }
}

function* checkItems(schema: SchemaNode["schema"]): Complaints {
  if (listTypes(schema).includes("array") && !isRecord(schema.items)) {
    yield { rule: "items", message: "is a list without a schema for its items" };
  }
}

function* checkRequired({ required, properties }: SchemaNode["schema"]): Complaints {
  const names = new Set(namesOf(properties));
  for (const name of Array.isArray(required) ? required : []) {
    if (names.has(name)) continue;
    const message = `names ${JSON.stringify(name)}, which is not a property`;
    yield { rule: "required", message, at: "required" };
  }
}

interface NameRule {
  readonly pattern: RegExp;
  readonly words: string;
}

function* checkNames({ schema, pointer }: SchemaNode, { pattern, words }: NameRule): Complaints {
  if (pointer !== "") return;
  for (const name of namesOf(schema.properties)) {
    if (pattern.test(name)) continue;
    const message = `has the property ${JSON.stringify(name)}; a name has ${words} only, at most 64`;
    yield { rule: "name", message, at: "properties" };
  }
}

const GENERIC_KEYWORDS = wordSet(
  "anyOf default description enum items properties required title type",
);

function* checkGeneric(node: SchemaNode): Complaints {
  const { schema } = node;
  yield* checkKnown(schema, GENERIC_KEYWORDS);
  const isUnion = Object.hasOwn(schema, "anyOf");
  if (isUnion === Object.hasOwn(schema, "type")) {
    yield { rule: "type", message: "must have either a type or anyOf" };
  } else if (!isUnion && typeof schema.type !== "string") {
    yield { rule: "type", message: "must be one type", at: "type" };
  }
  yield* checkRequired(schema);
  yield* checkOpenAI(node);
}

const LOOK_AROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/;

function* checkOpenAI(node: SchemaNode): Complaints {
  const { schema, pointer } = node;
  yield* checkRoot(node, ["oneOf", "anyOf", "allOf", "enum", "not"]);
  if (pointer === "" && !isRecord(schema.properties)) {
    yield { rule: "root", message: "must have properties" };
  }
  yield* checkItems(schema);
  if (Object.hasOwn(schema, "allOf")) {
    yield { rule: "keyword", message: "is not permitted", at: "allOf" };
  }
  if (typeof schema.pattern === "string" && LOOK_AROUND.test(schema.pattern)) {
    yield { rule: "pattern", message: "looks around, which is refused", at: "pattern" };
  }
  for (const [name, property] of Object.entries(toRecord(schema.properties))) {
    if (typeof property !== "boolean") continue;
    yield { rule: "schema", message: `has a mere boolean for ${JSON.stringify(name)}` };
  }
}

const ANTHROPIC_NAME: NameRule = {
  pattern: /^[a-zA-Z0-9_.-]{1,64}$/,
  words: 'letters, digits, "_", "." and "-"',
};

function* checkAnthropic(node: SchemaNode): Complaints {
  yield* checkRoot(node, ["oneOf", "allOf", "anyOf"]);
  yield* checkNames(node, ANTHROPIC_NAME);
}

const GEMINI_FIELDS = wordSet(
  "anyOf default description enum example format items maxItems maxLength maxProperties " +
    "maximum minItems minLength minProperties minimum nullable pattern properties " +
    "propertyOrdering required title type",
);
const GEMINI_FORMATS: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["string", ["enum", "date-time"]],
  ["number", ["float", "double"]],
  ["integer", ["int32", "int64"]],
  ["boolean", []],
  ["array", []],
  ["object", []],
]);
const GEMINI_FIELD_TYPES: ReadonlyMap<string, string> = new Map([
  ["enum", "string"],
  ["items", "array"],
  ["maxItems", "array"],
  ["minItems", "array"],
  ["properties", "object"],
  ["required", "object"],
]);
const GEMINI_NAME: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  words: 'letters, digits and "_"',
};

function* checkGemini(node: SchemaNode): Complaints {
  const { schema } = node;
  for (const at of Object.keys(schema)) {
    if (GEMINI_FIELDS.has(at)) continue;
    yield { rule: "field", message: "is a field that does not exist", at };
  }
  if (!Object.hasOwn(schema, "anyOf")) {
    yield* checkGeminiType(schema);
    yield* checkRequired(schema);
    yield* checkNames(node, GEMINI_NAME);
  } else if (Object.keys(schema).length > 1) {
    yield { rule: "union", message: "must be the only field where it is", at: "anyOf" };
  }
}

function* checkGeminiType(schema: SchemaNode["schema"]): Complaints {
  const { type, format, enum: values } = schema;
  const formats = GEMINI_FORMATS.get(type);
  if (!formats) {
    yield { rule: "type", message: "has no type, or not one alone" };
    return;
  }
  for (const [at, wanted] of GEMINI_FIELD_TYPES) {
    if (Object.hasOwn(schema, at) && type !== wanted) {
      yield { rule: "type", message: `is only for the type ${wanted}`, at };
    }
  }
  if (type === "array" && !isRecord(schema.items)) {
    yield { rule: "items", message: "is missing", at: "items" };
  }
  if (format !== undefined && !formats.includes(format)) {
    yield { rule: "format", message: "is not supported for this type", at: "format" };
  }
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const areTexts = Array.isArray(values) && values.length > 0 && values.every(isText);
  if (values !== undefined && !areTexts) {
    yield { rule: "enum", message: "must list texts, none of them empty", at: "enum" };
  }
}

const STRICT_KEYWORDS = wordSet(
  "$defs $ref additionalProperties anyOf const description enum exclusiveMaximum " +
    "exclusiveMinimum format items maxItems maximum minItems minimum multipleOf pattern " +
    "properties required type",
);
export const STRICT_FORMATS: ReadonlySet<unknown> = wordSet(
  "date-time time date duration email hostname ipv4 ipv6 uuid",
);
const MAX_OBJECT_LEVELS = 10;
const LONG_ENUM = 250;
const MAX_LONG_ENUM_CHARS = 15_000;

function* checkStrict(node: SchemaNode): Complaints {
  const { schema, objectLevels } = node;
  const { $ref, anyOf, type, format, enum: values } = schema;
  yield* checkOpenAI(node);
  yield* checkKnown(schema, STRICT_KEYWORDS);
  if ($ref !== undefined && Object.keys(schema).length > 1) {
    yield { rule: "ref", message: "has something next to its reference" };
  }
  if ($ref === undefined && type === undefined && !Array.isArray(anyOf)) {
    yield { rule: "type", message: "has no type" };
  }
  if (format !== undefined && !STRICT_FORMATS.has(format)) {
    yield { rule: "format", message: "is a format that is not supported", at: "format" };
  }
  if (listTypes(schema).includes("object")) yield* checkClosed(schema);
  const listed = Array.isArray(values) ? values : [];
  if (listed.length > LONG_ENUM && countChars(listed) > MAX_LONG_ENUM_CHARS) {
    const message = `has more than ${LONG_ENUM} values with more than ${MAX_LONG_ENUM_CHARS} characters`;
    yield { rule: "size", message, at: "enum" };
  }
  if (beginAlike(anyOf)) {
    yield { rule: "union", message: "has objects that begin with the same key", at: "anyOf" };
  }
  if (objectLevels > MAX_OBJECT_LEVELS) {
    yield { rule: "size", message: `has more than ${MAX_OBJECT_LEVELS} objects inside each other` };
  }
}

function* checkClosed({ required, properties, additionalProperties }: SchemaNode["schema"]) {
  const known = new Set(Array.isArray(required) ? required : []);
  for (const name of namesOf(properties)) {
    if (known.has(name)) continue;
    yield { rule: "required", message: `does not name ${JSON.stringify(name)}`, at: "required" };
  }
  if (!isRecord(properties)) {
    yield { rule: "properties", message: "must be there", at: "properties" };
  }
  if (additionalProperties !== false) {
    yield { rule: "closed", message: "must be false", at: "additionalProperties" };
  }
}

/** While it writes, the model must know by the first key which variant it is in. */
function beginAlike(variants: unknown): boolean {
  const seen = new Map<string, ReadonlySet<unknown>[]>();
  for (const { properties } of Array.isArray(variants) ? variants.map(toRecord) : []) {
    const [first] = Object.entries(toRecord(properties));
    if (first === undefined) continue;
    const [name, schema] = first;
    const values = valuesOf(toRecord(schema));
    const earlier = seen.get(name) ?? [];
    if (earlier.some((other) => overlap(other, values))) return true;
    seen.set(name, [...earlier, values]);
  }
  return false;
}

function valuesOf(schema: SchemaNode["schema"]): ReadonlySet<unknown> {
  if (Object.hasOwn(schema, "const")) return new Set([schema.const]);
  return new Set(Array.isArray(schema.enum) ? schema.enum : []);
}

function overlap(one: ReadonlySet<unknown>, two: ReadonlySet<unknown>): boolean {
  return one.size === 0 || two.size === 0 || [...one].some((value) => two.has(value));
}

function countChars(texts: readonly unknown[]): number {
  return texts.reduce<number>((sum, text) => sum + String(text).length, 0);
}

function* checkStrictSize(nodes: readonly SchemaNode[]): Complaints {
  const names = nodes.flatMap(({ schema }) => namesOf(schema.properties));
  const values = nodes.flatMap(({ schema }) => (Array.isArray(schema.enum) ? schema.enum : []));
  const definitions = nodes.flatMap(({ schema }) => namesOf(schema.$defs));
  const counts: readonly (readonly [count: number, max: number, what: string])[] = [
    [names.length, 5_000, "properties"],
    [values.length, 1_000, "enum values"],
    [
      countChars([...names, ...definitions, ...values]),
      120_000,
      "characters of names and enum values",
    ],
  ];
  for (const [count, max, what] of counts) {
    if (count > max) yield { rule: "size", message: `has more than ${max} ${what}` };
  }
}
