// `nullable: true` of OpenAPI in the words of JSON Schema: null is one of the types, or of the values.

import { isRecord } from "./json-value.js";
import { listSubschemas, mapSchema, type Schema } from "./keywords.js";

/** The same object when nothing in it is nullable. Arguments are an object, so the root never is. */
export function admitNulls(schema: Schema): Schema {
  if (!hasNullable(schema)) return schema;
  const { nullable: _nullable, ...root } = schema;
  return rewrite(root);
}

function hasNullable(schema: Schema): boolean {
  if (schema.nullable === true) return true;
  return listSubschemas(schema).some((sub) => isRecord(sub.schema) && hasNullable(sub.schema));
}

function rewrite(schema: Schema): Schema {
  const inner = mapSchema(schema, {
    schema: (child) => (isRecord(child) ? rewrite(child) : child),
    value: (value) => value,
  });
  if (inner.nullable !== true) return inner;
  const { nullable: _nullable, ...rest } = inner;
  return { ...rest, ...typeWithNull(rest), ...valuesWithNull(rest), ...variantsWithNull(rest) };
}

function typeWithNull({ type }: Schema): Schema {
  if (type === undefined) return {};
  const types = [type].flat();
  return types.includes("null") ? {} : { type: [...types, "null"] };
}

function valuesWithNull({ enum: values }: Schema): Schema {
  return Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
}

function variantsWithNull(schema: Schema): Schema {
  const keyword = ["anyOf", "oneOf"].find((name) => Array.isArray(schema[name]));
  const variants = keyword === undefined ? undefined : schema[keyword];
  if (keyword === undefined || !Array.isArray(variants)) return {};
  const hasNull = variants.some((part) => isRecord(part) && [part.type].flat().includes("null"));
  return hasNull ? {} : { [keyword]: [...variants, { type: "null" }] };
}
