// What is made from the schema of a tool, kept until its `properties` or `required` are replaced.

import { isRecord } from "./json-value.js";

interface Kept<Value> {
  readonly properties: unknown;
  readonly required: unknown;
  readonly values: Map<string, Value>;
}

interface Wanted<Value> {
  readonly schema: unknown;
  /** Tells apart what is made from one schema. */
  readonly key: string;
  readonly make: () => Value;
}

/** What `make` throws is thrown on, and tried again at the next call. */
export function createSchemaCache<Value>(): (wanted: Wanted<Value>) => Value {
  const cache = new WeakMap<object, Kept<Value>>();
  return ({ schema, key, make }) => {
    if (!isRecord(schema)) return make();
    const known = cache.get(schema);
    const isCurrent =
      known !== undefined &&
      known.properties === schema.properties &&
      known.required === schema.required;
    const values = isCurrent ? known.values : new Map<string, Value>();
    // A schema that cannot be read is refused by `make`, so nothing is read before it.
    const value = values.get(key) ?? make();
    const { properties, required } = schema;
    cache.set(schema, { properties, required, values: values.set(key, value) });
    return value;
  };
}
