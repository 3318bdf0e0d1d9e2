// The structured outputs guide of OpenAI: the keywords, formats, sizes and shapes that a strict
// function may have.

import {
  type Complaint,
  isObject,
  type LintFault,
  listTypes,
  namesOf,
  type SchemaNode,
  toFault,
} from "./walk.js";

const ALLOWED: ReadonlySet<string> = new Set([
  "$defs",
  "$ref",
  "additionalProperties",
  "anyOf",
  "const",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "multipleOf",
  "pattern",
  "properties",
  "required",
  "type",
]);
const FORMATS: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);
const MAX_OBJECT_LEVELS = 10;
const MAX_PROPERTIES = 5_000;
const MAX_NAME_CHARS = 120_000;
const MAX_ENUM_VALUES = 1_000;
/** An enum of texts longer than this has a limit on its characters too. */
const LONG_ENUM = 250;
const MAX_LONG_ENUM_CHARS = 15_000;

export function checkStrictNode(node: SchemaNode): Complaint[] {
  const { schema } = node;
  return [
    ...Object.keys(schema)
      .filter((keyword) => !ALLOWED.has(keyword))
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

/** Limits that count over the whole schema. */
export function checkStrictWhole(nodes: readonly SchemaNode[]): LintFault[] {
  const [root] = nodes;
  if (root === undefined) return [];
  const names = nodes.flatMap(({ schema }) => namesOf(schema.properties));
  const values = nodes.flatMap(({ schema }) => (Array.isArray(schema.enum) ? schema.enum : []));
  const definitions = nodes.flatMap(({ schema }) => namesOf(schema.$defs));
  const chars = [...names, ...definitions, ...values].map((text) => String(text).length);
  const total = chars.reduce((sum, length) => sum + length, 0);
  const complaints = [
    ...limit(names.length, MAX_PROPERTIES, "properties"),
    ...limit(values.length, MAX_ENUM_VALUES, "enum values"),
    ...limit(total, MAX_NAME_CHARS, "characters of names and enum values"),
  ];
  return complaints.map((complaint) => toFault(root, complaint));
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
  if (format === undefined || FORMATS.has(format)) return [];
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
  if (!isObject(schema.properties)) {
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
  for (const variant of anyOf.filter(isObject)) {
    const { properties } = variant;
    const [first] = namesOf(properties);
    if (first === undefined || !isObject(properties)) continue;
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
  if (!isObject(schema)) return new Set();
  if (Object.hasOwn(schema, "const")) return new Set([schema.const]);
  return new Set(Array.isArray(schema.enum) ? schema.enum : []);
}

/** A key without listed values may have any value. */
function overlap(one: ReadonlySet<unknown>, two: ReadonlySet<unknown>): boolean {
  return one.size === 0 || two.size === 0 || [...one].some((value) => two.has(value));
}
