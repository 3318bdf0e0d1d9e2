// Inlining of local references.
import { describe, expect, it } from "vitest";
import type { Schema } from "./keywords.js";
import { MAX_SCHEMA_NODES } from "./limits.js";
import { inlineLocalRefs } from "./refs.js";

function thrownBy(schema: Schema): unknown {
  try {
    inlineLocalRefs(schema);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

const TEXT = { type: "string" };

describe("inlineLocalRefs", () => {
  it.each<[name: string, schema: Schema, expected: Schema]>([
    ["#/$defs", { a: 1, not: { $ref: "#/$defs/t" }, $defs: { t: TEXT } }, { a: 1, not: TEXT }],
    [
      "#/definitions",
      { not: { $ref: "#/definitions/t" }, definitions: { t: TEXT } },
      { not: TEXT },
    ],
    [
      "a property of the schema",
      { properties: { a: TEXT, b: { $ref: "#/properties/a" } } },
      { properties: { a: TEXT, b: TEXT } },
    ],
    [
      "an item of a list",
      { anyOf: [TEXT, { type: "null" }], not: { $ref: "#/anyOf/1" } },
      { anyOf: [TEXT, { type: "null" }], not: { type: "null" } },
    ],
    [
      "names with / ~ and %",
      { not: { $ref: "#/$defs/a~1b~0c%25d" }, $defs: { "a/b~c%d": TEXT } },
      { not: TEXT },
    ],
    ["an anchor", { not: { $ref: "#t" }, $defs: { x: { $anchor: "t", ...TEXT } } }, { not: TEXT }],
    ["an old anchor", { not: { $ref: "#t" }, $defs: { x: { $id: "#t", ...TEXT } } }, { not: TEXT }],
    [
      "an $id inside the schema",
      { not: { $ref: "item.json" }, $defs: { x: { $id: "item.json", ...TEXT } } },
      { not: TEXT },
    ],
    [
      "the schema's own $id",
      { $id: "https://a.test/s", not: { $ref: "https://a.test/s#/$defs/t" }, $defs: { t: TEXT } },
      { not: TEXT },
    ],
    ["a boolean", { not: { $ref: "#/$defs/t" }, $defs: { t: false } }, { not: { not: {} } }],
    [
      "a chain",
      { not: { $ref: "#/$defs/a" }, $defs: { a: { $ref: "#/$defs/b" }, b: TEXT } },
      { not: TEXT },
    ],
    ["the root", { $ref: "#/$defs/t", $defs: { t: TEXT } }, TEXT],
  ])("follows a reference to %s", (_name, schema, expected) => {
    expect(inlineLocalRefs(schema)).toEqual(expected);
  });

  it("lets description, title and default beside a reference win", () => {
    const schema = {
      not: { $ref: "#/$defs/t", description: "mine", default: 1 },
      $defs: { t: { ...TEXT, description: "theirs", title: "Text" } },
    };
    expect(inlineLocalRefs(schema)).toEqual({
      not: { ...TEXT, description: "mine", title: "Text", default: 1 },
    });
  });

  it("keeps both sides when keywords beside a reference clash with the target", () => {
    const target = { type: "object", properties: { a: TEXT }, required: ["a"] };
    const schema = {
      not: { $ref: "#/$defs/t", properties: { b: TEXT } },
      $defs: { t: target },
    };
    expect(inlineLocalRefs(schema)).toEqual({
      not: { properties: { b: TEXT }, allOf: [target] },
    });
  });

  it("ends a cycle with an open schema that keeps the description", () => {
    const schema = {
      type: "object",
      description: "a tree",
      properties: {
        child: { $ref: "#" },
        named: { $ref: "#", description: "a named child" },
        other: { $ref: "#/$defs/a" },
      },
      $defs: {
        a: { properties: { b: { $ref: "#/$defs/b" } } },
        b: { properties: { a: { $ref: "#/$defs/a" } } },
      },
    };
    expect(inlineLocalRefs(schema)).toEqual({
      type: "object",
      description: "a tree",
      properties: {
        child: { description: "a tree" },
        named: { description: "a named child" },
        other: { properties: { b: { properties: { a: {} } } } },
      },
    });
  });

  it("takes a property called $ref, and values that look like references, for what they are", () => {
    const schema = {
      properties: { $ref: TEXT },
      default: { $ref: "#/$defs/none" },
      enum: [{ $ref: "http://a.test" }],
      "x-note": { $ref: "#/none" },
    };
    expect(inlineLocalRefs(schema)).toEqual(schema);
  });

  it.each([
    "http://a.test/schema.json",
    "https://a.test/s#/$defs/t",
    "file:///etc/passwd",
    "other.json",
    "../other.json#/a",
    "urn:uuid:1",
    "//a.test/s",
  ])("refuses to go outside to %s", (ref) => {
    expect(thrownBy({ not: { $ref: ref } })).toMatchObject({
      code: "invalid_input",
      reason: "ref_remote",
    });
  });

  it.each<[name: string, schema: Schema]>([
    ["a missing target", { not: { $ref: "#/$defs/none" } }],
    ["a target that is no schema", { not: { $ref: "#/title" }, title: "x" }],
    ["an inherited property", { not: { $ref: "#/constructor" } }],
    ["a broken escape", { not: { $ref: "#/%zz" } }],
    ["a missing anchor", { not: { $ref: "#none" } }],
    [
      "an anchor that is there twice",
      { not: { $ref: "#t" }, allOf: [{ $anchor: "t" }, { $anchor: "t" }] },
    ],
    ["a dynamic reference", { not: { $dynamicRef: "#t" }, $defs: { x: { $dynamicAnchor: "t" } } }],
    [
      "a pointer from a part with an $id",
      { not: { $id: "p", $ref: "#/$defs/t", $defs: { t: TEXT } } },
    ],
    ["a reference that is no text", { not: { $ref: 5 } }],
  ])("refuses %s", (_name, schema) => {
    expect(thrownBy(schema)).toMatchObject({ code: "invalid_input", reason: "ref_unresolvable" });
  });

  it("stops an expansion that doubles twenty times", () => {
    const definitions: Record<string, unknown> = { d20: TEXT };
    for (let level = 0; level < 20; level += 1) {
      const ref = { $ref: `#/$defs/d${level + 1}` };
      definitions[`d${level}`] = { allOf: [ref, ref] };
    }
    expect(thrownBy({ $ref: "#/$defs/d0", $defs: definitions })).toMatchObject({
      code: "limit",
      reason: "ref_expansion",
    });
  });

  it("stops a chain of references that leads too deep", () => {
    const definitions: Record<string, unknown> = { d500: TEXT };
    for (let level = 0; level < 500; level += 1) {
      definitions[`d${level}`] = { items: { $ref: `#/$defs/d${level + 1}` } };
    }
    expect(thrownBy({ $ref: "#/$defs/d0", $defs: definitions })).toMatchObject({
      code: "limit",
      reason: "ref_expansion",
    });
  });

  it("makes no more values than the limit for schemas", () => {
    const wide = { enum: Array.from({ length: 3_000 }, (_, index) => index) };
    const ref = { $ref: "#/$defs/wide" };
    expect(thrownBy({ allOf: [ref, ref, ref], $defs: { wide } })).toBeUndefined();
    const tooMany = Array.from({ length: Math.ceil(MAX_SCHEMA_NODES / 3_000) }, () => ref);
    expect(thrownBy({ allOf: tooMany, $defs: { wide } })).toMatchObject({
      reason: "ref_expansion",
    });
  });

  it("leaves its input as it was", () => {
    const schema = { not: { $ref: "#/$defs/t" }, $defs: { t: { enum: [{ a: 1 }] } } };
    const before = structuredClone(schema);
    inlineLocalRefs(schema);
    expect(schema).toEqual(before);
  });
});
