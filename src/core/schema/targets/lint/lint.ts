// `lintSchema`: would the API of a target refuse this schema? The rules come from what the providers
// publish, not from what the compiler does.

import type { SchemaTarget } from "../target.js";
import { checkGeminiNode } from "./gemini-rules.js";
import { checkObjectRoot, checkRefs, checkValues } from "./json-schema-rules.js";
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
    const message = `names ${JSON.stringify(name)}, which is no property`;
    complaints.push({ rule: "required", message, at: "required" });
  }
  return complaints;
}
