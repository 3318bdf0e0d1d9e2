// Names that begin alike are no folders of each other.
import { describe, expect, it } from "vitest";
import { isBelow } from "./paths.js";

describe("a path below a folder", () => {
  it.each([
    ["/a/b", "/a", true],
    ["/a/..b", "/a", true],
    ["/a/b", "/", true],
    ["/a", "/a", false],
    ["/ab", "/a", false],
    ["/", "/a", false],
  ])("%s in %s: %s", (path, folder, expected) => {
    expect(isBelow(path, folder)).toBe(expected);
  });
});
