// Tests of the error class, its table and the conversion of foreign values.
import { describe, expect, it } from "vitest";
import {
  abortError,
  ERROR_CODES,
  isToolError,
  ToolAuthorizationError,
  ToolError,
  ToolInputError,
  toToolError,
} from "./errors.js";

const TABLE: ReadonlyArray<readonly [keyof typeof ERROR_CODES, number, number]> = [
  ["invalid_input", 400, 2],
  ["denied", 403, 3],
  ["approval_required", 403, 4],
  ["not_found", 404, 5],
  ["conflict", 409, 6],
  ["limit", 413, 7],
  ["unavailable", 503, 8],
  ["timeout", 504, 9],
  ["failed", 502, 10],
  ["aborted", 499, 130],
  ["internal", 500, 70],
];

describe("ToolError", () => {
  it.each(TABLE)("gives %s the HTTP status %i and the exit code %i", (code, status, exitCode) => {
    const error = new ToolError(code, "it failed");
    expect(error).toMatchObject({
      name: "ToolError",
      message: "it failed",
      code,
      status,
      exitCode,
    });
  });

  it("knows no code outside the table", () => {
    expect(Object.keys(ERROR_CODES).sort()).toEqual(TABLE.map(([code]) => code).sort());
  });

  it("keeps reason, cause and details", () => {
    const cause = new Error("EACCES");
    const error = new ToolError("denied", "no", {
      reason: "path_outside_root",
      cause,
      details: { path: "../x" },
    });
    expect(error.reason).toBe("path_outside_root");
    expect(error.cause).toBe(cause);
    expect(error.details).toEqual({ path: "../x" });
  });

  it("has no reason and no cause property when none is given", () => {
    const error = new ToolError("failed", "no");
    expect(error.reason).toBeUndefined();
    expect("cause" in error).toBe(false);
  });

  it("carries code and status as own properties, in the subclasses too", () => {
    const denied = new ToolAuthorizationError("owner only", { reason: "owner_only" });
    expect(denied).toBeInstanceOf(ToolInputError);
    expect(Object.getOwnPropertyDescriptor(denied, "code")?.value).toBe("denied");
    expect(Object.getOwnPropertyDescriptor(denied, "status")?.value).toBe(403);
    expect(denied).toMatchObject({ exitCode: 3, reason: "owner_only" });
    expect(denied.name).toBe("ToolAuthorizationError");
    const invalid = new ToolInputError("path required");
    expect(invalid).toMatchObject({ code: "invalid_input", status: 400, exitCode: 2 });
    expect(invalid.name).toBe("ToolInputError");
  });
});

describe("isToolError", () => {
  it("knows an error made by another copy of the class", () => {
    const foreign = Object.assign(new Error("no"), { code: "denied", status: 403, exitCode: 3 });
    expect(foreign).not.toBeInstanceOf(ToolError);
    expect(isToolError(foreign)).toBe(true);
    expect(isToolError(new ToolAuthorizationError("no"))).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a plain error", new Error("no")],
    ["a system error", Object.assign(new Error("no"), { code: "ENOENT", status: 1, exitCode: 1 })],
    [
      "an inherited name as code",
      Object.assign(new Error("no"), { code: "toString", status: 1, exitCode: 1 }),
    ],
    ["data that only looks like one", { code: "denied", status: 403, exitCode: 3, message: "no" }],
    ["null", null],
    ["a string", "denied"],
    ["a revoked proxy", revokedProxy()],
  ])("does not take %s for one", (_, value) => {
    expect(isToolError(value)).toBe(false);
  });
});

describe("toToolError", () => {
  it("returns a ToolError as it is", () => {
    const error = new ToolError("conflict", "changed meanwhile");
    expect(toToolError(error)).toBe(error);
  });

  it("makes a foreign error internal, with its message and itself as cause", () => {
    const error = new TypeError("x is not a function");
    const converted = toToolError(error);
    expect(converted).toMatchObject({ code: "internal", message: "x is not a function" });
    expect(converted.cause).toBe(error);
  });

  it("makes the platform's abort an aborted error that is still named AbortError", () => {
    const controller = new AbortController();
    controller.abort();
    const converted = toToolError(controller.signal.reason);
    expect(converted).toMatchObject({ code: "aborted", status: 499, name: "AbortError" });
    expect(converted.cause).toBe(controller.signal.reason);
  });

  it.each<[string, unknown, string]>([
    ["a string", "plain words", "plain words"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 42, "42"],
    ["a bigint", 5n, "5"],
    ["a symbol", Symbol("odd"), "Symbol(odd)"],
    ["an object with a message", { message: "from afar" }, "from afar"],
    ["an object without one", { step: 3 }, '{"step":3}'],
    ["an error without a message", new RangeError(), "RangeError"],
    ["a function", () => "secret", "a function was thrown"],
  ])("prints %s", (_, value, message) => {
    expect(toToolError(value)).toMatchObject({ code: "internal", message });
  });

  it.each<[string, unknown]>([
    ["a revoked proxy", revokedProxy()],
    ["a throwing message getter", throwingGetter({}, "message")],
    ["an error with a throwing message getter", throwingGetter(new Error("x"), "message")],
    ["an error with a throwing name getter", throwingGetter(new Error(""), "name")],
    ["a throwing toJSON", { toJSON: fail }],
    ["a cycle", cycle()],
    ["an object that prints as nothing", { toJSON: () => undefined }],
  ])("survives %s", (_, value) => {
    const converted = toToolError(value);
    expect(converted).toMatchObject({
      code: "internal",
      message: "an error that cannot be printed",
    });
    expect(converted.cause).toBe(value);
  });

  it("cuts a long message at 2,000 characters and never inside a surrogate pair", () => {
    expect(toToolError("x".repeat(2_000)).message).toBe("x".repeat(2_000));
    expect(toToolError(new Error("x".repeat(2_001))).message).toBe(`${"x".repeat(1_999)}…`);
    const pair = `${"x".repeat(1_998)}😀 and more`;
    expect(toToolError(pair).message).toBe(`${"x".repeat(1_998)}…`);
  });

  it("leaves no stack frames in the message", () => {
    const error = new Error("outer");
    expect(error.stack).toContain("\n    at ");
    expect(toToolError(error.stack).message).toBe("Error: outer");
    expect(toToolError(new Error(`wrapped: ${error.stack}`)).message).toBe("wrapped: Error: outer");
  });
});

describe("abortError", () => {
  it("is an aborted ToolError named AbortError whose cause is the reason of the signal", () => {
    const error = abortError(AbortSignal.abort("user pressed stop"));
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ code: "aborted", exitCode: 130, name: "AbortError" });
    expect(error.cause).toBe("user pressed stop");
  });

  it("needs no signal", () => {
    expect(abortError().message).toBe("the call was aborted");
    expect("cause" in abortError()).toBe(false);
  });
});

function fail(): never {
  throw new Error("hostile");
}

function throwingGetter(target: object, key: string): unknown {
  return Object.defineProperty(target, key, { get: fail });
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): unknown {
  const value = {};
  return Object.assign(value, { self: value });
}
