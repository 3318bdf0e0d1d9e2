// Draft 2020-12: what each keyword may hold. Anthropic validates tool schemas against it, MCP clients
// assume it, OpenAI refuses schemas that break it.

import { type Complaint, isObject, type SchemaNode } from "./walk.js";

const TYPES: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
]);

interface ValueRule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const SCHEMA: ValueRule = {
  expected: "a schema",
  holds: (value) => isObject(value) || typeof value === "boolean",
};
const SCHEMAS: ValueRule = {
  expected: "a list of schemas that is not empty",
  holds: (value) => Array.isArray(value) && value.length > 0,
};
const NAMED_SCHEMAS: ValueRule = { expected: "an object of schemas", holds: isObject };
const TEXT: ValueRule = { expected: "text", holds: (value) => typeof value === "string" };
const NUMBER: ValueRule = { expected: "a number", holds: Number.isFinite };
const COUNT: ValueRule = {
  expected: "a whole number from 0",
  holds: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const FLAG: ValueRule = { expected: "a boolean", holds: (value) => typeof value === "boolean" };
const LIST: ValueRule = { expected: "a list", holds: Array.isArray };
const NAMES: ValueRule = { expected: "a list of different names", holds: isNameList };

const VALUE_RULES: ReadonlyMap<string, ValueRule> = new Map([
  ["$ref", TEXT],
  ["$defs", NAMED_SCHEMAS],
  ["type", { expected: "a type, or a list of different types", holds: isTypeValue }],
  ["enum", LIST],
  ["title", TEXT],
  ["description", TEXT],
  ["examples", LIST],
  ["properties", NAMED_SCHEMAS],
  ["patternProperties", { expected: "schemas under patterns", holds: isPatternMap }],
  ["additionalProperties", SCHEMA],
  ["propertyNames", SCHEMA],
  ["required", NAMES],
  ["minProperties", COUNT],
  ["maxProperties", COUNT],
  [
    "dependentRequired",
    {
      expected: "lists of names",
      holds: (value) => isObject(value) && Object.values(value).every(isNameList),
    },
  ],
  ["dependentSchemas", NAMED_SCHEMAS],
  ["items", SCHEMA],
  ["prefixItems", SCHEMAS],
  ["contains", SCHEMA],
  ["minContains", COUNT],
  ["maxContains", COUNT],
  ["minItems", COUNT],
  ["maxItems", COUNT],
  ["uniqueItems", FLAG],
  ["minLength", COUNT],
  ["maxLength", COUNT],
  ["pattern", { expected: "a regular expression", holds: isPattern }],
  ["format", TEXT],
  ["minimum", NUMBER],
  ["maximum", NUMBER],
  ["exclusiveMinimum", NUMBER],
  ["exclusiveMaximum", NUMBER],
  [
    "multipleOf",
    {
      expected: "a number above 0",
      holds: (value) => Number.isFinite(value) && Number(value) > 0,
    },
  ],
  ["allOf", SCHEMAS],
  ["anyOf", SCHEMAS],
  ["oneOf", SCHEMAS],
  ["not", SCHEMA],
  ["if", SCHEMA],
  ["then", SCHEMA],
  ["else", SCHEMA],
  ["unevaluatedItems", SCHEMA],
  ["unevaluatedProperties", SCHEMA],
]);

export function checkValues({ schema }: SchemaNode): Complaint[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const rule = VALUE_RULES.get(keyword);
    if (rule === undefined || rule.holds(value)) return [];
    return [{ rule: "value", message: `must be ${rule.expected}`, at: keyword }];
  });
}

/** The reference of each schema leads to a schema in the same document. */
export function checkRefs(root: unknown): (node: SchemaNode) => Complaint[] {
  return ({ schema }) => {
    const { $ref } = schema;
    if (typeof $ref !== "string" || leadsToSchema($ref, root)) return [];
    return [{ rule: "ref", message: "leads to no schema of this document", at: "$ref" }];
  };
}

/** Arguments are named, so the schema around them is one of objects. */
export function checkObjectRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "" || schema.type === "object") return [];
  return [{ rule: "root", message: 'must have the type "object"', at: "type" }];
}

function leadsToSchema(ref: string, root: unknown): boolean {
  if (ref === "#") return true;
  if (!ref.startsWith("#/")) return false;
  let place = root;
  for (const part of ref.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return false;
    place = Reflect.get(place, key);
  }
  return isObject(place) || typeof place === "boolean";
}

function isTypeValue(value: unknown): boolean {
  if (!Array.isArray(value)) return TYPES.has(value);
  return value.length > 0 && new Set(value).size === value.length && value.every(isTypeName);
}

function isTypeName(value: unknown): boolean {
  return TYPES.has(value);
}

function isNameList(value: unknown): boolean {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return false;
  return value.every((name) => typeof name === "string");
}

function isPatternMap(value: unknown): boolean {
  return isObject(value) && Object.keys(value).every(isPattern);
}

/** Patterns are read with the "u" flag. */
function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    // Not a pattern, which is the answer.
    return false;
  }
}
