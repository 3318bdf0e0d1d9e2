// The one shape for parameters.
import { describe, expect, it } from "vitest";
import { normalizeSchema } from "./normalize.js";

const TEXT = { type: "string" };
const EMPTY = { type: "object", properties: {} };

describe("normalizeSchema", () => {
  it.each([null, undefined, true, false, "text", 5, [TEXT], [], () => 1])(
    "makes an object schema without properties of %j",
    (input) => {
      expect(normalizeSchema(input)).toEqual(EMPTY);
    },
  );

  it.each<[name: string, input: object, expected: object]>([
    ["nothing", {}, EMPTY],
    ["an object without properties", { type: "object" }, EMPTY],
    ["properties that are no object", { type: "object", properties: true }, EMPTY],
    ["properties that are a list", { properties: [TEXT] }, EMPTY],
    [
      "no type but properties",
      { properties: { a: TEXT }, required: ["a"] },
      { type: "object", properties: { a: TEXT }, required: ["a"] },
    ],
    ["no type but required", { required: ["a"] }, { ...EMPTY, required: ["a"] }],
    [
      "a list of types with object in it",
      { type: ["object", "null"], properties: { a: TEXT } },
      { type: "object", properties: { a: TEXT } },
    ],
    [
      "another type, whose keywords go",
      {
        type: "string",
        description: "kept",
        minLength: 1,
        maxLength: 2,
        pattern: "a",
        format: "b",
        minimum: 1,
        maximum: 2,
        exclusiveMinimum: 1,
        exclusiveMaximum: 2,
        multipleOf: 1,
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        items: TEXT,
        enum: ["a"],
      },
      { ...EMPTY, description: "kept" },
    ],
    [
      "another type with properties",
      { type: "array", properties: { a: TEXT }, items: TEXT },
      { type: "object", properties: { a: TEXT } },
    ],
  ])("mends %s", (_name, input, expected) => {
    expect(normalizeSchema(input)).toEqual(expected);
  });

  it("keeps every keyword of an object schema", () => {
    const schema = {
      type: "object",
      title: "T",
      properties: { format: TEXT, pattern: TEXT },
      required: ["format"],
      additionalProperties: false,
      minProperties: 1,
      $defs: { a: TEXT },
    };
    expect(normalizeSchema(schema)).toEqual(schema);
  });

  it("merges the variants of anyOf and oneOf: all properties, required where all require", () => {
    const variants = [
      { properties: { a: TEXT, shared: TEXT }, required: ["a", "shared"] },
      { properties: { b: TEXT, shared: { type: "number" } }, required: ["shared"] },
      { type: "null" },
    ];
    const expected = {
      type: "object",
      properties: { own: TEXT, a: TEXT, shared: TEXT, b: TEXT },
      required: ["own", "shared"],
    };
    const own = { properties: { own: TEXT }, required: ["own"] };
    expect(normalizeSchema({ ...own, anyOf: variants })).toEqual(expected);
    expect(normalizeSchema({ ...own, oneOf: variants })).toEqual(expected);
  });

  it("pools the values of one key over the variants", () => {
    const schema = {
      oneOf: [
        { properties: { kind: { const: "a", description: "which" } }, required: ["kind"] },
        { properties: { kind: { enum: ["b", "c"] } }, required: ["kind"] },
        { properties: { kind: { anyOf: [{ const: "c" }, { const: "d" }] } }, required: ["kind"] },
      ],
    };
    expect(normalizeSchema(schema)).toEqual({
      type: "object",
      properties: { kind: { type: "string", enum: ["a", "b", "c", "d"], description: "which" } },
      required: ["kind"],
    });
  });

  it("joins the parts of allOf: all properties, required where any requires", () => {
    const schema = {
      description: "mine",
      allOf: [
        { type: "object", properties: { a: TEXT }, required: ["a"], description: "theirs" },
        { properties: { b: TEXT }, required: ["b", "a"] },
      ],
    };
    expect(normalizeSchema(schema)).toEqual({
      type: "object",
      description: "mine",
      properties: { a: TEXT, b: TEXT },
      required: ["a", "b"],
    });
  });

  it("follows references of the root and of its variants, and keeps the definitions", () => {
    const $defs = {
      a: { type: "object", properties: { next: { $ref: "#/$defs/a" } }, required: ["next"] },
      b: { type: "object", properties: { b: TEXT } },
    };
    expect(normalizeSchema({ $ref: "#/$defs/a", $defs })).toEqual({ ...$defs.a, $defs });
    expect(
      normalizeSchema({ anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }], $defs }),
    ).toEqual({
      type: "object",
      properties: { next: { $ref: "#/$defs/a" }, b: TEXT },
      $defs,
    });
  });

  it("inlines references that the new root would break", () => {
    const schema = {
      anyOf: [
        { properties: { a: TEXT } },
        { properties: { b: { $ref: "#/anyOf/0/properties/a" } } },
      ],
    };
    expect(normalizeSchema(schema)).toEqual({
      type: "object",
      properties: { a: TEXT, b: TEXT },
    });
  });

  it("ends with variants that hold themselves", () => {
    expect(normalizeSchema({ anyOf: [{ $ref: "#" }, { properties: { a: TEXT } }] })).toEqual({
      type: "object",
      properties: { a: TEXT },
    });
    const $defs = { a: { anyOf: [{ $ref: "#/$defs/a" }, { properties: { a: TEXT } }] } };
    expect(normalizeSchema({ $ref: "#/$defs/a", $defs }).properties).toEqual({ a: TEXT });
  });

  it("stops references that unfold without end with a typed error", () => {
    const ref = { $ref: "#/$defs/a" };
    const schema = { anyOf: [ref], $defs: { a: { anyOf: Array.from({ length: 9 }, () => ref) } } };
    expect(() => normalizeSchema(schema)).toThrow(
      expect.objectContaining({ code: "limit", reason: "ref_expansion" }),
    );
  });

  it("never changes its input", () => {
    const schema = {
      type: "object",
      properties: { a: TEXT },
      allOf: [{ properties: { b: TEXT } }],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    const before = structuredClone(schema);
    normalizeSchema(schema);
    expect(schema).toEqual(before);
  });
});

describe("normalizeSchema of what is not JSON", () => {
  it("gives plain JSON, without values that JSON does not have", () => {
    const schema = {
      required: "x",
      properties: { a: { type: "integer", default: 5n, check: () => true } },
    };
    const normal = normalizeSchema(schema);
    expect(normal).toEqual({ type: "object", properties: { a: { type: "integer" } } });
    expect(JSON.parse(JSON.stringify(normal))).toEqual(normal);
  });

  it("says that a revoked proxy cannot be read", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(() => normalizeSchema(revoked.proxy)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "schema_unreadable" }),
    );
  });
});
