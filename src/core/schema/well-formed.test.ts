// What is refused as a schema, and where the fault is said to be.
import { describe, expect, it } from "vitest";
import { assertWellFormedSchema } from "./keywords.js";

function pointerOf(schema: unknown): unknown {
  try {
    assertWellFormedSchema(schema);
    return undefined;
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "invalid_input", reason: "schema_invalid" });
    return Reflect.get(Object(Reflect.get(Object(thrown), "details")), "pointer");
  }
}

describe("assertWellFormedSchema", () => {
  it.each<[schema: unknown, pointer: string]>([
    [true, "/"],
    [null, "/"],
    [[{ type: "string" }], "/"],
    ["string", "/"],
    [{ type: 5 }, "/type"],
    [{ type: "int" }, "/type"],
    [{ type: [] }, "/type"],
    [{ type: ["string", "date"] }, "/type"],
    [{ properties: true }, "/properties"],
    [{ properties: { required: ["a"], a: { type: "string" } } }, "/properties/required"],
    [{ properties: { a: { properties: { "b/c": "text" } } } }, "/properties/a/properties/b~1c"],
    [{ items: 3 }, "/items"],
    [{ items: [{ type: "string" }, 3] }, "/items"],
    [{ additionalProperties: "no" }, "/additionalProperties"],
    [{ required: true }, "/required"],
    [{ properties: { a: { type: "string", required: true } } }, "/properties/a/required"],
    [{ required: ["a", 5] }, "/required"],
    [{ enum: "a" }, "/enum"],
    [{ enum: [] }, "/enum"],
    [{ anyOf: [] }, "/anyOf"],
    [{ anyOf: [{ type: "string" }, "text"] }, "/anyOf/1"],
    [{ allOf: { type: "string" } }, "/allOf"],
    [{ minLength: "1" }, "/minLength"],
    [{ minLength: -1 }, "/minLength"],
    [{ maxItems: 1.5 }, "/maxItems"],
    [{ minimum: "0" }, "/minimum"],
    [{ exclusiveMinimum: true }, "/exclusiveMinimum"],
    [{ multipleOf: 0 }, "/multipleOf"],
    [{ uniqueItems: "yes" }, "/uniqueItems"],
    [{ pattern: "(" }, "/pattern"],
    [{ pattern: 5 }, "/pattern"],
    [{ patternProperties: { "(": {} } }, "/patternProperties"],
    [{ dependentRequired: { a: "b" } }, "/dependentRequired"],
    [{ dependencies: { a: 5 } }, "/dependencies"],
    [{ $ref: 5 }, "/$ref"],
    [{ not: { not: { not: { type: "x" } } } }, "/not/not/not/type"],
    [{ $defs: { unused: { type: 5 } } }, "/$defs/unused/type"],
  ])("refuses %j at %s", (schema, pointer) => {
    expect(pointerOf(schema)).toBe(pointer);
  });

  it.each([
    {},
    { type: ["string", "null"] },
    { properties: { a: true, b: false, type: { type: "string" }, required: { type: "array" } } },
    { items: [{ type: "string" }], additionalItems: false },
    { items: true, contains: {}, prefixItems: [{}] },
    { enum: [5, null, { type: 5 }], const: { type: 5 }, default: { properties: true } },
    { dependencies: { a: ["b"], c: { type: "object" } } },
    { pattern: "^[\\w-.]+$" },
    { description: "x", examples: [{ type: 5 }], "x-vendor": { type: 5 } },
    { minLength: undefined, type: "string" },
  ])("takes %j", (schema) => {
    expect(pointerOf(schema)).toBeUndefined();
  });
});
