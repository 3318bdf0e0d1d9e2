// `lintSchema`: would the API of a target refuse this schema? The rules come from what the providers
// publish, not from what the compiler does.

import type { SchemaTarget } from "../target.js";
import { checkAnthropicRoot } from "./anthropic-rules.js";
import { checkGeminiNode } from "./gemini-rules.js";
import { checkGenericNode } from "./generic-rules.js";
import { checkObjectRoot, checkRefs, checkValues } from "./json-schema-rules.js";
import { checkOpenAINode, checkOpenAIRoot } from "./openai-rules.js";
import { checkStrictNode, checkStrictWhole } from "./strict-rules.js";
import { type Complaint, type LintFault, type SchemaNode, toFault, walkSchema } from "./walk.js";

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
