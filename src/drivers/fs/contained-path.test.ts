// The text of a path, judged without a file system.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseContainedPath, relativeInside } from "./contained-path.js";

const ROOTS = { base: "/given/root", roots: ["/given/root", "/real/root"] };

describe("parseContainedPath", () => {
  it.each([
    ["a.txt", "a.txt", false],
    ["a//b/./c", "a/b/c", false],
    ["a/../b", "b", false],
    ["..foo", "..foo", false],
    ["/given/root/x", "x", false],
    ["/real/root/x", "x", false],
    ["/given/root", "", false],
    [".", "", true],
    ["a/", "a", true],
    ["a/.", "a", true],
    ["a/b/..", "a", true],
    ["a.", "a.", false],
    ["a..", "a..", false],
    ["a\\", "a\\", false],
    ["./~/x", "~/x", false],
    ["~x", "~x", false],
    ["c:x", "c:x", false],
  ])("%j lies at %j below the root", (filePath, relative, namesFolder) => {
    expect(parseContainedPath({ filePath, ...ROOTS })).toEqual({ relative, namesFolder });
  });

  it.each([
    ["..", "path_outside_root"],
    ["a/../../b", "path_outside_root"],
    ["/given", "path_outside_root"],
    ["/given/rootless", "path_outside_root"],
    ["//given/root-x", "path_outside_root"],
    ["", "path_invalid"],
    ["\u00a0", "path_invalid"],
    ["~", "path_invalid"],
    ["~/x", "path_invalid"],
    ["FILE:///etc/x", "path_invalid"],
    ["http://host/x", "path_invalid"],
    ["é".repeat(2_049), "path_invalid"],
    ["a\0", "path_has_nul"],
  ])("%j is refused as %s", (filePath, reason) => {
    expect(() => parseContainedPath({ filePath, ...ROOTS })).toThrowError(
      expect.objectContaining({ reason }),
    );
  });

  it("starts from cwd when there is one, and judges where it ends", () => {
    const sub = { ...ROOTS, cwd: "/real/root/sub" };
    expect(parseContainedPath({ filePath: "../x", ...sub })).toMatchObject({ relative: "x" });
    expect(() => parseContainedPath({ filePath: "../../x", ...sub })).toThrow("leads out");
  });
});

describe("a relative cwd", () => {
  it.each([
    ["sub", "sub/x"],
    ["./sub/..", "x"],
    ["", "x"],
    ["../given-root", "x"],
  ])("%j starts at the root, but for the name that the root was given by", (cwd, relative) => {
    const request = { ...ROOTS, spelled: "../given-root", filePath: "x", cwd };
    expect(parseContainedPath(request)).toMatchObject({ relative });
  });

  it("may be the root as the process sees it", () => {
    const base = join(process.cwd(), "root");
    const request = { base, roots: [base], filePath: "x", cwd: "./root/" };
    expect(parseContainedPath(request)).toMatchObject({ relative: "x" });
  });
});

describe("relativeInside", () => {
  it("takes everything as inside of /", () => {
    expect(relativeInside("/", "/etc/x")).toBe("etc/x");
    expect(relativeInside("/", "/")).toBe("");
  });
});
