// Which schemas need a time guard.
import { describe, expect, it } from "vitest";
import type { Schema } from "../keywords.js";
import { linkSchema } from "./link.js";
import { assessRisk } from "./risk.js";

const TEXT = { type: "string" };

/** Each of the keywords around the one before. */
function wrap(keywords: readonly string[]): Schema {
  return keywords.reduce<Schema>((inner, keyword) => {
    return { [keyword]: keyword === "not" || keyword === "if" ? inner : [inner, TEXT] };
  }, TEXT);
}

describe("assessRisk", () => {
  it.each<[name: string, schema: Schema]>([
    ["an ordinary object", { type: "object", properties: { a: TEXT, b: { enum: ["x", "y"] } } }],
    ["three levels of alternatives", wrap(["anyOf", "oneOf", "not"])],
    ["many levels of allOf", wrap(["allOf", "allOf", "allOf", "allOf", "allOf"])],
    ["a plain pattern", { pattern: "^[a-z]{1,20}$" }],
    ["references that do not come round", { items: { $ref: "#/$defs/a" }, $defs: { a: TEXT } }],
    ["a large enum", { enum: Array.from({ length: 1_000 }, (_, index) => index) }],
    ["a large enum for each item", { items: { enum: Array.from({ length: 500 }, (_, i) => i) } }],
    ["items of twenty fields", { items: { properties: fields(20) } }],
    [
      "many fields with a length",
      { properties: fields(100, { type: "string", maxLength: 9_000 }) },
    ],
    ["many short lengths for one text", { anyOf: repeat(30, { minLength: 1 }) }],
    ["a union of four closed forms", { anyOf: repeat(4, { additionalProperties: false }) }],
    ["fields with lists without repeats", { properties: fields(20, { uniqueItems: true }) }],
    ["a type said very often", { items: { type: repeat(1_000, "null") } }],
  ])("needs no guard for %s", (_name, schema) => {
    expect(assessRisk(linkSchema(schema)).needsGuard).toBe(false);
  });

  it.each<[name: string, schema: Schema]>([
    ["a pattern with a repeat", { properties: { a: { pattern: "^a+$" } } }],
    ["a name pattern with a repeat", { patternProperties: { "^a+$": TEXT } }],
    ["a pattern under propertyNames", { propertyNames: { pattern: "(a|b)*" } }],
    ["four levels of alternatives", wrap(["anyOf", "oneOf", "not", "if"])],
    ["unevaluatedProperties", { unevaluatedProperties: false }],
    ["unevaluatedItems", { items: { unevaluatedItems: false } }],
    ["dependentSchemas", { dependentSchemas: { a: TEXT } }],
    ["dependencies with schemas", { dependencies: { a: TEXT } }],
    ["a schema that comes round", { properties: { child: { $ref: "#" } } }],
    [
      "alternatives behind references",
      {
        anyOf: [{ $ref: "#/$defs/a" }],
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: wrap(["anyOf", "anyOf"]) },
      },
    ],
    ["references that double twenty times", doubling(20)],
    ["items held against a hundred schemas", { items: { allOf: Object.values(fields(100)) } }],
    [
      "a hundred sweeps over one list",
      { allOf: Object.values(fields(100)).map((items) => ({ items })) },
    ],
    [
      "twenty patterns for one text",
      { allOf: Array.from({ length: 20 }, () => ({ pattern: "a" })) },
    ],
    [
      "a hundred objects to compare each item with",
      { items: { enum: Array.from({ length: 100 }, (_, i) => [i]) } },
    ],
    ["very many properties", { properties: fields(2_500) }],
    ["a pattern that repeats without an anchor", { pattern: "a{30000}b" }],
    ["many lengths for one text", { anyOf: repeat(600, { type: "string", minLength: 8_000_001 }) }],
    ["five listings of all keys", { anyOf: repeat(5, { additionalProperties: false }) }],
    ["five objects to compare with", { enum: repeat(5, {}) }],
    ["four lists without repeats around each other", unique(4)],
    ["many names that depend on one", { dependentRequired: { a: Object.keys(fields(2_500)) } }],
  ])("needs a guard for %s", (_name, schema) => {
    expect(assessRisk(linkSchema(schema)).needsGuard).toBe(true);
  });

  it.each<[name: string, schema: Schema]>([
    ["to itself", { $ref: "#" }],
    ["to itself through allOf", { allOf: [{ $ref: "#" }] }],
    [
      "to each other",
      {
        $ref: "#/$defs/a",
        $defs: { a: { not: { $ref: "#/$defs/b" } }, b: { anyOf: [{ $ref: "#/$defs/a" }] } },
      },
    ],
  ])("refuses a reference %s, which would never end", (_name, schema) => {
    expect(() => assessRisk(linkSchema(schema))).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "ref_cyclic" }),
    );
  });

  it("refuses references that lead too deep", () => {
    const definitions: Record<string, unknown> = { d999: TEXT };
    for (let level = 0; level < 999; level += 1) {
      definitions[`d${level}`] = { items: { $ref: `#/$defs/d${level + 1}` } };
    }
    expect(() => assessRisk(linkSchema({ $ref: "#/$defs/d0", $defs: definitions }))).toThrow(
      expect.objectContaining({ code: "limit", reason: "ref_expansion" }),
    );
  });
});

function fields(count: number, field: Schema = TEXT): Record<string, Schema> {
  return Object.fromEntries(repeat(count, field).map((schema, index) => [`f${index}`, schema]));
}

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

function unique(levels: number): Schema {
  return levels === 0 ? TEXT : { uniqueItems: true, items: unique(levels - 1) };
}

function doubling(levels: number): Schema {
  const definitions: Record<string, unknown> = { [`d${levels}`]: TEXT };
  for (let level = 0; level < levels; level += 1) {
    const ref = { $ref: `#/$defs/d${level + 1}` };
    definitions[`d${level}`] = { allOf: [ref, ref] };
  }
  return { $ref: "#/$defs/d0", $defs: definitions };
}
