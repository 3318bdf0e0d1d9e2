// `lintSchema`: would the API of a target reject this schema, by the rules the providers publish?

import { isRecord } from "../json-value.js";
import { expectedOf, placeOf } from "../keywords.js";
import { parsePattern } from "../pattern.js";
import { followPointer } from "../refs.js";
import { type Complaint, listTypes, namesOf, RULE_SETS, type SchemaNode } from "./lint-rules.js";
import type { SchemaTarget } from "./target.js";

const MAX_DEPTH = 200;
const MAX_NODES = 100_000;

export interface LintFault {
  /** JSON pointer into the schema; "/" for the root. */
  readonly pointer: string;
  readonly rule: string;
  /** Goes on where the pointer ends: "/properties/a has no type". */
  readonly message: string;
}

export function lintSchema(schema: unknown, target: SchemaTarget): LintFault[] {
  const { nodes, faults } = walkSchema(schema);
  const { each, whole = () => [] } = RULE_SETS[target];
  const rules = [checkObjectRoot, checkValues, checkRefs(schema), each];
  const found = nodes.flatMap((node) =>
    rules.flatMap((rule) => [...rule(node)]).map((complaint) => toFault(node.pointer, complaint)),
  );
  return [...faults, ...found, ...[...whole(nodes)].map((complaint) => toFault("", complaint))];
}

interface Step {
  readonly value: unknown;
  readonly pointer: string;
  readonly depth: number;
  readonly objectLevels: number;
}

function walkSchema(root: unknown): { nodes: SchemaNode[]; faults: LintFault[] } {
  const nodes: SchemaNode[] = [];
  const faults: LintFault[] = [];
  const pending: Step[] = [{ value: root, pointer: "", depth: 1, objectLevels: 0 }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { value, pointer, depth } = step;
    if (depth > MAX_DEPTH || nodes.length > MAX_NODES) {
      faults.push({ pointer, rule: "size", message: "is too deep or too large to be a schema" });
      return { nodes, faults };
    }
    if (isRecord(value)) {
      const objectLevels = step.objectLevels + (listTypes(value).includes("object") ? 1 : 0);
      nodes.push({ schema: value, pointer, objectLevels });
      pending.push(...listInner(value, { ...step, objectLevels }));
    } else if (typeof value !== "boolean" || pointer === "") {
      faults.push({ pointer: pointer || "/", rule: "schema", message: "is not a schema" });
    }
  }
  return { nodes, faults };
}

function listInner(schema: Record<string, unknown>, outer: Step): Step[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = placeOf(keyword);
    if (place === undefined) return [];
    const toStep = (inner: unknown, ...keys: string[]): Step => {
      const pointer = [outer.pointer, ...[keyword, ...keys].map(escapeName)].join("/");
      return { ...outer, value: inner, pointer, depth: outer.depth + 1 };
    };
    if (place === "schema") return [toStep(value)];
    const isHolder = place === "list" ? Array.isArray(value) : isRecord(value);
    const entries = isHolder ? Object.entries(Object(value)) : [];
    return entries.map(([name, inner]) => toStep(inner, name));
  });
}

function toFault(pointer: string, { rule, message, at }: Complaint): LintFault {
  const place = at === undefined ? pointer : `${pointer}/${escapeName(at)}`;
  return { pointer: place || "/", rule, message };
}

function checkValues({ schema }: SchemaNode): Complaint[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = placeOf(keyword);
    // The walk reports what is wrong inside a list or map of schemas.
    const isHolder =
      (place === "map" && isRecord(value)) ||
      (place === "list" && Array.isArray(value) && value.length > 0);
    const expected =
      expectedToday(keyword, value) ?? (isHolder ? undefined : expectedOf(keyword, value));
    return expected === undefined
      ? []
      : [{ rule: "value", message: `must be ${expected}`, at: keyword }];
  });
}

function expectedToday(keyword: string, value: unknown): string | undefined {
  const isList = Array.isArray(value);
  const repeats = isList && new Set(value).size !== value.length;
  if ((keyword === "type" || keyword === "required") && repeats) return "a list without repeats";
  if (keyword === "items" && isList) return "a schema";
  if (keyword === "pattern" && !isUnicodePattern(value)) return "a regular expression";
  if (keyword !== "patternProperties" || namesOf(value).every(isUnicodePattern)) return undefined;
  return "schemas under patterns";
}

function checkRefs(root: unknown): (node: SchemaNode) => Complaint[] {
  return ({ schema }) => {
    const { $ref } = schema;
    if (typeof $ref !== "string" || leadsToSchema($ref, root)) return [];
    return [{ rule: "ref", message: "leads to no schema of this document", at: "$ref" }];
  };
}

function checkObjectRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "" || schema.type === "object") return [];
  return [{ rule: "root", message: 'must have the type "object"', at: "type" }];
}

function leadsToSchema(ref: string, root: unknown): boolean {
  return /^#(?:\/|$)/.test(ref) && followPointer(root, ref.slice(1)) !== undefined;
}

function isUnicodePattern(value: unknown): boolean {
  return typeof value === "string" && parsePattern(value)?.unicode === true;
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
