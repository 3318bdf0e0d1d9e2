// What tells two calls apart, and what reading hostile values may cost.

import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../tool.js";
import { fingerprintCall, fingerprintResult } from "./fingerprint.js";

const asked = (params: unknown) => fingerprintCall("probe", params);
const came = (more: Partial<ToolResult>) => fingerprintResult({ content: [], ...more });

describe("arguments", () => {
  it.each<[what: string, left: unknown, right: unknown]>([
    ["another value", { a: 1 }, { a: 2 }],
    ["another type", { a: 1 }, { a: "1" }],
    ["null and nothing", { a: null }, {}],
    ["true and its word", [true], ["true"]],
    ["another order of a list", [1, 2], [2, 1]],
    ["another place of the same values", { a: { b: 1 } }, { a: {}, b: 1 }],
    ["another date", new Date(1), new Date(2)],
    ["another big number", { a: 5n }, { a: 6n }],
    ["more bytes", Buffer.alloc(1), Buffer.alloc(2)],
    ["a longer text with the same ends", "x".repeat(100_000), "x".repeat(100_001)],
    ["no arguments and an empty object", undefined, {}],
  ])("%s make another call", (_what, left, right) => {
    expect(asked(left)).not.toBe(asked(right));
  });

  it("make the same call in any order of the keys, at any depth", () => {
    expect(asked({ a: { x: 1, y: [{ p: 1, q: 2 }] }, b: 2 })).toBe(
      asked({ b: 2, a: { y: [{ q: 2, p: 1 }], x: 1 } }),
    );
  });

  it("of another tool make another call", () => {
    expect(fingerprintCall("one", {})).not.toBe(fingerprintCall("two", {}));
  });

  it("that hold themselves, throw, or are endless have a fingerprint too", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const throwing = {
      get a(): never {
        throw new Error("no");
      },
    };
    const wide = Array.from({ length: 200_000 }, (_, index) => index);
    const many = Object.fromEntries(wide.map((index) => [`k${index}`, index]));
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const params of [cyclic, throwing, wide, many, proxy, Symbol("x"), () => 1]) {
      expect(asked(params)).toMatch(/^[0-9a-z]+-[0-9a-z]+$/);
    }
  });

  it("of many megabytes of text cost no more than its ends", () => {
    const text = Buffer.alloc(2 ** 26, "x").toString("latin1");
    const started = performance.now();
    asked({ a: text, b: text, c: text, d: text });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("outcomes", () => {
  it.each<[what: string, left: Partial<ToolResult>, right: Partial<ToolResult>]>([
    [
      "text",
      { content: [{ type: "text", text: "a" }] },
      { content: [{ type: "text", text: "b" }] },
    ],
    ["details", { details: { a: 1 } }, { details: { a: 2 } }],
    ["details that are no object", { details: "a" }, { details: "b" }],
    ["failure", { isError: true }, {}],
    [
      "an image",
      { content: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
      { content: [{ type: "image", data: "BB==", mimeType: "image/png" }] },
    ],
  ])("differ by %s", (_what, left, right) => {
    expect(came(left)).not.toBe(came(right));
  });

  it("do not differ by volatile fields, whatever signs they hold", () => {
    const outcome = (sessionId: string) =>
      came({ content: [{ type: "text", text: `is ${sessionId} now` }], details: { sessionId } });
    expect(outcome("(a+)+$")).toBe(outcome("[b]|.*"));
    expect(outcome("x")).toBe(outcome("y"));
  });
});
