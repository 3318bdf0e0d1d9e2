// Tests of the parameter readers: tables of values, and input made to hurt.
import { describe, expect, it } from "vitest";
import { ToolInputError } from "./errors.js";
import {
  assertRequiredParams,
  readBooleanParam,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from "./params.js";

const FAILS = Symbol("fails");

describe("the name of a parameter", () => {
  it.each([
    ["workspaceDir", "workspace_dir"],
    ["workspace_dir", "workspaceDir"],
    ["HTTPUrl", "http_url"],
    ["http_url", "httpUrl"],
    ["url2Path", "url2_path"],
    ["a_b_c", "aBC"],
    ["parseJSON", "parse_json"],
  ])("%s is also found as %s", (asked, given) => {
    expect(readStringParam({ [given]: "here" }, asked)).toBe("here");
  });

  it("is looked up as asked first, and under its other form when that is null or undefined", () => {
    expect(readStringParam({ workDir: "a", work_dir: "b" }, "workDir")).toBe("a");
    expect(readStringParam({ workDir: "a", work_dir: "b" }, "work_dir")).toBe("b");
    expect(readStringParam({ workDir: null, work_dir: "b" }, "workDir")).toBe("b");
    expect(readStringParam({ workDir: "a", work_dir: undefined }, "work_dir")).toBe("a");
  });

  it("reaches own properties only", () => {
    expect(readStringParam(Object.create({ path: "inherited" }), "path")).toBeUndefined();
    expect(readStringParam({}, "constructor")).toBeUndefined();
    expect(readBooleanParam({}, "__proto__")).toBe(false);
    expect(readStringParam(JSON.parse('{"__proto__":"own"}'), "__proto__")).toBe("own");
    const polluted: unknown = JSON.parse('{"__proto__":{"path":"x"}}');
    expect(readStringParam({ ...Object(polluted) }, "path")).toBeUndefined();
  });
});

describe("the parameters as a whole", () => {
  it.each(["null", "[]", '"text"', "5"])("are refused when they are %s", (json) => {
    const params = JSON.parse(json);
    for (const run of [
      () => readStringParam(params, "path"),
      () => readNumberParam(params, "path"),
      () => readBooleanParam(params, "path"),
      () => readStringArrayParam(params, "path"),
      () => assertRequiredParams(params, ["path"]),
    ]) {
      expectInputError(run, "parameters must be an object");
    }
  });
});

describe("readStringParam", () => {
  it.each<[unknown, unknown]>([
    ["a", "a"],
    ["  a b ", "a b"],
    ["", undefined],
    [" \n", undefined],
    [null, undefined],
    [0, "0"],
    [-1.5, "-1.5"],
    [12n, "12"],
    [Number.NaN, FAILS],
    [Number.POSITIVE_INFINITY, FAILS],
    [true, FAILS],
    [{}, FAILS],
    [["a"], FAILS],
    [Symbol("a"), FAILS],
  ])("reads %s as %s", (value, expected) => {
    const read = () => readStringParam({ value }, "value");
    if (expected === FAILS) expectInputError(read, "value must be a string");
    else expect(read()).toBe(expected);
  });

  it("keeps blanks with trim off, where only the empty string counts as empty", () => {
    const options = { trim: false, required: true } as const;
    expect(readStringParam({ text: "  " }, "text", options)).toBe("  ");
    expectInputError(() => readStringParam({ text: "" }, "text", options), "text required");
  });

  it("gives the empty string with allowEmpty, also when required", () => {
    const options = { allowEmpty: true, required: true } as const;
    expect(readStringParam({ text: "  " }, "text", options)).toBe("");
    expectInputError(() => readStringParam({ text: null }, "text", options), "text required");
  });
});

describe("readNumberParam", () => {
  it.each<[unknown, unknown]>([
    [5, 5],
    [" 2.5 ", 2.5],
    ["0x10", 16],
    ["1e3", 1000],
    ["", undefined],
    ["  ", undefined],
    [null, undefined],
    ["12abc", FAILS],
    ["Infinity", FAILS],
    ["1e999", FAILS],
    [Number.NaN, FAILS],
    [Number.NEGATIVE_INFINITY, FAILS],
    [true, FAILS],
    [5n, FAILS],
    [[5], FAILS],
    [{ valueOf: () => 5 }, FAILS],
  ])("reads %s as %s", (value, expected) => {
    const read = () => readNumberParam({ value }, "value");
    if (expected === FAILS) expectInputError(read, "value must be a number");
    else expect(read()).toBe(expected);
  });

  it("refuses a blank string when the number is required", () => {
    const read = () =>
      readNumberParam({ page: " " }, "page", { required: true, label: "the page" });
    expectInputError(read, "the page required");
  });
});

describe("readBooleanParam", () => {
  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    ["true", true],
    [" TRUE ", true],
    ["1", true],
    ["false", false],
    ["yes", false],
    ["", false],
    [1, true],
    [0, false],
    [Number.NaN, false],
    [{}, false],
    [[], false],
  ])("reads %s as %s, whatever the default", (value, expected) => {
    expect(readBooleanParam({ value }, "value")).toBe(expected);
    expect(readBooleanParam({ value }, "value", { defaultValue: true })).toBe(expected);
  });

  it("takes null and undefined for absent", () => {
    expect(readBooleanParam({ force: null }, "force", true)).toBe(true);
    const read = () => readBooleanParam({ force: undefined }, "force", { required: true });
    expectInputError(read, "force required");
  });

  it.each<[unknown, unknown]>([
    ["True", true],
    ["0", false],
    ["false", false],
    [false, false],
    [1, true],
    ["yes", FAILS],
    ["", FAILS],
    [{}, FAILS],
  ])("reads %s as %s in strict mode", (value, expected) => {
    const read = () => readBooleanParam({ value }, "value", { strict: true });
    if (expected === FAILS) expectInputError(read, "value must be a boolean");
    else expect(read()).toBe(expected);
  });
});

describe("readStringArrayParam", () => {
  it.each<[unknown, unknown]>([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ["a", ["a"]],
    [" a ", ["a"]],
    [[" a ", "", " "], ["a"]],
    [
      [1, 2n, "c"],
      ["1", "2", "c"],
    ],
    [7, FAILS],
    [[], []],
    ["", undefined],
    [null, undefined],
    [[null], FAILS],
    [["a", {}], FAILS],
    [["a", ["b"]], FAILS],
    [[true], FAILS],
    [[Number.NaN], FAILS],
    [{ 0: "a", length: 1 }, FAILS],
    [true, FAILS],
  ])("reads the value of case %#", (value, expected) => {
    const read = () => readStringArrayParam({ value }, "value");
    if (expected === FAILS) expectInputError(read, "value must be a string or string array");
    else expect(read()).toEqual(expected);
  });

  it.each<[unknown]>([[[]], [["", " "]], [" "], [null]])(
    "refuses a required list in which nothing is left: case %#",
    (tags) => {
      const read = () => readStringArrayParam({ tags }, "tags", { required: true, label: "tag" });
      expectInputError(read, "tag required");
    },
  );
});

describe("assertRequiredParams", () => {
  it("passes 0, false and names in their other form", () => {
    const params = { count: 0, force: false, work_dir: "x", list: [] };
    expect(() => assertRequiredParams(params, ["count", "force", "workDir", "list"])).not.toThrow();
  });

  it.each<[unknown]>([[undefined], [null], [""], ["  "]])(
    "names the first key whose value is %s",
    (value) => {
      const check = () => assertRequiredParams({ a: 1, b: value }, ["a", "b", "c"]);
      expectInputError(check, "b required");
    },
  );
});

function expectInputError(run: () => unknown, message: string): ToolInputError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolInputError);
    if (error instanceof ToolInputError) {
      expect(error).toMatchObject({ message, code: "invalid_input", status: 400 });
      return error;
    }
  }
  throw new Error(`expected the input error "${message}"`);
}
