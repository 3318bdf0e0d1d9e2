// Limits references to the root and used entries of "$defs"; all others are inlined.

import { wordSet } from "../../../lib/word-set.js";
import { ToolInputError } from "../../errors.js";
import { isRecord, isSameJson, toRecord } from "../json-value.js";
import { listSchemas, listSubschemas, mapSubschemas, type Schema } from "../keywords.js";
import { MAX_SCHEMA_DEPTH } from "../limits.js";
import { createRefResolver, inlineLocalRefs, refExpansionError } from "../refs.js";

const ROOT_REF = "#";
const OLD_PREFIX = "#/definitions/";
const PREFIX = "#/$defs/";
const SIMPLE_REF = /^#(?:\/(?:\$defs|definitions)\/[^/%~]+)?$/;
const SAME_VALUE = wordSet("allOf anyOf dependentSchemas else if not oneOf then");
const OTHER_NAMING = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"] as const;

export function tidyRefs(root: Schema): Schema {
  assertRefsEnd(root);
  return isSimple(root) ? joinDefinitions(root) : inlineLocalRefs(root);
}

export function withoutIdleDefinitions(root: Schema): Schema {
  const { $defs, ...rest } = root;
  if (!isRecord($defs)) return rest;
  const used = new Set<string>();
  const pending: Schema[] = [rest];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    for (const { $ref } of listSchemas(schema)) {
      const name = definitionName($ref);
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      const target = $defs[name];
      if (isRecord(target)) pending.push(target);
    }
  }
  const kept = Object.entries($defs).filter(([name]) => used.has(name));
  return kept.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(kept) };
}

function assertRefsEnd(root: Schema): void {
  const resolve = createRefResolver(root);
  const levels = new Map<Schema, number>();
  const open = new Set<Schema>();
  listSchemas(root).forEach(levelOf);

  /** How many schemas in a row judge the same value. */
  function levelOf(schema: Schema): number {
    const known = levels.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) throw cyclicRef();
    if (open.size >= MAX_SCHEMA_DEPTH) throw refExpansionError();
    open.add(schema);
    const level = 1 + Math.max(0, ...listSame(schema).map(levelOf));
    open.delete(schema);
    if (level > MAX_SCHEMA_DEPTH) throw refExpansionError();
    levels.set(schema, level);
    return level;
  }

  function listSame(schema: Schema): Schema[] {
    const parts = listSubschemas(schema).filter(({ path }) => SAME_VALUE.has(String(path[0])));
    return [...parts.map((sub) => sub.schema), resolve(schema)].filter(isRecord);
  }
}

function cyclicRef(): ToolInputError {
  return new ToolInputError(
    "A reference of the schema leads back to itself without a property or item between, so it says nothing.",
    { reason: "ref_cyclic" },
  );
}

function isSimple(root: Schema): boolean {
  const { $id: _name, ...unnamed } = root;
  const { $defs, definitions } = root;
  if (isRecord($defs) && isRecord(definitions) && clash($defs, definitions)) return false;
  return listSchemas(unnamed).every(
    (schema) =>
      OTHER_NAMING.every((keyword) => schema[keyword] === undefined) &&
      (typeof schema.$ref !== "string" || SIMPLE_REF.test(schema.$ref)),
  );
}

function clash(one: Schema, two: Schema): boolean {
  return Object.keys(one).some(
    (name) => Object.hasOwn(two, name) && !isSameJson(one[name], two[name]),
  );
}

function joinDefinitions(root: Schema): Schema {
  const { $defs, definitions, $id: _name, ...rest } = root;
  const all = { ...toRecord(definitions), ...toRecord($defs) };
  const moved = Object.keys(all).length === 0 ? rest : { ...rest, $defs: all };
  return rename(moved);
}

function rename(schema: Schema): Schema {
  const renamed = mapSubschemas(schema, rename);
  const { $ref } = renamed;
  if (typeof $ref !== "string" || !$ref.startsWith(OLD_PREFIX)) return renamed;
  return { ...renamed, $ref: `${PREFIX}${$ref.slice(OLD_PREFIX.length)}` };
}

function definitionName(ref: unknown): string | undefined {
  if (typeof ref !== "string" || ref === ROOT_REF || !ref.startsWith(PREFIX)) return undefined;
  return ref.slice(PREFIX.length);
}
