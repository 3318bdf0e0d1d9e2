// Replaces every local reference of a schema by what it points to, within a budget.

import { isToolError, ToolError } from "../errors.js";
import { copyJson, isSameJson } from "./json-value.js";
import { mapSchema, type Schema, withoutKeys } from "./keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from "./limits.js";
import {
  createRefResolver,
  type RefResolver,
  type RefTarget,
  readRef,
  resourceOf,
} from "./ref-resolver.js";

/** Of no use once nothing refers to them; two copies of one `$id` would even be wrong. */
const NAMING_KEYWORDS: ReadonlySet<string> = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "$defs",
  "definitions",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
]);

/** Next to a reference these speak of this use of the target, so they win over the target's own. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

export interface InlineOptions {
  /** What to do with a reference that leads nowhere or outside; "open" drops it. */
  readonly unresolved?: "refuse" | "open";
}

interface Expansion {
  readonly resolver: RefResolver;
  readonly unresolved: "refuse" | "open";
  /** JSON values that may still be made. */
  remaining: number;
}

interface Position {
  readonly resource: Schema;
  /** Targets being inlined around this place; meeting one again is a cycle. */
  readonly open: readonly unknown[];
  readonly depth: number;
}

/**
 * A copy without references. Where a schema would hold itself the copy has an open schema that
 * keeps the description. Throws a ToolError `ref_expansion` beyond 10,000 values, a ToolInputError
 * for a reference that leads nowhere or outside.
 */
export function inlineLocalRefs(schema: Schema, options: InlineOptions = {}): Schema {
  assertSchemaWithinLimits(schema);
  const expansion = {
    resolver: createRefResolver(schema),
    unresolved: options.unresolved ?? "refuse",
    remaining: MAX_SCHEMA_NODES,
  };
  const inlined = inline(schema, expansion, { resource: schema, open: [schema], depth: 1 });
  return toSchemaObject(inlined);
}

/** Both hold: the target of a reference and the keywords next to it. */
export function joinRefSiblings(target: Schema | boolean, siblings: Schema): Schema {
  const schema = toSchemaObject(target);
  const clashes = Object.keys(siblings).some(
    (keyword) =>
      !ANNOTATIONS.has(keyword) &&
      Object.hasOwn(schema, keyword) &&
      !isSameJson(schema[keyword], siblings[keyword]),
  );
  if (!clashes) return { ...schema, ...siblings };
  const parts = Array.isArray(siblings.allOf) ? siblings.allOf : [];
  return { ...siblings, allOf: [schema, ...parts] };
}

export function withoutNaming(schema: Schema): Schema {
  return withoutKeys(schema, NAMING_KEYWORDS);
}

export function refExpansionError(): ToolError {
  return new ToolError(
    "limit",
    `The references of the schema unfold to more than ${MAX_SCHEMA_NODES} values or ${MAX_SCHEMA_DEPTH} levels; make it smaller.`,
    { reason: "ref_expansion" },
  );
}

function inline(
  schema: Schema | boolean,
  expansion: Expansion,
  position: Position,
): Schema | boolean {
  spend(expansion);
  if (typeof schema === "boolean") return schema;
  if (position.depth > MAX_SCHEMA_DEPTH) throw refExpansionError();
  const resource = resourceOf(schema, position.resource);
  const inner = { ...position, resource, depth: position.depth + 1 };
  const own = mapSchema(withoutNaming(schema), {
    schema: (child) => inline(child, expansion, inner),
    value: (value) => copyJson(value, () => spend(expansion)),
  });
  const target = findTarget(schema, expansion, resource);
  if (target === undefined) return own;
  if (position.open.includes(target.schema)) return { ...descriptionOf(target.schema), ...own };
  const inlined = inline(target.schema, expansion, {
    resource: target.resource,
    open: [...position.open, target.schema],
    depth: position.depth + 1,
  });
  return joinRefSiblings(inlined, own);
}

function findTarget(schema: Schema, expansion: Expansion, resource: Schema): RefTarget | undefined {
  try {
    const ref = readRef(schema);
    return ref === undefined ? undefined : expansion.resolver.resolve(ref, resource);
  } catch (error) {
    if (expansion.unresolved === "open" && isToolError(error)) return undefined;
    throw error;
  }
}

function spend(expansion: Expansion): void {
  expansion.remaining -= 1;
  if (expansion.remaining < 0) throw refExpansionError();
}

function descriptionOf(schema: Schema | boolean): Schema {
  if (typeof schema === "boolean" || typeof schema.description !== "string") return {};
  return { description: schema.description };
}

function toSchemaObject(schema: Schema | boolean): Schema {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : { not: {} };
}
