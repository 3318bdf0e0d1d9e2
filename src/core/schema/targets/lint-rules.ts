// What OpenAI, strict function calling and Gemini refuse, by what the providers publish.

import { wordSet } from "../../../lib/word-set.js";
import { isRecord } from "../json-value.js";
import type { Complaint, SchemaNode } from "./lint.js";

const REFUSED_AT_ROOT = ["oneOf", "anyOf", "allOf", "enum", "not"] as const;
const LOOK_AROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/;

export function checkOpenAIRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "") return [];
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword)).map(
    (keyword) => ({ rule: "root", message: "is refused at the top level", at: keyword }),
  );
  if (isRecord(schema.properties)) return refused;
  return [...refused, { rule: "root", message: "must have properties" }];
}

export function checkOpenAINode({ schema }: SchemaNode): Complaint[] {
  const complaints: Complaint[] = [];
  if (listTypes(schema).includes("array") && !isRecord(schema.items)) {
    complaints.push({ rule: "items", message: "is a list without a schema for its items" });
  }
  if (Object.hasOwn(schema, "allOf")) {
    complaints.push({ rule: "keyword", message: "is not permitted", at: "allOf" });
  }
  if (typeof schema.pattern === "string" && LOOK_AROUND.test(schema.pattern)) {
    complaints.push({ rule: "pattern", message: "looks around, which is refused", at: "pattern" });
  }
  for (const name of namesOf(schema.properties)) {
    if (isRecord(schema.properties) && typeof schema.properties[name] === "boolean") {
      complaints.push({
        rule: "schema",
        message: `has a mere boolean for ${JSON.stringify(name)}`,
      });
    }
  }
  return complaints;
}

const FIELDS = wordSet(
  "anyOf default description enum example format items maxItems maxLength maxProperties " +
    "maximum minItems minLength minProperties minimum nullable pattern properties " +
    "propertyOrdering required title type",
);
const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
]);
const GEMINI_FORMATS: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["number", ["float", "double"]],
  ["integer", ["int32", "int64"]],
  ["string", ["enum", "date-time"]],
]);
const FIELD_TYPES: ReadonlyMap<string, string> = new Map([
  ["enum", "string"],
  ["items", "array"],
  ["maxItems", "array"],
  ["minItems", "array"],
  ["properties", "object"],
  ["required", "object"],
]);
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export function checkGeminiNode({ schema, pointer }: SchemaNode): Complaint[] {
  const unknown = Object.keys(schema)
    .filter((field) => !FIELDS.has(field))
    .map((field) => ({ rule: "field", message: "is a field that does not exist", at: field }));
  if (Object.hasOwn(schema, "anyOf")) return [...unknown, ...checkUnion(schema)];
  return [
    ...unknown,
    ...checkType(schema),
    ...checkRequiredNames(schema),
    ...(pointer === "" ? checkParameterNames(schema) : []),
  ];
}

function checkUnion(schema: SchemaNode["schema"]): Complaint[] {
  if (Object.keys(schema).length === 1) return [];
  return [{ rule: "union", message: "must be the only field where it is", at: "anyOf" }];
}

function checkType(schema: SchemaNode["schema"]): Complaint[] {
  const { type, format } = schema;
  if (!TYPES.has(type)) return [{ rule: "type", message: "has no type, or not one alone" }];
  const complaints: Complaint[] = [];
  for (const [field, wanted] of FIELD_TYPES) {
    if (Object.hasOwn(schema, field) && type !== wanted) {
      complaints.push({ rule: "type", message: `is only for the type ${wanted}`, at: field });
    }
  }
  if (type === "array" && !isRecord(schema.items)) {
    complaints.push({ rule: "items", message: "is missing", at: "items" });
  }
  if (format !== undefined && !GEMINI_FORMATS.get(type)?.includes(format)) {
    complaints.push({ rule: "format", message: "is not supported for this type", at: "format" });
  }
  return [...complaints, ...checkValues(schema)];
}

function checkValues(schema: SchemaNode["schema"]): Complaint[] {
  if (!Object.hasOwn(schema, "enum")) return [];
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const isGood = values.every((value) => typeof value === "string" && value !== "");
  if (isGood && values.length > 0) return [];
  return [{ rule: "enum", message: "must list texts, none of them empty", at: "enum" }];
}

export function checkRequiredNames(schema: SchemaNode["schema"]): Complaint[] {
  const names = new Set(namesOf(schema.properties));
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required
    .filter((name) => !names.has(name))
    .map((name) => ({
      rule: "required",
      message: `names ${JSON.stringify(name)}, which is not a property`,
      at: "required",
    }));
}

function checkParameterNames(schema: SchemaNode["schema"]): Complaint[] {
  return namesOf(schema.properties)
    .filter((name) => !PARAMETER_NAME.test(name))
    .map((name) => ({
      rule: "name",
      message: `has the parameter ${JSON.stringify(name)}; a name has letters, digits and "_" only, at most 64`,
      at: "properties",
    }));
}

const STRICT_KEYWORDS = wordSet(
  "$defs $ref additionalProperties anyOf const description enum exclusiveMaximum " +
    "exclusiveMinimum format items maxItems maximum minItems minimum multipleOf pattern " +
    "properties required type",
);
export const STRICT_FORMATS: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);
const MAX_OBJECT_LEVELS = 10;
const MAX_PROPERTIES = 5_000;
const MAX_NAME_CHARS = 120_000;
const MAX_ENUM_VALUES = 1_000;
const LONG_ENUM = 250;
const MAX_LONG_ENUM_CHARS = 15_000;

export function checkStrictNode(node: SchemaNode): Complaint[] {
  const { schema } = node;
  return [
    ...Object.keys(schema)
      .filter((keyword) => !STRICT_KEYWORDS.has(keyword))
      .map((keyword) => ({ rule: "keyword", message: "is not permitted", at: keyword })),
    ...checkKind(schema),
    ...(listTypes(schema).includes("object") ? checkClosed(schema) : []),
    ...checkEnum(schema),
    ...checkFirstKeys(schema),
    ...(node.objectLevels > MAX_OBJECT_LEVELS
      ? [{ rule: "size", message: `has more than ${MAX_OBJECT_LEVELS} objects inside each other` }]
      : []),
  ];
}

export function checkStrictWhole(nodes: readonly SchemaNode[]): Complaint[] {
  const names = nodes.flatMap(({ schema }) => namesOf(schema.properties));
  const values = nodes.flatMap(({ schema }) => (Array.isArray(schema.enum) ? schema.enum : []));
  const definitions = nodes.flatMap(({ schema }) => namesOf(schema.$defs));
  const chars = [...names, ...definitions, ...values].map((text) => String(text).length);
  const total = chars.reduce((sum, length) => sum + length, 0);
  return [
    ...limit(names.length, MAX_PROPERTIES, "properties"),
    ...limit(values.length, MAX_ENUM_VALUES, "enum values"),
    ...limit(total, MAX_NAME_CHARS, "characters of names and enum values"),
  ];
}

function limit(count: number, max: number, what: string): Complaint[] {
  return count <= max ? [] : [{ rule: "size", message: `has more than ${max} ${what}` }];
}

function checkKind(schema: SchemaNode["schema"]): Complaint[] {
  const { $ref, anyOf, type, format } = schema;
  if ($ref !== undefined) {
    const isAlone = Object.keys(schema).length === 1;
    return isAlone ? [] : [{ rule: "ref", message: "has something next to its reference" }];
  }
  if (type === undefined && !Array.isArray(anyOf))
    return [{ rule: "type", message: "has no type" }];
  if (format === undefined || STRICT_FORMATS.has(format)) return [];
  return [{ rule: "format", message: "is a format that is not supported", at: "format" }];
}

function checkClosed(schema: SchemaNode["schema"]): Complaint[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const optional = namesOf(schema.properties).filter((name) => !required.has(name));
  const complaints = optional.map((name) => ({
    rule: "required",
    message: `does not name ${JSON.stringify(name)}`,
    at: "required",
  }));
  if (!isRecord(schema.properties)) {
    complaints.push({ rule: "properties", message: "must be there", at: "properties" });
  }
  if (schema.additionalProperties !== false) {
    complaints.push({ rule: "closed", message: "must be false", at: "additionalProperties" });
  }
  return complaints;
}

function checkEnum({ enum: values }: SchemaNode["schema"]): Complaint[] {
  if (!Array.isArray(values)) return [];
  const chars = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  if (values.length <= LONG_ENUM || chars <= MAX_LONG_ENUM_CHARS) return [];
  const message = `has more than ${LONG_ENUM} values with more than ${MAX_LONG_ENUM_CHARS} characters`;
  return [{ rule: "size", message, at: "enum" }];
}

/** While it writes, the model must know by the first key which variant it is in. */
function checkFirstKeys({ anyOf }: SchemaNode["schema"]): Complaint[] {
  if (!Array.isArray(anyOf)) return [];
  const seen = new Map<string, ReadonlySet<unknown>[]>();
  for (const variant of anyOf.filter(isRecord)) {
    const { properties } = variant;
    const [first] = namesOf(properties);
    if (first === undefined || !isRecord(properties)) continue;
    const values = valuesOf(properties[first]);
    const earlier = seen.get(first) ?? [];
    if (earlier.some((other) => overlap(other, values))) {
      return [{ rule: "union", message: "has objects that begin with the same key", at: "anyOf" }];
    }
    seen.set(first, [...earlier, values]);
  }
  return [];
}

function valuesOf(schema: unknown): ReadonlySet<unknown> {
  if (!isRecord(schema)) return new Set();
  if (Object.hasOwn(schema, "const")) return new Set([schema.const]);
  return new Set(Array.isArray(schema.enum) ? schema.enum : []);
}

function overlap(one: ReadonlySet<unknown>, two: ReadonlySet<unknown>): boolean {
  return one.size === 0 || two.size === 0 || [...one].some((value) => two.has(value));
}

export function listTypes(schema: SchemaNode["schema"]): unknown[] {
  return schema.type === undefined ? [] : [schema.type].flat();
}

export function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}
