// `lintSchema`: would the API of a target refuse this schema? The rules come from what the providers
// publish, not from what the compiler does.

import type { SchemaTarget } from "../target.js";
import { checkGeminiNode } from "./gemini-rules.js";
import { checkOpenAINode, checkOpenAIRoot } from "./openai-rules.js";
import { checkStrictNode, checkStrictWhole } from "./strict-rules.js";
import {
  type Complaint,
  isObject,
  type LintFault,
  namesOf,
  type SchemaNode,
  toFault,
  walkSchema,
} from "./walk.js";

const TYPES: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
]);

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

interface ValueRule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const ALLOWED: ReadonlySet<string> = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "items",
  "properties",
  "required",
  "title",
  "type",
]);

const REFUSED_AT_ROOT = ["oneOf", "allOf", "anyOf"] as const;

/** Checked by the API for the properties of the top level only. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export type { LintFault } from "./walk.js";

interface RuleSet {
  readonly each: readonly ((node: SchemaNode) => Complaint[])[];
  readonly whole?: (nodes: readonly SchemaNode[]) => LintFault[];
}

const OPENAI = [checkOpenAIRoot, checkOpenAINode];

const RULE_SETS: Readonly<Record<SchemaTarget, RuleSet>> = {
  generic: { each: [checkGenericNode, ...OPENAI] },
  openai: { each: OPENAI },
  "openai-strict": { each: [...OPENAI, checkStrictNode], whole: checkStrictWhole },
  anthropic: { each: [checkAnthropicRoot] },
  gemini: { each: [checkGeminiNode] },
  mcp: { each: [] },
};

/** `schema` is JSON. An empty list means that nothing is known to be refused. */
export function lintSchema(schema: unknown, target: SchemaTarget): LintFault[] {
  const { nodes, faults } = walkSchema(schema);
  const rules = [checkObjectRoot, checkValues, checkRefs(schema), ...RULE_SETS[target].each];
  const found = nodes.flatMap((node) =>
    rules.flatMap((rule) => rule(node)).map((complaint) => toFault(node, complaint)),
  );
  return [...faults, ...found, ...(RULE_SETS[target].whole?.(nodes) ?? [])];
}

function checkAnthropicRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "") return [];
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  const names = namesOf(schema.properties).filter((name) => !PROPERTY_NAME.test(name));
  return [
    ...refused.map((keyword) => ({ rule: "root", message: "is refused here", at: keyword })),
    ...names.map((name) => ({
      rule: "name",
      message: `has the property ${JSON.stringify(name)}; a name has letters, digits, "_", "." and "-" only, at most 64`,
      at: "properties",
    })),
  ];
}

function checkGenericNode({ schema }: SchemaNode): Complaint[] {
  const complaints: Complaint[] = Object.keys(schema)
    .filter((keyword) => !ALLOWED.has(keyword))
    .map((keyword) => ({ rule: "keyword", message: "is not understood everywhere", at: keyword }));
  const isUnion = Object.hasOwn(schema, "anyOf");
  if (isUnion === Object.hasOwn(schema, "type")) {
    complaints.push({ rule: "type", message: "must have either a type or anyOf" });
  } else if (!isUnion && typeof schema.type !== "string") {
    complaints.push({ rule: "type", message: "must be one type", at: "type" });
  }
  if (schema.type === "array" && !isObject(schema.items)) {
    complaints.push({ rule: "items", message: "is a list without a schema for its items" });
  }
  const names = new Set(namesOf(schema.properties));
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required.filter((one) => !names.has(one))) {
    const message = `names ${JSON.stringify(name)}, which is not a property`;
    complaints.push({ rule: "required", message, at: "required" });
  }
  return complaints;
}

function checkValues({ schema }: SchemaNode): Complaint[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const rule = VALUE_RULES.get(keyword);
    if (rule === undefined || rule.holds(value)) return [];
    return [{ rule: "value", message: `must be ${rule.expected}`, at: keyword }];
  });
}

/** The reference of each schema leads to a schema in the same document. */
function checkRefs(root: unknown): (node: SchemaNode) => Complaint[] {
  return ({ schema }) => {
    const { $ref } = schema;
    if (typeof $ref !== "string" || leadsToSchema($ref, root)) return [];
    return [{ rule: "ref", message: "leads to no schema of this document", at: "$ref" }];
  };
}

/** Arguments are named, so the schema around them is one of objects. */
function checkObjectRoot({ schema, pointer }: SchemaNode): Complaint[] {
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
