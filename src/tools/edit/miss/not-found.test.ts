// White space as the reason of a miss: told when it is the reason, and only then.

import { describe, expect, it } from "vitest";
import { createMemoryBridge, MEMORY_ROOT } from "../../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../../test/fakes/resolve-tool.js";
import { edit } from "../index.js";

async function miss(before: string, oldText: string) {
  const bridge = createMemoryBridge({ f: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const { details } = await tool.execute("call", { path: "f", oldText, newText: "other" });
  expect(details).toMatchObject({ reason: "not_found_in_file" });
  return details;
}

describe("a text that ends with white space", () => {
  it("differs in its letters where the word of the file goes on", async () => {
    const details = await miss("const foobar = 1;\n", "const foo ");
    expect(details).toMatchObject({ difference: "text", line: 1, column: 10 });
    expect(details).toHaveProperty(
      "error",
      expect.stringContaining('the file has "bar = 1;", oldText has " "'),
    );
  });

  it.each([
    ["letter_case", "const Foo\nx\n", "const foo  "],
    ["white_space", "const foo bar\n", "const foo   "],
    ["white_space", "const  foo bar\n", "const foo "],
    ["indentation", "  one()\n    two()\n", "  one()\n  two() "],
    ["line_breaks", "one()\n\ntwo() x\n", "one()\ntwo() "],
    ["text", "one()\n\ntwo()x\n", "one()\ntwo() "],
  ])("differs in %s: %j, %j", async (difference, before, oldText) => {
    expect(await miss(before, oldText)).toMatchObject({ difference });
  });
});

describe("a short text whose white space differs", () => {
  it.each([
    ["a\tb\n", "a b"],
    ["x\na\t\tb\n", "a b"],
    ["a  b\n", "a b"],
    ["ab\n", "a b"],
    ["a b\n", "a\tb"],
  ])("is told so: %j, %j", async (before, oldText) => {
    expect(await miss(before, oldText)).toMatchObject({ difference: "white_space" });
  });
});
