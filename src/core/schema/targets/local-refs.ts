// The references of a schema, made such that every reader can follow them: only to the root or to
// one entry of "$defs", each used, each ending. Anything else is written out.

import { ToolInputError } from "../../errors.js";
import { isRecord, isSameJson } from "../json-value.js";
import { listSubschemas, mapSchema, type Schema } from "../keywords.js";
import { MAX_SCHEMA_DEPTH } from "../limits.js";
import {
  createRefResolver,
  inlineLocalRefs,
  readRef,
  refExpansionError,
  resourceOf,
} from "../refs.js";

const ROOT_REF = "#";
const OLD_PREFIX = "#/definitions/";
const PREFIX = "#/$defs/";
const SIMPLE_REF = /^#(?:\/(?:\$defs|definitions)\/[^/%~]+)?$/;
const OTHER_NAMING = ["$anchor", "$dynamicAnchor", "$recursiveAnchor", "$dynamicRef"] as const;
const SAME_VALUE: ReadonlySet<unknown> = new Set([
  "allOf",
  "anyOf",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

/** `root` has passed `assertRefsResolve`. Throws `ref_cyclic` for a reference that never ends. */
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
    const name = definitionName(schema.$ref);
    const target = name === undefined || used.has(name) ? undefined : $defs[name];
    if (name !== undefined) used.add(name);
    if (isRecord(target)) pending.push(target);
    pending.push(...childrenOf(schema));
  }
  const kept = Object.entries($defs).filter(([name]) => used.has(name));
  return kept.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(kept) };
}

function isSimple(root: Schema): boolean {
  const { $id: _name, ...unnamed } = root;
  const { $defs, definitions } = root;
  if (isRecord($defs) && isRecord(definitions) && clash($defs, definitions)) return false;
  const pending: Schema[] = [unnamed];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (OTHER_NAMING.some((keyword) => schema?.[keyword] !== undefined)) return false;
    if (schema.$id !== undefined || schema.$recursiveRef !== undefined) return false;
    if (typeof schema.$ref === "string" && !SIMPLE_REF.test(schema.$ref)) return false;
    pending.push(...childrenOf(schema));
  }
  return true;
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
  const renamed = mapSchema(schema, {
    schema: (child) => (isRecord(child) ? rename(child) : child),
    value: (value) => value,
  });
  const { $ref } = renamed;
  if (typeof $ref !== "string" || !$ref.startsWith(OLD_PREFIX)) return renamed;
  return { ...renamed, $ref: `${PREFIX}${$ref.slice(OLD_PREFIX.length)}` };
}

function assertRefsEnd(root: Schema): void {
  const edges = collectEdges(root);
  const incoming = new Map<Schema, number>();
  for (const target of [...edges.values()].flat()) {
    incoming.set(target, (incoming.get(target) ?? 0) + 1);
  }
  const ready = [...edges.keys()].filter((schema) => !incoming.has(schema));
  const levels = new Map<Schema, number>();
  let peeled = 0;
  for (let schema = ready.pop(); schema !== undefined; schema = ready.pop()) {
    peeled += 1;
    const level = (levels.get(schema) ?? 0) + 1;
    if (level > MAX_SCHEMA_DEPTH) throw refExpansionError();
    for (const target of edges.get(schema) ?? []) {
      levels.set(target, Math.max(level, levels.get(target) ?? 0));
      const left = (incoming.get(target) ?? 0) - 1;
      incoming.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  if (peeled < edges.size) throw cyclicRef();
}

function collectEdges(root: Schema): ReadonlyMap<Schema, Schema[]> {
  const resolver = createRefResolver(root);
  const edges = new Map<Schema, Schema[]>();
  const pending = [{ schema: root, outer: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, outer } = next;
    if (edges.has(schema)) continue;
    const resource = resourceOf(schema, outer);
    const targets: Schema[] = [];
    edges.set(schema, targets);
    for (const sub of listSubschemas(schema)) {
      if (!isRecord(sub.schema)) continue;
      pending.push({ schema: sub.schema, outer: resource });
      if (SAME_VALUE.has(sub.path[0])) targets.push(sub.schema);
    }
    const ref = readRef(schema);
    const target = ref === undefined ? undefined : resolver.resolve(ref, resource);
    if (target === undefined || !isRecord(target.schema)) continue;
    pending.push({ schema: target.schema, outer: target.resource });
    targets.push(target.schema);
  }
  return edges;
}

function cyclicRef(): ToolInputError {
  return new ToolInputError(
    "A reference of the schema leads back to itself without a property or item between, so it says nothing.",
    { reason: "ref_cyclic" },
  );
}

function definitionName(ref: unknown): string | undefined {
  if (typeof ref !== "string" || ref === ROOT_REF || !ref.startsWith(PREFIX)) return undefined;
  return ref.slice(PREFIX.length);
}

function childrenOf(schema: Schema): Schema[] {
  return listSubschemas(schema)
    .map((sub) => sub.schema)
    .filter(isRecord);
}

function toRecord(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
