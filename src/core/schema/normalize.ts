// Makes the one shape every model API takes for parameters: an object schema with properties.

import { copyJson, isRecord, isStringList } from "./json-value.js";
import { listSubschemas, type Schema, withoutKeys } from "./keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from "./limits.js";
import { joinAllOf, mergeAlternatives } from "./merge-variants.js";
import { createRefResolver, readRef } from "./ref-resolver.js";
import { inlineLocalRefs, joinRefSiblings, refExpansionError, withoutNaming } from "./refs.js";

/** They say nothing of an object. */
const OTHER_TYPE_KEYWORDS: ReadonlySet<string> = new Set([
  "const",
  "contains",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "multipleOf",
  "pattern",
  "prefixItems",
  "uniqueItems",
]);
const COMBINATORS = ["allOf", "anyOf", "oneOf"] as const;
const KEPT_REF = /^#\/(?:\$defs|definitions)\//;

/**
 * Always `{ type: "object", properties: {…}, … }` in plain JSON; the input is not changed. What is
 * no object becomes a schema without properties, and a `required` that is not a list of names goes.
 * Combinators at the root are merged, a reference at the root is followed. Throws a ToolError when
 * the schema is too large or cannot be read, or when a reference cannot be followed.
 */
export function normalizeSchema(schema: unknown): Record<string, unknown> {
  const { required, ...others } = foldSchema(schema);
  const copy = copyJson(isStringList(required) ? { ...others, required } : others);
  return isRecord(copy) ? copy : others;
}

/** The same without the last step: a fault of the schema is still in it, and can be named. */
export function foldSchema(schema: unknown): Schema {
  assertSchemaWithinLimits(schema);
  if (!isRecord(schema)) return { type: "object", properties: {} };
  const root = rootWillChange(schema) && hasOtherRefs(schema) ? inlineLocalRefs(schema) : schema;
  return toObjectSchema(foldRoot(root));
}

function toObjectSchema(schema: Schema): Schema {
  const kept = isOfObjects(schema) ? schema : withoutKeys(schema, OTHER_TYPE_KEYWORDS);
  return {
    ...kept,
    type: "object",
    properties: isRecord(schema.properties) ? schema.properties : {},
  };
}

function isOfObjects(schema: Schema): boolean {
  if (schema.type !== undefined) return [schema.type].flat().includes("object");
  return schema.enum === undefined && schema.const === undefined;
}

function rootWillChange(schema: Schema): boolean {
  return (
    readRef(schema) !== undefined || COMBINATORS.some((keyword) => schema[keyword] !== undefined)
  );
}

/** References that a change of the root could break; those into the definitions stay good. */
function hasOtherRefs(schema: Schema): boolean {
  const ref = readRef(schema);
  if (ref !== undefined && !KEPT_REF.test(ref)) return true;
  return listSubschemas(schema).some((sub) => isRecord(sub.schema) && hasOtherRefs(sub.schema));
}

function foldRoot(root: Schema): Schema {
  const resolver = createRefResolver(root);
  const budget = { remaining: MAX_SCHEMA_NODES };

  function followRef(schema: Schema, hops: number): Schema {
    budget.remaining -= 1;
    if (budget.remaining < 0) throw refExpansionError();
    const ref = readRef(schema);
    if (ref === undefined) return schema;
    // More hops than levels: the references of this chain lead back to each other.
    if (hops > MAX_SCHEMA_DEPTH) return {};
    const target = resolver.resolve(ref, root).schema;
    const followed = isRecord(target) ? followRef(target, hops + 1) : target;
    return joinRefSiblings(followed, withoutNaming(schema));
  }

  function fold(schema: unknown, depth: number): Schema {
    // A variant that holds itself adds nothing that its outer self has not said.
    if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return {};
    const reader = {
      fold: (part: unknown) => fold(part, depth + 1),
      follow: (property: unknown) => (isRecord(property) ? followRef(property, 0) : {}),
    };
    return mergeAlternatives(joinAllOf(followRef(schema, 0), reader.fold), reader);
  }

  const { $defs, definitions } = root;
  return {
    ...fold(root, 0),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}
