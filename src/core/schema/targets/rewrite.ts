// Rewrites a schema into a dialect. What a dialect lacks is loosened, never tightened.

import { wordSet } from "../../../lib/word-set.js";
import { isRecord, withoutSameJson } from "../json-value.js";
import { listSchemas, mapSchema, mapSubschemas, type Schema, withoutKeys } from "../keywords.js";
import { joinAllOf } from "../normalize.js";
import { parsePattern } from "../pattern.js";
import { createRefFollower } from "../refs.js";

const STANDARD_FORMATS = wordSet(
  "date date-time duration email hostname idn-email idn-hostname ipv4 ipv6 iri " +
    "iri-reference json-pointer regex relative-json-pointer time uri uri-reference " +
    "uri-template uuid",
);

const CONDITIONS = (
  "allOf anyOf oneOf not if then else prefixItems contains minContains maxContains " +
  "propertyNames dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties"
).split(" ");

const PLAIN_KEYWORDS = (
  "type enum const title description default examples minLength maxLength pattern format " +
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf items minItems maxItems " +
  "uniqueItems properties required additionalProperties minProperties maxProperties $ref $defs"
).split(" ");

export const MCP_DIALECT: Dialect = {
  keywords: new Set([...PLAIN_KEYWORDS, ...CONDITIONS, "patternProperties"]),
  formats: STANDARD_FORMATS,
  combinators: "all",
  patterns: "unicode",
};

/** Draft 2020-12 too, but some `patternProperties` are called invalid. */
export const ANTHROPIC_DIALECT: Dialect = {
  ...MCP_DIALECT,
  keywords: new Set([...PLAIN_KEYWORDS, ...CONDITIONS]),
};

export const OPENAI_DIALECT: Dialect = {
  keywords: new Set([...PLAIN_KEYWORDS, "anyOf"]),
  formats: STANDARD_FORMATS,
  combinators: "plain",
  patterns: "portable",
};

export interface Dialect {
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** `plain`: `allOf` is joined, `oneOf` is said as `anyOf`, a tuple has one schema for all items. */
  readonly combinators: "all" | "plain";
  /** `portable`: no looking around and no back references, which linear engines lack. */
  readonly patterns: "unicode" | "portable";
}

const LOOK_AROUND_OR_BACK = /\(\?<?[=!]|\\[1-9]|\\k</;
const ANY_NAME: ReadonlySet<string> = new Set(["", ".*", "^.*$", "^(.*)$"]);
const PATTERN_PROPERTIES: ReadonlySet<string> = new Set(["patternProperties"]);
const ADDITIONAL_PROPERTIES: ReadonlySet<string> = new Set(["additionalProperties"]);

const REVERSING_KEYWORDS = wordSet(
  "not if then else maxContains unevaluatedItems unevaluatedProperties",
);

export function rewriteSchema(root: Schema, dialect: Dialect): Schema {
  const followRef = createRefFollower(root);
  const isLoosened = losesConditions(root, dialect);
  return rewrite(root);

  function rewrite(schema: Schema): Schema {
    const simple = dialect.combinators === "plain" ? toPlain(schema) : schema;
    const mapped = hasKeptPatterns(simple, dialect) ? simple : withoutPatterns(simple);
    const kept = Object.entries(isLoosened ? toPositive(mapped) : mapped).filter(
      ([keyword, value]) => isKept(keyword, value),
    );
    return withItems(mapSubschemas(Object.fromEntries(kept), rewrite));
  }

  function isKept(keyword: string, value: unknown): boolean {
    if (!dialect.keywords.has(keyword)) return false;
    if (keyword === "pattern") return isKeptPattern(value, dialect);
    return keyword !== "format" || dialect.formats.has(String(value));
  }

  function toPlain(schema: Schema): Schema {
    const joined = joinAllOf(schema, followRef);
    return withoutBooleans(withoutTuple(withAnyOf(joined)));
  }

  function withItems(schema: Schema): Schema {
    const lacksItems = [schema.type].flat().includes("array") && schema.items === undefined;
    return lacksItems && dialect.combinators === "plain" ? { ...schema, items: {} } : schema;
  }
}

function toPositive(schema: Schema): Schema {
  return withoutKeys(withAnyOf(schema), REVERSING_KEYWORDS);
}

function withAnyOf(schema: Schema): Schema {
  const { oneOf, ...rest } = schema;
  return oneOf === undefined || rest.anyOf !== undefined ? rest : { ...rest, anyOf: oneOf };
}

function withoutTuple(schema: Schema): Schema {
  const { prefixItems, ...rest } = schema;
  if (!Array.isArray(prefixItems)) return schema;
  const { items } = rest;
  if (items === undefined || items === true) return { ...rest, items: {} };
  const places = withoutSameJson(items === false ? prefixItems : [...prefixItems, items]);
  return { ...rest, items: places.length === 1 ? places[0] : { anyOf: places } };
}

/** Except for `additionalProperties`, where a boolean is understood. */
function withoutBooleans({ additionalProperties, ...rest }: Schema): Schema {
  const opened = mapSchema(rest, {
    schema: (child) => (typeof child === "boolean" ? {} : child),
    value: (value) => value,
  });
  return additionalProperties === undefined ? opened : { ...opened, additionalProperties };
}

function withoutPatterns(schema: Schema): Schema {
  const { patternProperties, additionalProperties } = schema;
  if (!isRecord(patternProperties)) return schema;
  const rest = withoutKeys(schema, PATTERN_PROPERTIES);
  const schemas = withoutSameJson(Object.values(patternProperties));
  if (schemas.length === 0) return rest;
  const either = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  const isForAll = Object.keys(patternProperties).some((pattern) => ANY_NAME.has(pattern));
  if (additionalProperties === false || (isForAll && schemas.length === 1)) {
    return { ...rest, additionalProperties: either };
  }
  return withoutKeys(rest, ADDITIONAL_PROPERTIES);
}

function isKeptPattern(pattern: unknown, dialect: Dialect): boolean {
  const source = String(pattern);
  if (parsePattern(source)?.unicode !== true) return false;
  return dialect.patterns === "unicode" || !LOOK_AROUND_OR_BACK.test(source);
}

function hasKeptPatterns({ patternProperties }: Schema, dialect: Dialect): boolean {
  if (!isRecord(patternProperties)) return true;
  if (!dialect.keywords.has("patternProperties")) return false;
  return Object.keys(patternProperties).every((pattern) => isKeptPattern(pattern, dialect));
}

function losesConditions(root: Schema, dialect: Dialect): boolean {
  return listSchemas(root).some((schema) => {
    const { pattern } = schema;
    const isLost = pattern !== undefined && !isKeptPattern(pattern, dialect);
    return isLost || !hasKeptPatterns(schema, dialect);
  });
}
