// What holds for report, case by case.

import { describe, expect, it } from "vitest";
import { listChanges } from "./compile-schema.js";

describe("listChanges", () => {
  it("says nothing of equal schemas, whatever the order of their keys", () => {
    const source = { type: "object", properties: { a: { type: "string", minLength: 1 } } };
    const compiled = { properties: { a: { minLength: 1, type: "string" } }, type: "object" };
    expect(listChanges(source, compiled)).toEqual([]);
  });

  it("points to each keyword that was dropped, changed or added", () => {
    const source = {
      type: "object",
      $schema: "x",
      properties: { "a/b": { type: "string", format: "uri" }, list: { type: ["array", "null"] } },
    };
    const compiled = {
      type: "object",
      properties: { "a/b": { type: "string" }, list: { type: "array", items: {}, nullable: true } },
    };
    expect(listChanges(source, compiled)).toEqual([
      { pointer: "/properties/a~1b/format", keyword: "format", change: "dropped" },
      { pointer: "/properties/list/type", keyword: "type", change: "changed" },
      { pointer: "/properties/list/items", keyword: "items", change: "added" },
      { pointer: "/properties/list/nullable", keyword: "nullable", change: "added" },
      { pointer: "/$schema", keyword: "$schema", change: "dropped" },
    ]);
  });

  it("takes a property called like a keyword for a property", () => {
    const source = { type: "object", properties: { format: { type: "string", pattern: "a" } } };
    const compiled = { type: "object", properties: { format: { type: "string" } } };
    expect(listChanges(source, compiled)).toEqual([
      { pointer: "/properties/format/pattern", keyword: "pattern", change: "dropped" },
    ]);
  });

  it("names a property that is gone, and not all that was in it", () => {
    const source = { type: "object", properties: { a: { type: "object", properties: {} }, b: {} } };
    const compiled = { type: "object", properties: { b: {} } };
    expect(listChanges(source, compiled)).toEqual([
      { pointer: "/properties/a", keyword: "properties", change: "dropped" },
    ]);
  });

  it("does not call what a reference stood for an addition", () => {
    const source = { properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { type: "string" } } };
    expect(listChanges(source, { properties: { a: { type: "string" } } })).toEqual([
      { pointer: "/properties/a/$ref", keyword: "$ref", change: "dropped" },
      { pointer: "/$defs", keyword: "$defs", change: "dropped" },
    ]);
  });
});
