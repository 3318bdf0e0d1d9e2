// Reads compiled schemas as the model APIs do, with ajv: an oracle that shares no code with ours.

import { Ajv2020 } from "ajv/dist/2020.js";
import type { SchemaTarget } from "../../src/core/schema/targets/target.js";

type Json = Record<string, unknown>;

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  allErrors: true,
  ownProperties: true,
});

interface Question {
  readonly schema: Json;
  readonly value: unknown;
  readonly target: SchemaTarget;
}

/** Undefined when the value fits, else what ajv says. */
export function findMisfit({ schema, value, target }: Question): string | undefined {
  const readable = target === "gemini" ? toJsonSchema(schema) : schema;
  return judge(readable, value);
}

/** ajv would keep every schema it has seen. */
function judge(schema: Json, value: unknown): string | undefined {
  const check = ajv.compile(schema);
  ajv.removeSchema(schema);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

/** Whether the schema is one at all, by the meta-schema of draft 2020-12. */
export function isValidSchema(schema: Json): boolean {
  return ajv.validateSchema(schema) === true;
}

/** OpenAPI's `nullable` in the words of JSON Schema. */
function toJsonSchema(schema: Json): Json {
  const { nullable, properties, items, anyOf, ...rest } = schema;
  const plain: Json = {
    ...rest,
    ...(isJson(properties) ? { properties: mapJson(properties) } : {}),
    ...(isJson(items) ? { items: toJsonSchema(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isJson).map(toJsonSchema) } : {}),
  };
  return nullable === true ? { anyOf: [plain, { type: "null" }] } : plain;
}

function mapJson(schemas: Json): Json {
  const entries = Object.entries(schemas).filter((entry): entry is [string, Json] =>
    isJson(entry[1]),
  );
  return Object.fromEntries(entries.map(([name, schema]) => [name, toJsonSchema(schema)]));
}

/** What a strict model sends for the same arguments: null for everything that is left out. */
export function fillWithNull(value: unknown, root: Json): unknown {
  return fill(value, { schema: root, root });
}

function fill(value: unknown, place: { schema: Json; root: Json }): unknown {
  const { schema, root } = place;
  const known = typeof schema.$ref === "string" ? follow(schema.$ref, root) : schema;
  if (Array.isArray(known.anyOf)) {
    const filled = known.anyOf
      .filter(isJson)
      .map((variant) => ({ variant, made: fill(value, { schema: variant, root }) }));
    const { $defs } = root;
    const fitting = filled.find(
      ({ variant, made }) => judge({ ...variant, $defs }, made) === undefined,
    );
    return fitting === undefined ? value : fitting.made;
  }
  if (Array.isArray(value)) {
    const { items } = known;
    return isJson(items) ? value.map((item) => fill(item, { schema: items, root })) : value;
  }
  if (!isJson(value) || !isJson(known.properties)) return value;
  const names = new Set([...Object.keys(known.properties), ...Object.keys(value)]);
  const { properties } = known;
  return Object.fromEntries(
    [...names].map((name) => {
      const property = properties[name];
      const own = Object.hasOwn(value, name) ? value[name] : null;
      return [name, isJson(property) ? fill(own, { schema: property, root }) : own];
    }),
  );
}

function follow(ref: string, root: Json): Json {
  if (ref === "#") return root;
  const target = isJson(root.$defs) ? root.$defs[ref.replace("#/$defs/", "")] : undefined;
  return isJson(target) ? target : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
