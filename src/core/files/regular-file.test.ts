// What stat says, as the answer of a tool that needs a file.

import { describe, expect, it } from "vitest";
import type { FsStat } from "../ports/fs-bridge.js";
import { assertRegularFile, assertReplaceable } from "./errors.js";

const statOf = (type: FsStat["type"]): FsStat => ({ type, size: 0, mtimeMs: 0 });

describe("a file to be read", () => {
  it.each([
    ["nothing", null, "not_found", "file_missing"],
    ["a folder", statOf("directory"), "invalid_input", "is_directory"],
    ["a pipe", statOf("other"), "invalid_input", "not_regular_file"],
  ])("is not %s", (_what, stat, code, reason) => {
    const refusal = expect.objectContaining({ code, reason });
    expect(() => assertRegularFile(stat, "x")).toThrowError(refusal);
  });

  it("is a file, and a file to be replaced may be missing", () => {
    expect(() => assertRegularFile(statOf("file"), "x")).not.toThrow();
    expect(() => assertReplaceable(statOf("file"), "x")).not.toThrow();
    expect(() => assertReplaceable(null, "x")).not.toThrow();
    expect(() => assertReplaceable(statOf("directory"), "x")).toThrow("is a folder");
  });
});
