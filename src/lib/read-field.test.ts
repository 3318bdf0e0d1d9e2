// Fields of the wrong kind, and values that have none.
import { describe, expect, it } from "vitest";
import { readField, readNumber, readText } from "./read-field.js";

describe("a stored field", () => {
  const row = { text: "a", number: 1, wrong: Number.NaN };

  it("is given when it is of the kind that was asked for", () => {
    expect(readText(row, "text")).toBe("a");
    expect(readNumber(row, "number")).toBe(1);
    expect(readField(row, "wrong")).toBeNaN();
  });

  it.each([[row], [null], ["text"], [undefined]])("is undefined otherwise, in %j", (value) => {
    expect(readText(value, "number")).toBeUndefined();
    expect(readNumber(value, "text")).toBeUndefined();
    expect(readNumber(value, "wrong")).toBeUndefined();
  });
});
