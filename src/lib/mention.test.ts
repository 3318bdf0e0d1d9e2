// The sign goes only when the name without it is the one that exists.

import { describe, expect, it } from "vitest";
import { withoutMention } from "./mention.js";

const among =
  (...names: string[]) =>
  async (name: string) =>
    names.includes(name);

describe("withoutMention", () => {
  it.each([
    ["@a.txt", ["a.txt"], "a.txt"],
    ["@a.txt", ["a.txt", "@a.txt"], "@a.txt"],
    ["@a.txt", [], "@a.txt"],
    ["@@a.txt", ["a.txt"], "@@a.txt"],
    ["@", [""], "@"],
    ["a@b", ["b"], "a@b"],
  ])("%j among %j is %j", async (name, existing, expected) => {
    expect(await withoutMention(name, among(...existing))).toBe(expected);
  });
});
