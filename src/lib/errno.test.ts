// What counts as an error of the system.
import { describe, expect, it } from "vitest";
import { errnoOf, isMissing } from "./errno.js";

const withCode = (code: unknown) => Object.assign(new Error("x"), { code });

describe("the name of an error", () => {
  it.each([
    ["ENOENT", "ENOENT"],
    ["E2BIG", "E2BIG"],
    ["ERR_INVALID_ARG_TYPE", ""],
    ["not_found", ""],
    [2, ""],
    [undefined, ""],
  ])("code %j is %j", (code, name) => {
    expect(errnoOf(withCode(code))).toBe(name);
  });

  it("is empty for what is no error", () => {
    expect(errnoOf({ code: "ENOENT" })).toBe("");
    expect(errnoOf(null)).toBe("");
  });

  it("tells a missing file from a forbidden one", () => {
    expect(["ENOENT", "ENOTDIR", "EACCES"].map((code) => isMissing(withCode(code)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
