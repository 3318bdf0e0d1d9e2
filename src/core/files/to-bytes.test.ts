// What bridges give as the content of a file.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { toBytes } from "./request.js";

describe("toBytes", () => {
  it("gives a Buffer as it is, and text and other bytes as a Buffer", () => {
    const given = Buffer.from("a");
    expect(toBytes(given, "x")).toBe(given);
    expect(toBytes("é", "x")).toEqual(Buffer.from("é"));
    expect([...toBytes(new Uint8Array([1, 2, 3]).subarray(1), "x")]).toEqual([2, 3]);
    expect([...toBytes(runInNewContext("new Uint8Array([7])"), "x")]).toEqual([7]);
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["object", { length: 3 }],
    ["object", new Uint16Array([1])],
    ["object", { [Symbol.toStringTag]: "Uint8Array" }],
    ["number", 5],
  ])("says that a bridge gave %s", (what, given) => {
    expect(() => toBytes(given, "a\n")).toThrowError(
      expect.objectContaining({
        code: "failed",
        reason: "bridge_invalid",
        message: expect.stringContaining(`"a\\u{000A}" it gave ${what}.`),
      }),
    );
  });
});
