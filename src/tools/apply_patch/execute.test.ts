// Which files a patch means by names with an "@" in front or spaces around them.

import { describe, expect, it } from "vitest";
import { nameFiles } from "./execute.js";
import type { Operation } from "./parse/parse-patch.js";

const add = (path: string): Operation => ({ kind: "add", path, line: 2, content: "x\n" });
const moveTo = (path: string): Operation => ({
  kind: "update",
  path: "a",
  line: 2,
  moveTo: path,
  hunks: [],
});

async function nameOf(operation: Operation, files: readonly string[]): Promise<string | undefined> {
  const [named] = await nameFiles([operation], async (path) => files.includes(path));
  return named?.kind === "update" ? named.moveTo : named?.path;
}

describe("the name of a file that a patch adds or moves to", () => {
  const CASES: [path: string, files: string[], name: string][] = [
    ["@x", ["x"], "x"],
    ["@x", ["@x", "x"], "@x"],
    ["@x", [], "@x"],
    ["@x ", ["x"], "x"],
    ["x ", ["x"], "x "],
    ["x ", [], "x"],
  ];

  it.each(CASES)("%j with the files %j is %j", async (path, files, name) => {
    expect(await nameOf(add(path), files)).toBe(name);
    expect(await nameOf(moveTo(path), files)).toBe(name);
  });
});
