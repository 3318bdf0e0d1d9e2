// The door to the compiler.
import { describe, expect, it } from "vitest";
import { compileCheck } from "./to-typebox.js";

describe("compileCheck", () => {
  it("makes a check of a schema", () => {
    const check = compileCheck({ type: "object", properties: { a: { type: "string" } } });
    expect([check({ a: "x" }), check({ a: 1 }), check([])]).toEqual([true, false, false]);
    expect([compileCheck(true)(1), compileCheck(false)(1)]).toEqual([true, false]);
  });

  it("walks a schema that makes code too deep for the engine", () => {
    const values = Array.from({ length: 9_000 }, (_, index) => index);
    const check = compileCheck({ enum: values });
    expect([check(8_999), check(9_000)]).toEqual([true, false]);
  });
});
