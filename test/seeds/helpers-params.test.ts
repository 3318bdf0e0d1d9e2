// Claims 89 to 108 and 111: the parameter readers, through the doors.
import type { BooleanParamOptions, NumberParamOptions, StringParamOptions } from "clawtools/tools";
import {
  assertRequiredParams,
  readBooleanParam,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
  ToolInputError,
} from "clawtools/tools";
import { describe, expect, expectTypeOf, it } from "vitest";

describe("names", () => {
  it.each([
    ["workspaceDir", "workspace_dir"],
    ["workspace_dir", "workspaceDir"],
  ])("89 · readers accept camelCase and snake_case: asked for %s, given %s", (asked, given) => {
    expect(readStringParam({ [given]: "/w" }, asked)).toBe("/w");
    expect(readNumberParam({ [given]: 3 }, asked)).toBe(3);
    expect(readBooleanParam({ [given]: true }, asked)).toBe(true);
    expect(readStringArrayParam({ [given]: ["a"] }, asked)).toEqual(["a"]);
    expect(() => assertRequiredParams({ [given]: "/w" }, [asked])).not.toThrow();
  });
});

describe("readStringParam", () => {
  it("90 · readStringParam trims by default", () => {
    expect(readStringParam({ path: "  a.txt\n" }, "path")).toBe("a.txt");
  });

  it("91 · readStringParam coerces numbers", () => {
    expect(readStringParam({ id: 42 }, "id")).toBe("42");
  });

  it("92 · required -> ToolInputError if missing or empty", () => {
    for (const params of [{}, { path: null }, { path: "" }, { path: "   " }]) {
      const read = () => readStringParam(params, "path", { required: true });
      expect(read).toThrow(ToolInputError);
      expect(read).toThrow(/^path required$/);
    }
  });

  it('93 · label in the message: "file path required"', () => {
    const options = { required: true, label: "file path" } as const;
    expect(() => readStringParam({}, "filePath", options)).toThrow(/^file path required$/);
    expect(() => readStringParam({}, "filePath", { required: true })).toThrow(
      /^filePath required$/,
    );
  });

  it("94 · trim:false", () => {
    expect(readStringParam({ content: "  a\n" }, "content", { trim: false })).toBe("  a\n");
    expect(readStringParam({ content: "  " }, "content", { trim: false })).toBe("  ");
  });

  it("95 · allowEmpty", () => {
    expect(readStringParam({ suffix: "" }, "suffix")).toBeUndefined();
    expect(readStringParam({ suffix: "" }, "suffix", { allowEmpty: true })).toBe("");
    expect(readStringParam({ suffix: " " }, "suffix", { allowEmpty: true, required: true })).toBe(
      "",
    );
  });

  it("96 · optional missing -> undefined", () => {
    expect(readStringParam({}, "path")).toBeUndefined();
    expect(readNumberParam({}, "limit")).toBeUndefined();
    expect(readStringArrayParam({}, "tags")).toBeUndefined();
  });

  it("97 · StringParamOptions type", () => {
    expectTypeOf<StringParamOptions>().toEqualTypeOf<{
      required?: boolean;
      trim?: boolean;
      label?: string;
      allowEmpty?: boolean;
    }>();
    const params = { path: "a" };
    expectTypeOf(readStringParam(params, "path")).toEqualTypeOf<string | undefined>();
    expectTypeOf(readStringParam(params, "path", { trim: false })).toEqualTypeOf<
      string | undefined
    >();
    const path: string = readStringParam(params, "path", { required: true });
    expect(path).toBe("a");
  });
});

describe("readNumberParam", () => {
  it("98 · readNumberParam coerces strings", () => {
    expect(readNumberParam({ limit: "20" }, "limit")).toBe(20);
    expect(readNumberParam({ limit: " -2.5 " }, "limit")).toBe(-2.5);
    expect(readNumberParam({ limit: "" }, "limit")).toBeUndefined();
  });

  it("99 · integer floors", () => {
    expect(readNumberParam({ page: 2.9 }, "page", { integer: true })).toBe(2);
    expect(readNumberParam({ page: "-1.5" }, "page", { integer: true })).toBe(-2);
    expect(readNumberParam({ page: 2.9 }, "page")).toBe(2.9);
  });

  it("100 · NumberParamOptions type", () => {
    expectTypeOf<NumberParamOptions>().toEqualTypeOf<{
      required?: boolean;
      integer?: boolean;
      label?: string;
    }>();
    const params = { page: 1 };
    expectTypeOf(readNumberParam(params, "page")).toEqualTypeOf<number | undefined>();
    const page: number = readNumberParam(params, "page", { required: true, integer: true });
    expect(page).toBe(1);
  });
});

describe("readBooleanParam", () => {
  it('101 · readBooleanParam: "true","1" -> true, rest false', () => {
    for (const value of [true, "true", "1"]) {
      expect(readBooleanParam({ force: value }, "force")).toBe(true);
    }
    for (const value of [false, "false", "0", "yes", "anything", "", 0]) {
      expect(readBooleanParam({ force: value }, "force", { defaultValue: true })).toBe(false);
    }
  });

  it("102 · positional boolean default (legacy)", () => {
    expect(readBooleanParam({}, "recursive", true)).toBe(true);
    expect(readBooleanParam({}, "recursive", false)).toBe(false);
    expect(readBooleanParam({ recursive: false }, "recursive", true)).toBe(false);
  });

  it("103 · default false; defaultValue", () => {
    expect(readBooleanParam({}, "force")).toBe(false);
    expect(readBooleanParam({}, "verbose", { defaultValue: true })).toBe(true);
  });

  it("104 · required throws if absent", () => {
    const read = () => readBooleanParam({}, "strict", { required: true });
    expect(read).toThrow(ToolInputError);
    expect(read).toThrow(/^strict required$/);
    expect(readBooleanParam({ strict: false }, "strict", { required: true })).toBe(false);
  });

  it("105 · BooleanParamOptions type", () => {
    type Documented = { required?: boolean; defaultValue?: boolean; label?: string };
    expectTypeOf<Pick<BooleanParamOptions, keyof Documented>>().toEqualTypeOf<Documented>();
    expectTypeOf<Documented>().toExtend<BooleanParamOptions>();
    expectTypeOf(readBooleanParam).returns.toEqualTypeOf<boolean>();
    expectTypeOf(readBooleanParam)
      .parameter(2)
      .toEqualTypeOf<boolean | BooleanParamOptions | undefined>();
    const options: BooleanParamOptions = { required: true, defaultValue: true, label: "mode" };
    expect(() => readBooleanParam({}, "strict", options)).toThrow(/^mode required$/);
  });
});

describe("readStringArrayParam", () => {
  it("106 · readStringArrayParam wraps a single string", () => {
    expect(readStringArrayParam({ tags: "one" }, "tags")).toEqual(["one"]);
    expect(readStringArrayParam({ tags: ["one", "two"] }, "tags")).toEqual(["one", "two"]);
  });

  it("107 · required variant throws", () => {
    for (const params of [{}, { ids: null }, { ids: [] }, { ids: [" "] }]) {
      const read = () => readStringArrayParam(params, "ids", { required: true });
      expect(read).toThrow(ToolInputError);
      expect(read).toThrow(/^ids required$/);
    }
    const ids: string[] = readStringArrayParam({ ids: "a" }, "ids", { required: true });
    expect(ids).toEqual(["a"]);
  });
});

describe("all readers", () => {
  it("108 · assertRequiredParams: first missing key, non-empty", () => {
    const check = (params: Record<string, unknown>) => () =>
      assertRequiredParams(params, ["path", "content"]);
    expect(check({ path: "a", content: "b" })).not.toThrow();
    expect(check({ path: 0, content: false })).not.toThrow();
    expect(check({})).toThrow(ToolInputError);
    expect(check({})).toThrow(/^path required$/);
    for (const content of [undefined, null, "", "  "]) {
      expect(check({ path: "a", content })).toThrow(/^content required$/);
    }
  });

  it("111 · readers throw on wrong type", () => {
    const params = { value: { not: "a scalar" }, word: "many" };
    const cases: [() => unknown, string][] = [
      [() => readStringParam(params, "value"), "value must be a string"],
      [() => readNumberParam(params, "value"), "value must be a number"],
      [() => readNumberParam(params, "word"), "word must be a number"],
      [() => readStringArrayParam(params, "value"), "value must be a string or string array"],
      [() => readBooleanParam(params, "word", { strict: true }), "word must be a boolean"],
    ];
    for (const [read, message] of cases) {
      expect(read).toThrow(ToolInputError);
      expect(read).toThrow(message);
    }
  });
});
