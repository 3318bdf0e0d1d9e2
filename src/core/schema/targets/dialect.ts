// What is sent to readers of JSON Schema: which keywords, and how far combinators, tuples and
// patterns are simplified. The linter has its own tables; these are the compiler's choice.

/** Formats that JSON Schema names; a validator may refuse others. */
const STANDARD_FORMATS: ReadonlySet<string> = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "idn-email",
  "idn-hostname",
  "ipv4",
  "ipv6",
  "iri",
  "iri-reference",
  "json-pointer",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
]);

const ANNOTATIONS = ["title", "description", "default", "examples"] as const;
const VALUES = ["type", "enum", "const"] as const;
const TEXTS = ["minLength", "maxLength", "pattern", "format"] as const;
const NUMBERS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
] as const;
const LISTS = ["items", "minItems", "maxItems", "uniqueItems"] as const;
const OBJECTS = [
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
] as const;
const REFERENCES = ["$ref", "$defs"] as const;
const CONDITIONS = [
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "prefixItems",
  "contains",
  "minContains",
  "maxContains",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

const PLAIN_KEYWORDS = [
  ...VALUES,
  ...ANNOTATIONS,
  ...TEXTS,
  ...NUMBERS,
  ...LISTS,
  ...OBJECTS,
  ...REFERENCES,
];

export interface Dialect {
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** `plain`: `allOf` is joined, `oneOf` is said as `anyOf`, a tuple has one schema for all items. */
  readonly combinators: "all" | "plain";
  /** `portable`: no looking around and no back references, which linear engines lack. */
  readonly patterns: "unicode" | "portable";
}

/** MCP clients read draft 2020-12. */
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
