// Adds the other spellings of parameters to a schema, for models that were trained on them. A spelled
// parameter is then no longer required under its own name; preparing the call joins the two.

import { isRecord } from "../json-value.js";
import { mapSchema, type Schema } from "../keywords.js";
import { readRequired } from "../merge-variants.js";

export type Aliases = Readonly<Record<string, string>>;

/** Nested objects get the spellings too, because they are accepted there. */
export function publishAliases(schema: Schema, aliases: Aliases): Schema {
  const inner = mapSchema(schema, {
    schema: (child) => (isRecord(child) ? publishAliases(child, aliases) : child),
    value: (value) => value,
  });
  const { properties } = inner;
  if (!isRecord(properties)) return inner;
  const published = Object.entries(aliases).filter(
    ([alias, target]) => Object.hasOwn(properties, target) && !Object.hasOwn(properties, alias),
  );
  if (published.length === 0) return inner;
  const spelled = published.map(([alias, target]) => [alias, spell(properties[target], target)]);
  const targets = new Set(published.map(([, target]) => target));
  const { required: _required, ...rest } = inner;
  const required = readRequired(inner).filter((name) => !targets.has(name));
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(spelled) },
    ...(required.length === 0 ? {} : { required }),
  };
}

function spell(property: unknown, target: string): unknown {
  return isRecord(property) ? { ...property, description: `Same as ${target}.` } : property;
}
