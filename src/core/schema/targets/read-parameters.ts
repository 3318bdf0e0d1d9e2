// Turns any tool's parameters into one flat object schema of draft 2020-12, or refuses them.

import { ToolInputError } from "../../errors.js";
import { isRecord, isStringList, showReceived, toRecord } from "../json-value.js";
import {
  assertWellFormedSchema,
  mapSubschemas,
  readTypes,
  type Schema,
  withoutKeys,
} from "../keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH } from "../limits.js";
import {
  admitNulls,
  foldSchema,
  joinAllOf,
  mergeAlternatives,
  normalizeSchema,
  withDefinitions,
} from "../normalize.js";
import { assertRefsResolve, createRefFollower, withoutNaming } from "../refs.js";
import { tidyRefs } from "./local-refs.js";

const GROUPS = ["anyOf", "oneOf"] as const;
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
  // A list of whole argument objects is refused by most APIs, and no one means it.
  const normal = withoutKeys(foldSchema(flat), WHOLE_VALUES);
  assertWellFormedSchema(normal);
  assertRefsResolve(normal);
  return { source, normal: modernizeSchema(admitNulls(normal)) };
}

function toPlainJson(parameters: Schema): Schema {
  const plain: unknown = JSON.parse(JSON.stringify(parameters) ?? "{}");
  assertSchemaWithinLimits(plain);
  return isRecord(plain) ? plain : {};
}

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

function assertNamedArguments(schema: Schema): void {
  const types = readTypes(schema);
  if (types.length === 0 || types.includes("object") || isRecord(schema.properties)) return;
  throw new ToolInputError(
    `Parameters must be an object schema, because a call has named arguments; received type ${showReceived(types[0])}.`,
    { reason: "schema_not_object" },
  );
}

function modernizeSchema(schema: Schema): Schema {
  const inner = mapSubschemas(schema, modernizeSchema);
  return withTuple(withDependents(withoutRepeats(inner)));
}

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

function withoutRepeats(schema: Schema): Schema {
  const { required, type } = schema;
  return {
    ...schema,
    ...(isStringList(required) ? { required: [...new Set(required)] } : {}),
    ...(isStringList(type) ? { type: type.length === 1 ? type[0] : [...new Set(type)] } : {}),
  };
}

export function flattenUnions(root: Schema): Schema {
  const follow = createRefFollower(root);
  return withDefinitions(withoutNaming(flatten(root, 0)), root);

  function flatten(schema: unknown, depth: number): Schema {
    // A variant that holds itself adds nothing that its outer self has not said.
    if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return {};
    const joined = joinAllOf(follow(schema), (part) => flatten(part, depth + 1));
    const groups = GROUPS.filter((keyword) => Array.isArray(joined[keyword])).map((keyword) => [
      keyword,
      widen(
        joined,
        [joined[keyword]].flat().map((variant) => flatten(variant, depth + 1)),
      ),
    ]);
    const whole = { ...joined, ...Object.fromEntries(groups) };
    const merged = mergeAlternatives(whole, { fold: toRecord, follow });
    // Next to properties, variants refine them; alone, they say which names there are.
    const isSaid = joined.properties !== undefined || merged.additionalProperties !== undefined;
    const isFree = groups.some(([, variants]) => [variants].flat().some(takesOtherNames));
    return isFree && !isSaid ? { ...merged, additionalProperties: true } : merged;
  }
}

function takesOtherNames(variant: unknown): boolean {
  const { type, properties, additionalProperties, patternProperties } = toRecord(variant);
  if (patternProperties !== undefined) return true;
  if (additionalProperties !== undefined) return additionalProperties !== false;
  return properties === undefined && (type === undefined || type === "object");
}

function widen(own: Schema, variants: readonly Schema[]): Schema[] {
  const spoken = new Set(Object.keys(toRecord(own.properties)));
  const said = collectProperties(variants);
  return variants.map((variant) => {
    const entries = Object.entries(toRecord(variant.properties)).map(([name, property]) => {
      if (spoken.has(name)) return [name, property];
      spoken.add(name);
      return [name, eitherOf(said.get(name) ?? [property])];
    });
    if (entries.length === 0) return variant;
    return { ...variant, properties: Object.fromEntries(entries) };
  });
}

function collectProperties(variants: readonly Schema[]): ReadonlyMap<string, unknown[]> {
  const said = new Map<string, unknown[]>();
  for (const { properties } of variants) {
    for (const [name, property] of Object.entries(toRecord(properties))) {
      const known = said.get(name);
      if (known) known.push(property);
      else said.set(name, [property]);
    }
  }
  return said;
}

function eitherOf(schemas: readonly unknown[]): unknown {
  const different = [
    ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
  ];
  return different.length === 1 ? different[0] : { anyOf: different };
}

/** Throws as publishing does for a schema that cannot be fixed. */
export function readCallSchema(parameters: unknown): Schema {
  assertSchemaWithinLimits(parameters);
  if (isRecord(parameters) && admitsObjects(parameters) && isWellFormed(parameters)) {
    return admitNulls(parameters);
  }
  return readParameters(parameters).normal;
}

function admitsObjects({ type, enum: values, const: value }: Schema): boolean {
  if (values !== undefined || value !== undefined) return false;
  return type === undefined || [type].flat().includes("object");
}

function isWellFormed(schema: Schema): boolean {
  try {
    assertWellFormedSchema(schema);
    return true;
  } catch {
    return false;
  }
}
