// What can be strict and what cannot, seen through the compiler.
import { describe, expect, it } from "vitest";
import { createPrepare } from "../../invoke/prepare.js";
import { compileSchema } from "./compile-schema.js";

type Json = Record<string, unknown>;

const text = { type: "string" };

function compile(properties: Json, more: Json = {}) {
  const parameters = { type: "object", properties, ...more };
  return compileSchema({ name: "tool", description: "Does it.", parameters }, "openai-strict");
}

describe("a strict schema", () => {
  it("closes every object and requires every property", () => {
    const inner = { type: "object", properties: { b: text }, required: ["b"] };
    const { schema, strict } = compile({ a: inner, list: { type: "array", items: inner } });
    expect(strict).toBe(true);
    expect(schema).toMatchObject({
      required: ["a", "list"],
      additionalProperties: false,
      properties: {
        a: { anyOf: [{ required: ["b"], additionalProperties: false }, { type: "null" }] },
        list: {
          anyOf: [{ items: { required: ["b"], additionalProperties: false } }, { type: "null" }],
        },
      },
    });
  });

  it("takes null for what may be left out, and the call gets it back as left out", () => {
    const parameters = {
      type: "object",
      properties: { a: text, b: { type: "string", enum: ["x"] }, c: { type: ["integer", "null"] } },
      required: ["a"],
    };
    const { schema } = compile(parameters.properties, { required: ["a"] });
    expect(schema.properties).toEqual({
      a: text,
      b: { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] },
      c: { type: ["integer", "null"] },
    });
    const prepare = createPrepare({ parameters, aliases: {}, maxArgumentChars: undefined });
    expect(prepare({ a: "x", b: null, c: null })).toEqual({ a: "x", c: null });
  });

  it("takes null for a union that may be left out, and the call gets it back as left out", () => {
    const parameters = {
      type: "object",
      properties: { a: { anyOf: [text, { type: "number" }] } },
    };
    const { schema, strict } = compile(parameters.properties);
    expect(strict).toBe(true);
    expect(schema.required).toEqual(["a"]);
    const prepare = createPrepare({ parameters, aliases: {}, maxArgumentChars: undefined });
    expect(prepare({ a: null })).toEqual({});
    expect(prepare({ a: 5 })).toEqual({ a: 5 });
  });

  it("works without any property", () => {
    expect(compile({})).toMatchObject({
      strict: true,
      schema: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
  });

  it("keeps references alone, with words around them", () => {
    const $defs = {
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] },
    };
    const { schema, strict } = compile(
      { a: { $ref: "#/$defs/node", description: "Start." } },
      { required: ["a"], $defs },
    );
    expect(strict).toBe(true);
    expect(schema).toMatchObject({
      properties: { a: { anyOf: [{ $ref: "#/$defs/node" }], description: "Start." } },
      $defs: {
        node: { additionalProperties: false, properties: { next: { $ref: "#/$defs/node" } } },
      },
    });
  });
});

describe("a schema that cannot be strict", () => {
  const variant = (properties: Json) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
  });
  const cases: [words: string, properties: Json, more: Json, reason: string][] = [
    [
      "a map",
      { a: { type: "object", additionalProperties: text } },
      {},
      "/properties/a takes names that are not listed",
    ],
    [
      "an open object",
      { a: { type: "object" } },
      {},
      "/properties/a takes names that are not listed",
    ],
    [
      "an object open by word",
      { a: text },
      { additionalProperties: true },
      "/ takes names that are not listed",
    ],
    [
      "a required name that is not listed",
      { a: text },
      { required: ["b"] },
      "/ takes names that are not listed",
    ],
    ["anything", { a: {} }, { required: ["a"] }, "/properties/a has no type"],
    [
      "a list of anything",
      { a: { type: "array" } },
      { required: ["a"] },
      "/properties/a/items has no type",
    ],
    [
      "objects to choose from",
      { a: { enum: [{ b: 1 }] } },
      { required: ["a"] },
      "/properties/a lists values that are not scalars",
    ],
    [
      "variants that begin alike",
      { a: { anyOf: [variant({ k: text }), variant({ k: text, b: text })] } },
      { required: ["a"] },
      "/properties/a/anyOf has objects that begin with the same key",
    ],
    [
      "variants with further names",
      { a: { type: "object", properties: { b: text }, anyOf: [{ properties: { c: text } }] } },
      { required: ["a"] },
      "/properties/a takes names that are not listed",
    ],
  ];

  it.each(cases)(
    "with %s is sent by the rules of openai and says why",
    (_words, properties, more, reason) => {
      const { strict, schema, report } = compile(properties, more);
      expect(strict).toBe(false);
      expect(report.at(-1)).toEqual({ pointer: "/", keyword: "strict", change: "dropped", reason });
      const parameters = { type: "object", properties, ...more };
      const tool = { name: "tool", description: "", parameters };
      expect(schema).toEqual(compileSchema(tool, "openai").schema);
    },
  );
});
