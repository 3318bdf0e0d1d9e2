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
    const { properties, required } = schema;
    const known = cache.get(schema);
    const isCurrent = known?.properties === properties && known?.required === required;
    const values = (isCurrent && known?.values) || new Map<string, Value>();
    const value = values.get(key) ?? make();
    cache.set(schema, { properties, required, values: values.set(key, value) });
    return value;
  };
}
