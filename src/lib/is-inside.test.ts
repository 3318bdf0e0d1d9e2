// Where a path lies: borders at whole names, and the root of all.
import { describe, expect, it } from "vitest";
import { isInside } from "./paths.js";

describe("isInside", () => {
  it.each([
    ["/a/b", "/a", true],
    ["/a", "/a", true],
    ["/a", "/", true],
    ["/", "/", true],
    ["/ab", "/a", false],
    ["/", "/a", false],
    ["/a", "/a/b", false],
  ])("of %s in %s is %s", (path, folder, expected) => {
    expect(isInside(path, folder)).toBe(expected);
  });
});
