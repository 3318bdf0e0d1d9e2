// Paths as text: what a path comes to without its dots.

import { describe, expect, it } from "vitest";
import { toPlainPath } from "./request.js";

describe("toPlainPath", () => {
  it.each([
    ["a", undefined, "a"],
    ["./a//b/.", undefined, "a/b"],
    ["a/../b", undefined, "b"],
    ["../a", undefined, "../a"],
    ["../../a", undefined, "../../a"],
    ["/../a", undefined, "/a"],
    ["/", undefined, "/"],
    ["", undefined, ""],
    ["a", "/r", "/r/a"],
    ["../a", "/r", "/a"],
    ["/a", "/r", "/a"],
    ["a", "r", "r/a"],
    ["..a/b..", "/r/", "/r/..a/b.."],
  ])("%j from %j is %j", (path, cwd, plain) => {
    expect(toPlainPath(path, cwd)).toBe(plain);
  });
});
