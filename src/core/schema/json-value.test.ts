// Freezing and telling apart of what is not quite JSON.
import { describe, expect, it } from "vitest";
import { deepFreeze, withoutSameJson } from "./json-value.js";

describe("deepFreeze", () => {
  it("freezes every level, and leaves bytes as they are", () => {
    const value = { list: [{ a: 1 }], bytes: Buffer.from("x") };
    deepFreeze(value);
    expect(Object.isFrozen(value.list[0])).toBe(true);
    expect(value.bytes.toString()).toBe("x");
  });
});

describe("withoutSameJson", () => {
  it("keeps the first of equal values, whatever the order of their keys", () => {
    const values = [{ a: 1, b: [2] }, "x", { b: [2], a: 1 }, "x", [5n], [5n], ["5n"], '["5n"]'];
    expect(withoutSameJson(values)).toEqual(["x", '["5n"]', { a: 1, b: [2] }, [5n], ["5n"]]);
  });
});
