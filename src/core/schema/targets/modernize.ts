// Older drafts of JSON Schema in the words of draft 2020-12, which is what today's readers take.

import { isRecord, isStringList } from "../json-value.js";
import { mapSchema, type Schema } from "../keywords.js";

/** `schema` is well formed, so each keyword has a value it may have. */
export function modernizeSchema(schema: Schema): Schema {
  const inner = mapSchema(schema, {
    schema: (child) => (isRecord(child) ? modernizeSchema(child) : child),
    value: (value) => value,
  });
  return withTuple(withDependents(withoutRepeats(inner)));
}

/** A list under `items` was what `prefixItems` is today, and `additionalItems` what `items` is. */
function withTuple(schema: Schema): Schema {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items };
  return {
    ...rest,
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function withDependents(schema: Schema): Schema {
  const { dependencies, ...rest } = schema;
  if (!isRecord(dependencies)) return schema;
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => isStringList(value));
  const schemas = entries.filter(([, value]) => !isStringList(value));
  return {
    ...rest,
    ...(required.length === 0 ? {} : { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length === 0 ? {} : { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** Names and types may stand in a list only once. */
function withoutRepeats(schema: Schema): Schema {
  const { required, type } = schema;
  return {
    ...schema,
    ...(isStringList(required) ? { required: [...new Set(required)] } : {}),
    ...(isStringList(type) ? { type: type.length === 1 ? type[0] : [...new Set(type)] } : {}),
  };
}
