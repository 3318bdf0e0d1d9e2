// From the parameters of any tool to one well-formed, flat object schema of draft 2020-12 with plain
// references. Everything that is refused is refused here, whatever the target.

import { ToolInputError } from "../../errors.js";
import { admitNulls } from "../admit-null.js";
import { isRecord, isStringList } from "../json-value.js";
import { mapSchema, type Schema, withoutKeys } from "../keywords.js";
import { assertSchemaWithinLimits } from "../limits.js";
import { foldSchema, normalizeSchema } from "../normalize.js";
import { assertRefsResolve } from "../ref-resolver.js";
import { showReceived } from "../show-value.js";
import { assertWellFormedSchema } from "../well-formed.js";
import { flattenUnions } from "./flatten-unions.js";
import { tidyRefs } from "./local-refs.js";

const FORBIDDEN_NAME = "__proto__";

const WHOLE_VALUES: ReadonlySet<string> = new Set(["const", "enum"]);

const COMBINATORS = ["allOf", "anyOf", "oneOf", "$ref"] as const;

export interface ReadParameters {
  /** The tool's own schema as plain JSON; an empty one where the tool has none. */
  readonly source: Schema;
  readonly normal: Schema;
}

/** Throws a ToolInputError or a ToolError `limit` for a schema that cannot be used. */
export function readParameters(parameters: unknown): ReadParameters {
  if (!isRecord(parameters)) return { source: {}, normal: normalizeSchema(parameters) };
  assertSchemaWithinLimits(parameters);
  const source = toPlainJson(parameters);
  const usable = withoutForbiddenNames(source);
  assertNamedArguments(usable);
  // First as it came: what follows may drop a reference that leads nowhere.
  assertRefsResolve(usable);
  const tidy = tidyRefs(usable);
  const flat = COMBINATORS.some((keyword) => tidy[keyword] !== undefined)
    ? flattenUnions(tidy)
    : tidy;
  // A list of whole argument objects is refused by most APIs, and nobody means it.
  const normal = withoutKeys(foldSchema(flat), WHOLE_VALUES);
  assertWellFormedSchema(normal);
  assertRefsResolve(normal);
  return { source, normal: modernizeSchema(admitNulls(normal)) };
}

/** What would be sent, and what no later reading can change. */
function toPlainJson(parameters: Schema): Schema {
  const plain: unknown = JSON.parse(JSON.stringify(parameters) ?? "{}");
  assertSchemaWithinLimits(plain);
  return isRecord(plain) ? plain : {};
}

/** Arguments with this name are always refused, so no model should hear of it. */
function withoutForbiddenNames(schema: Schema): Schema {
  const text = JSON.stringify(schema);
  if (!text.includes(FORBIDDEN_NAME)) return schema;
  const usable: unknown = JSON.parse(text, (name, value: unknown) => {
    if (name === FORBIDDEN_NAME) return undefined;
    const isNameList = name === "required" && Array.isArray(value);
    return isNameList ? value.filter((required) => required !== FORBIDDEN_NAME) : value;
  });
  return isRecord(usable) ? usable : {};
}

/** A schema of texts or lists can be sent, but no call could ever fit it. */
function assertNamedArguments(schema: Schema): void {
  const { type, properties } = schema;
  const types = [type].flat().filter((name) => typeof name === "string");
  if (types.length === 0 || types.includes("object") || isRecord(properties)) return;
  throw new ToolInputError(
    `Parameters must be an object schema, because a call has named arguments; received type ${showReceived(types[0])}.`,
    { reason: "schema_not_object" },
  );
}

/** `schema` is well formed, so each keyword has a value it may have. */
function modernizeSchema(schema: Schema): Schema {
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
