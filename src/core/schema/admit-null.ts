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
  const joined = isWidened(schema) ? toAnyOf(inner) : inner;
  if (joined.nullable !== true) return joined;
  const { nullable: _nullable, ...rest } = joined;
  return { ...rest, ...typeWithNull(rest), ...valuesWithNull(rest), ...variantsWithNull(rest) };
}

function isWidened({ oneOf, nullable }: Schema): boolean {
  if (!Array.isArray(oneOf)) return false;
  return nullable === true || oneOf.some((part) => isRecord(part) && hasNullable(part));
}

/** With null among them two variants may fit where one did, which `oneOf` would refuse. */
function toAnyOf({ oneOf, ...rest }: Schema): Schema {
  if (rest.anyOf === undefined) return { ...rest, anyOf: oneOf };
  const others = Array.isArray(rest.allOf) ? rest.allOf : [];
  return { ...rest, allOf: [...others, { anyOf: oneOf }] };
}

function typeWithNull({ type }: Schema): Schema {
  if (type === undefined) return {};
  const types = [type].flat();
  return types.includes("null") ? {} : { type: [...types, "null"] };
}

function valuesWithNull({ enum: values }: Schema): Schema {
  return Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
}

function variantsWithNull({ anyOf }: Schema): Schema {
  if (!Array.isArray(anyOf)) return {};
  const hasNull = anyOf.some((part) => isRecord(part) && [part.type].flat().includes("null"));
  return hasNull ? {} : { anyOf: [...anyOf, { type: "null" }] };
}
