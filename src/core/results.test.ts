// Tests of the result builders on values that JSON cannot say.
import { describe, expect, it } from "vitest";
import { ToolAuthorizationError, ToolError } from "./errors.js";
import { errorResult, imageResult, jsonResult, textResult } from "./results.js";
import type { ToolResult } from "./tool.js";

describe("jsonResult", () => {
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a value whose toJSON gives nothing", { toJSON: () => undefined }],
  ])("writes %s as null", (_, payload) => {
    expect(textOf(jsonResult(payload))).toBe("null");
  });

  it("writes a bigint as its decimal text and keeps the rest", () => {
    expect(jsonOf({ big: 12345678901234567890n, list: [1n, 2], day: new Date(0) })).toEqual({
      big: "12345678901234567890",
      list: ["1", 2],
      day: "1970-01-01T00:00:00.000Z",
    });
    expect(jsonOf(7n)).toBe("7");
  });

  it("marks a cycle, but not a value that merely occurs twice", () => {
    const shared = { name: "shared" };
    const payload = { first: shared, second: shared };
    Object.assign(payload, { self: payload, list: [payload] });
    expect(jsonOf(payload)).toEqual({
      first: shared,
      second: shared,
      self: "[Circular]",
      list: ["[Circular]"],
    });
  });

  it("is a marker when the payload throws, or is too deep to write", () => {
    expect(jsonOf({ before: 1, broken: { toJSON: fail } })).toBe("[Unreadable]");
    expect(jsonOf(nested(100_000))).toBe("[Unreadable]");
  });

  it("treats absent values in the copy as JSON does", () => {
    expect(jsonOf({ big: 1n, none: undefined, list: [undefined] })).toEqual({
      big: "1",
      list: [null],
    });
  });

  it("keeps an own __proto__ key as data", () => {
    const text = textOf(jsonResult({ big: 1n, inner: JSON.parse('{"__proto__":{"a":1}}') }));
    expect(JSON.parse(text).inner).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
    expect(text).toContain("__proto__");
  });

  it("keeps the raw payload in details", () => {
    const payload = { big: 1n };
    expect(jsonResult(payload).details).toBe(payload);
  });
});

describe("textResult", () => {
  it("has a details key only when details are given", () => {
    expect(Object.keys(textResult("done"))).toEqual(["content"]);
    expect(textResult("done", { lines: 0 }).details).toEqual({ lines: 0 });
    expect(textResult("done", null)).toHaveProperty("details", null);
  });
});

describe("errorResult", () => {
  it("shows a ToolError by its message and gives its code and reason to programs", () => {
    const error = new ToolAuthorizationError("owner only", { reason: "owner_only" });
    const result = errorResult("exec", error);
    expect(textOf(result)).toBe('{"status":"error","tool":"exec","error":"owner only"}');
    expect(result.isError).toBe(true);
    expect(result.details).toStrictEqual({
      status: "error",
      tool: "exec",
      error: "owner only",
      code: "denied",
      reason: "owner_only",
    });
  });

  it("adds the facts of a ToolError, which cannot replace what the result itself says", () => {
    const details = { path: "a.txt", status: "fine", code: "none" };
    expect(
      errorResult("read", new ToolError("not_found", "no a.txt", { details })).details,
    ).toStrictEqual({
      path: "a.txt",
      status: "error",
      tool: "read",
      error: "no a.txt",
      code: "not_found",
    });
  });

  it.each<[string, unknown, string]>([
    ["a string, unchanged", "y".repeat(3_000), "y".repeat(3_000)],
    ["an error", new TypeError("bad"), "bad"],
    ["undefined", undefined, "undefined"],
    ["a hostile value", new Proxy({}, { get: fail }), "an error that cannot be printed"],
  ])("takes %s", (_, error, message) => {
    const shown = { status: "error", tool: "read", error: message };
    const result = errorResult("read", error);
    expect(textOf(result)).toBe(JSON.stringify(shown));
    expect(result.details).toStrictEqual(shown);
  });

  it("shows no stack and no cause", () => {
    const error = new Error("outer", { cause: new Error("token=abc") });
    const printed = JSON.stringify(errorResult("read", error));
    expect(printed).not.toContain("token=abc");
    expect(printed).not.toContain("results.test");
    expect(printed).not.toContain("    at ");
  });

  it("splits messages with megabytes of blanks without hanging", () => {
    const blanks = " ".repeat(2 ** 20);
    for (const message of [`x${blanks}y`, `x\n${blanks}`]) {
      expect(errorResult("exec", message).content).toHaveLength(1);
    }
    expect(errorResult("exec", `x${blanks}\n${blanks}\n  y`).content).toEqual([
      { type: "text", text: '{"status":"error","tool":"exec","error":"x"}' },
      { type: "text", text: "  y" },
    ]);
  });
});

describe("imageResult", () => {
  const image = { label: "shot", base64: "AAAA", mimeType: "image/png" };
  const block = { type: "image", data: "AAAA", mimeType: "image/png" };

  it("is the image alone when nothing else is given, with the label in details", () => {
    expect(imageResult(image)).toStrictEqual({ content: [block], details: { label: "shot" } });
  });

  it("adds the path to the default details", () => {
    const result = imageResult({ ...image, path: "/tmp/a.png" });
    expect(result.content).toEqual([{ type: "text", text: "MEDIA:/tmp/a.png" }, block]);
    expect(result.details).toStrictEqual({ label: "shot", path: "/tmp/a.png" });
  });

  it("makes no empty text blocks", () => {
    expect(imageResult({ ...image, path: "", extraText: "" }).content).toEqual([block]);
  });
});

function textOf(result: ToolResult): string {
  expect(result.content).toHaveLength(1);
  const block = result.content[0];
  return block?.type === "text" ? block.text : "";
}

function jsonOf(payload: unknown): unknown {
  return JSON.parse(textOf(jsonResult(payload)));
}

function fail(): never {
  throw new Error("hostile");
}

function nested(levels: number): unknown {
  let value: unknown = "leaf";
  for (let level = 0; level < levels; level += 1) value = { child: value };
  return value;
}
