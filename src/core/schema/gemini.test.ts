// Schemas for Gemini: what goes, what stays, what is turned into something it knows.
import { describe, expect, it } from "vitest";
import { cleanSchemaForGemini } from "./gemini.js";

const TEXT = { type: "string" };

/** The keywords the documents name, and some that Gemini refuses as well. */
const REMOVED = {
  patternProperties: { "^a": TEXT },
  additionalProperties: false,
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "x",
  $defs: {},
  definitions: {},
  examples: ["a"],
  minLength: 1,
  maxLength: 2,
  minimum: 1,
  maximum: 2,
  multipleOf: 1,
  pattern: "a",
  format: "uri",
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  minProperties: 1,
  maxProperties: 2,
  not: TEXT,
  exclusiveMinimum: 1,
  propertyNames: TEXT,
  unevaluatedProperties: false,
  "x-vendor": 1,
};

describe("cleanSchemaForGemini", () => {
  it("removes keywords at every level", () => {
    const dirty = (inner: object) => ({ ...inner, ...REMOVED });
    const schema = dirty({
      type: "object",
      properties: {
        list: dirty({
          type: "array",
          items: dirty({ type: "object", properties: { a: dirty(TEXT) } }),
        }),
        either: { anyOf: [dirty(TEXT), dirty({ type: "number" })] },
      },
    });
    expect(cleanSchemaForGemini(schema)).toEqual({
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { a: TEXT } } },
        either: { anyOf: [TEXT, { type: "number" }] },
      },
    });
  });

  it("keeps every property, whatever it is called", () => {
    const names = [...Object.keys(REMOVED), "$ref", "default", "type", "enum", "required", "const"];
    const properties = Object.fromEntries(names.map((name) => [name, { ...TEXT, minLength: 1 }]));
    const cleaned = cleanSchemaForGemini({ type: "object", properties, required: names });
    expect(Object.keys(cleaned.properties ?? {})).toEqual(names);
    expect(cleaned.required).toEqual(names);
    expect(
      new Set(Object.values(cleaned.properties ?? {}).map((value) => JSON.stringify(value))),
    ).toEqual(new Set([JSON.stringify(TEXT)]));
  });

  it("keeps a property called __proto__ a mere property", () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const { properties } = cleanSchemaForGemini(schema);
    expect(Object.keys(properties ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });

  it("never touches values of enum, const and default", () => {
    const value = { pattern: "a", $ref: "#/x", nested: [{ format: "b" }] };
    expect(
      cleanSchemaForGemini({
        properties: { a: { enum: [value], default: value }, b: { const: value } },
      }),
    ).toEqual({ properties: { a: { enum: [value], default: value }, b: { enum: [value] } } });
  });

  it.each<[name: string, schema: object, expected: object]>([
    ["const", { const: "a" }, { type: "string", enum: ["a"] }],
    ["a number const", { type: "integer", const: 1 }, { type: "integer", enum: [1] }],
    ["a list of one type and null", { type: ["string", "null"] }, { ...TEXT, nullable: true }],
    ["a list of one type", { type: ["string"] }, TEXT],
    [
      "a list of types",
      { type: ["string", "array", "null"], items: { type: "number" }, description: "d" },
      {
        description: "d",
        anyOf: [TEXT, { type: "array", items: { type: "number" } }],
        nullable: true,
      },
    ],
    [
      "null among the values",
      { type: "string", enum: ["a", null, "a"] },
      { type: "string", enum: ["a"], nullable: true },
    ],
    [
      "a null variant",
      { anyOf: [{ ...TEXT, minLength: 1 }, { type: "null" }], description: "d" },
      { ...TEXT, description: "d", nullable: true },
    ],
    [
      "a union of values",
      { anyOf: [{ const: "a" }, { const: "b" }], title: "T" },
      { type: "string", enum: ["a", "b"], title: "T" },
    ],
    [
      "a union of values with null",
      { oneOf: [{ const: 1 }, { enum: [2, 3] }, { type: "null" }] },
      { type: "integer", enum: [1, 2, 3], nullable: true },
    ],
    ["a union of one", { oneOf: [TEXT] }, TEXT],
    ["oneOf", { oneOf: [TEXT, { type: "number" }] }, { anyOf: [TEXT, { type: "number" }] }],
    [
      "variants that differ only in what is removed",
      { type: "string", anyOf: [{ format: "uri" }, { pattern: "^/" }] },
      TEXT,
    ],
    [
      "type beside a union",
      { type: "string", anyOf: [{ enum: ["a"] }, { description: "or else" }] },
      {
        anyOf: [
          { type: "string", enum: ["a"] },
          { ...TEXT, description: "or else" },
        ],
      },
    ],
    [
      "allOf",
      {
        allOf: [
          { type: "object", properties: { a: TEXT }, required: ["a"] },
          { properties: { b: TEXT } },
        ],
      },
      { type: "object", properties: { a: TEXT, b: TEXT }, required: ["a"] },
    ],
    [
      "variants beside properties",
      {
        type: "object",
        properties: { a: TEXT, b: TEXT },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      { type: "object", properties: { a: TEXT, b: TEXT } },
    ],
    [
      "a list of items",
      { type: "array", items: [TEXT, { type: "number" }, TEXT] },
      { type: "array", items: { anyOf: [TEXT, { type: "number" }] } },
    ],
    [
      "prefixItems",
      { type: "array", prefixItems: [TEXT], items: { type: "number" } },
      { type: "array", items: { anyOf: [TEXT, { type: "number" }] } },
    ],
    ["items that are true", { type: "array", items: true }, { type: "array" }],
    [
      "required without a property",
      { type: "object", properties: { a: TEXT }, required: ["a", "b", "a"] },
      { type: "object", properties: { a: TEXT }, required: ["a"] },
    ],
    [
      "required that is left empty",
      { type: "object", properties: { a: TEXT }, required: ["b"] },
      { type: "object", properties: { a: TEXT } },
    ],
    [
      "a local reference",
      {
        properties: { a: { $ref: "#/$defs/t", description: "d" } },
        $defs: { t: { ...TEXT, pattern: "a" } },
      },
      { properties: { a: { ...TEXT, description: "d" } } },
    ],
    [
      "a cycle of references",
      { type: "object", properties: { child: { $ref: "#" } } },
      { type: "object", properties: { child: {} } },
    ],
    [
      "a reference that leads nowhere",
      { type: "object", properties: { a: { $ref: "#/$defs/none", description: "d" } } },
      { type: "object", properties: { a: { description: "d" } } },
    ],
    ["a reference to outside", { ...TEXT, $ref: "http://a.test/s" }, TEXT],
    ["a boolean property", { properties: { a: true } }, { properties: { a: {} } }],
  ])("turns %s into what Gemini knows", (_name, schema, expected) => {
    expect(cleanSchemaForGemini(schema)).toEqual(expected);
  });

  it("answers with an empty schema for what is none", () => {
    for (const input of [null, true, "text", [TEXT]])
      expect(cleanSchemaForGemini(input)).toEqual({});
  });

  it("never changes its input, and cleaning twice changes nothing", () => {
    const schema = {
      type: "object",
      properties: { a: { anyOf: [{ const: "a", ...REMOVED }, { type: "null" }] } },
      allOf: [{ required: ["a"] }],
    };
    const before = structuredClone(schema);
    const once = cleanSchemaForGemini(schema);
    expect(schema).toEqual(before);
    expect(cleanSchemaForGemini(once)).toEqual(once);
  });
});
