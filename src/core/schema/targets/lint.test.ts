// Each rule of each target, with a schema that breaks nothing else.
import { describe, expect, it } from "vitest";
import { lintSchema } from "./lint.js";
import { SCHEMA_TARGETS, type SchemaTarget } from "./target.js";

type Json = Record<string, unknown>;

const root = (properties: Json, more: Json = {}): Json => ({ type: "object", properties, ...more });
const closed = (properties: Json, more: Json = {}): Json =>
  root(properties, { required: Object.keys(properties), additionalProperties: false, ...more });
const text = { type: "string" };

const FAULTS: [
  target: SchemaTarget,
  words: string,
  schema: unknown,
  pointer: string,
  rule: string,
][] = [
  ["mcp", "no type at the root", { properties: {} }, "/type", "root"],
  ["mcp", "an unknown type", root({ a: { type: "file" } }), "/properties/a/type", "value"],
  [
    "mcp",
    "a type twice",
    root({ a: { type: ["string", "string"] } }),
    "/properties/a/type",
    "value",
  ],
  [
    "mcp",
    "a list under items",
    root({ a: { type: "array", items: [text] } }),
    "/properties/a/items",
    "value",
  ],
  [
    "mcp",
    "a pattern that is none",
    root({ a: { pattern: "[\\w-.]" } }),
    "/properties/a/pattern",
    "value",
  ],
  [
    "mcp",
    "required names twice",
    root({ a: text }, { required: ["a", "a"] }),
    "/required",
    "value",
  ],
  [
    "mcp",
    "a reference to nothing",
    root({ a: { $ref: "#/$defs/x" } }),
    "/properties/a/$ref",
    "ref",
  ],
  [
    "mcp",
    "a reference to the web",
    root({ a: { $ref: "http://x/y" } }),
    "/properties/a/$ref",
    "ref",
  ],
  ["mcp", "a property that is text", root({ a: "string" }), "/properties/a", "schema"],
  [
    "mcp",
    "an exclusive bound of draft 4",
    root({ a: { exclusiveMinimum: true } }),
    "/properties/a/exclusiveMinimum",
    "value",
  ],
  ["anthropic", "a union at the root", root({}, { anyOf: [{}] }), "/anyOf", "root"],
  ["anthropic", "allOf at the root", root({}, { allOf: [{}] }), "/allOf", "root"],
  ["anthropic", "a bracket in a name", root({ "a[]": text }), "/properties", "name"],
  ["openai", "a union at the root", root({}, { oneOf: [{}] }), "/oneOf", "root"],
  ["openai", "an enum at the root", root({}, { enum: [{}] }), "/enum", "root"],
  ["openai", "not at the root", root({}, { not: {} }), "/not", "root"],
  ["openai", "no properties", { type: "object" }, "/", "root"],
  ["openai", "a list without items", root({ a: { type: "array" } }), "/properties/a", "items"],
  [
    "openai",
    "a list or text without items",
    root({ a: { type: ["array", "string"] } }),
    "/properties/a",
    "items",
  ],
  ["openai", "allOf inside", root({ a: { allOf: [text] } }), "/properties/a/allOf", "keyword"],
  [
    "openai",
    "a look ahead",
    root({ a: { pattern: "^(?=a)" } }),
    "/properties/a/pattern",
    "pattern",
  ],
  [
    "openai",
    "a look behind",
    root({ a: { pattern: "(?<!a)b" } }),
    "/properties/a/pattern",
    "pattern",
  ],
  ["openai", "a boolean for a property", root({ a: true }), "/", "schema"],
  [
    "openai-strict",
    "an open object",
    root({ a: text }, { required: ["a"] }),
    "/additionalProperties",
    "closed",
  ],
  [
    "openai-strict",
    "an optional property",
    closed({ a: text }, { required: [] }),
    "/required",
    "required",
  ],
  [
    "openai-strict",
    "an object without properties",
    closed({ a: { type: "object", additionalProperties: false } }),
    "/properties/a/properties",
    "properties",
  ],
  [
    "openai-strict",
    "a default",
    closed({ a: { ...text, default: "x" } }),
    "/properties/a/default",
    "keyword",
  ],
  [
    "openai-strict",
    "a length",
    closed({ a: { ...text, maxLength: 5 } }),
    "/properties/a/maxLength",
    "keyword",
  ],
  [
    "openai-strict",
    "oneOf",
    closed({ a: { type: "string", oneOf: [text] } }),
    "/properties/a/oneOf",
    "keyword",
  ],
  [
    "openai-strict",
    "propertyNames",
    closed({ a: closed({}, { propertyNames: text }) }),
    "/properties/a/propertyNames",
    "keyword",
  ],
  ["openai-strict", "no type", closed({ a: {} }), "/properties/a", "type"],
  [
    "openai-strict",
    "a format of its own",
    closed({ a: { ...text, format: "uri" } }),
    "/properties/a/format",
    "format",
  ],
  [
    "openai-strict",
    "words beside a reference",
    closed({ a: { $ref: "#", description: "x" } }),
    "/properties/a",
    "ref",
  ],
  [
    "openai-strict",
    "objects that begin alike",
    closed({ a: { anyOf: [closed({ k: text }), closed({ k: text, b: text })] } }),
    "/properties/a/anyOf",
    "union",
  ],
  [
    "openai-strict",
    "1,001 enum values",
    closed({ a: { ...text, enum: names(1_001) } }),
    "/",
    "size",
  ],
  [
    "openai-strict",
    "a long enum of long texts",
    closed({ a: { ...text, enum: names(251, 60) } }),
    "/properties/a/enum",
    "size",
  ],
  [
    "gemini",
    "additionalProperties",
    root({}, { additionalProperties: false }),
    "/additionalProperties",
    "field",
  ],
  ["gemini", "const", root({ a: { type: "string", const: "x" } }), "/properties/a/const", "field"],
  [
    "gemini",
    "propertyNames",
    root({ a: { type: "object", propertyNames: text } }),
    "/properties/a/propertyNames",
    "field",
  ],
  ["gemini", "no type", root({ a: {} }), "/properties/a", "type"],
  ["gemini", "a list of types", root({ a: { type: ["string", "null"] } }), "/properties/a", "type"],
  [
    "gemini",
    "numbers to choose from",
    root({ a: { type: "integer", enum: [1] } }),
    "/properties/a/enum",
    "type",
  ],
  [
    "gemini",
    "an empty text to choose",
    root({ a: { type: "string", enum: [""] } }),
    "/properties/a/enum",
    "enum",
  ],
  [
    "gemini",
    "properties of a text",
    root({ a: { type: "string", properties: {} } }),
    "/properties/a/properties",
    "type",
  ],
  [
    "gemini",
    "a list without items",
    root({ a: { type: "array" } }),
    "/properties/a/items",
    "items",
  ],
  [
    "gemini",
    "a format for texts",
    root({ a: { ...text, format: "uri" } }),
    "/properties/a/format",
    "format",
  ],
  [
    "gemini",
    "words beside a union",
    root({ a: { anyOf: [text], description: "x" } }),
    "/properties/a/anyOf",
    "union",
  ],
  [
    "gemini",
    "a required name that is none",
    root({ a: text }, { required: ["b"] }),
    "/required",
    "required",
  ],
  ["gemini", "a dash in a name", root({ "a-b": text }), "/properties", "name"],
  [
    "generic",
    "a pattern",
    root({ a: { ...text, pattern: "a" } }),
    "/properties/a/pattern",
    "keyword",
  ],
  [
    "generic",
    "a type beside a union",
    root({ a: { type: "string", anyOf: [text] } }),
    "/properties/a",
    "type",
  ],
  [
    "generic",
    "a list of types",
    root({ a: { type: ["string", "null"] } }),
    "/properties/a/type",
    "type",
  ],
  [
    "generic",
    "a required name that is none",
    root({ a: text }, { required: ["b"] }),
    "/required",
    "required",
  ],
];

function names(count: number, length = 1): string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));
}

describe("lintSchema", () => {
  it.each(FAULTS)("%s refuses %s", (target, _words, schema, pointer, rule) => {
    const faults = lintSchema(schema, target);
    expect(faults).toContainEqual({ pointer, rule, message: expect.any(String) });
    const elsewhere = faults.filter((fault) => fault.pointer !== pointer);
    expect(elsewhere.filter((fault) => fault.rule !== rule)).toEqual([]);
  });

  it.each(SCHEMA_TARGETS)("%s takes a plain schema", (target) => {
    const schema = closed({ a: { ...text, description: "Text." } });
    const { additionalProperties: _closed, ...open } = schema;
    const isTyped = target === "gemini" || target === "generic";
    expect(lintSchema(isTyped ? open : schema, target)).toEqual([]);
  });

  it("takes strict variants that differ in the value of their first key", () => {
    const variant = (kind: string) => closed({ kind: { ...text, enum: [kind] }, value: text });
    const schema = closed({ a: { anyOf: [variant("x"), variant("y")] } });
    expect(lintSchema(schema, "openai-strict")).toEqual([]);
  });

  it("counts objects inside each other for strict functions", () => {
    const nest = (levels: number): Json => {
      let schema: Json = closed({});
      for (let level = 1; level < levels; level += 1) schema = closed({ a: schema });
      return schema;
    };
    expect(lintSchema(nest(10), "openai-strict")).toEqual([]);
    expect(lintSchema(nest(11), "openai-strict")).toMatchObject([{ rule: "size" }]);
  });

  it("does not take an escaped bracket for a look around", () => {
    const schema = root({ a: { ...text, pattern: "\\(\\?=a\\)" } });
    expect(lintSchema(schema, "openai")).toEqual([]);
  });

  it.each([null, 5, "x", [], true])("calls %j no schema", (value) => {
    expect(lintSchema(value, "mcp")).toEqual([
      { pointer: "/", rule: "schema", message: "is not a schema" },
    ]);
  });

  it("stops at a schema that has no end", () => {
    const circle: Json = { type: "object", properties: {} };
    circle.properties = { a: circle };
    expect(lintSchema(circle, "mcp").map(({ rule }) => rule)).toEqual(["size"]);
  });
});
