// The reason of a miss and its place: white space, unseen characters, lines of any length.

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

describe("a text with something around it that is not in the file", () => {
  it.each([
    ["fence", "```ts\nfoo();\nbar();\n```"],
    ["fence", "~~~\nfoo();\n~~~\n"],
    ["diff_marks", "-foo();\n-bar();"],
    ["indentation", " foo();\n bar();"],
    ["diff_marks", " foo();\n+bar();\n"],
  ])("is told by %s: %j", async (difference, oldText) => {
    expect(await miss("first\nfoo();\nbar();\n", oldText)).toMatchObject({ difference });
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

describe("characters that look the same, or like nothing", () => {
  it.each([
    [
      "unseen_characters",
      "a zero width space",
      "total\u200B = 1\n",
      "total = 1",
      "U+200B",
      "U+0020",
    ],
    ["unseen_characters", "a soft hyphen", "to\u00ADtal = 1\n", "total = 1", "U+00AD", "U+0074"],
    ["text", "a letter of another script", "total = 1\n", "t\u043Etal = 1", "U+006F", "U+043E"],
  ])("%s: %s is named", async (difference, _, before, oldText, inFile, inText) => {
    const details = await miss(before, oldText);
    expect(details).toMatchObject({ difference });
    expect(details).toHaveProperty(
      "error",
      expect.stringMatching(new RegExp(`the file has .*\\(U\\+${inFile.slice(2)}\\), oldText`)),
    );
    expect(details).toHaveProperty("error", expect.stringContaining(`(${inText})`));
  });
});

describe("the place of the first difference", () => {
  it.each([
    ["a line end within a line", "foo bar\nbaz\n", "foo\n", 4],
    ["a line that goes on", "x = foo(bar)\nbaz\n", "foo\nbaz", 8],
  ])("%s", async (_, before, oldText, column) => {
    expect(await miss(before, oldText)).toMatchObject({ line: 1, column });
  });

  const code = [
    "export function load(names) {",
    "  const found = [];",
    "  for (const name of names) {",
    "    const entry = readEntry(name);",
    "    if (entry === undefined) continue;",
    "    found.push(entry);",
    "    report(entry, found.length);",
    "  }",
    "  return found;",
    "}",
    "",
  ];
  it.each([
    ["a line that was left out", code.toSpliced(2, 1), 3, 3],
    ["a line that is too much", code.toSpliced(2, 0, "  assertNames(names);"), 3, 3],
    ["a first line that is unlike", ["#[inline] @@ 42", ...code.slice(1)], 1, 1],
  ])("behind %s", async (_, wanted, line, column) => {
    const details = await miss(`// Loading.\n${code.join("\n")}`, wanted.join("\n"));
    expect(details).toMatchObject({ line: line + 1, column });
  });

  it("in a line of its own that is nearer than a part of a long one", async () => {
    const long = "export function load(a){return a}".repeat(50);
    const before = `${long}\nexport function loadAll(names) {\n`;
    const details = await miss(before, "export function loadAll(nimes) {");
    expect(details).toMatchObject({ line: 2, column: 26 });
  });

  const numbers = Array.from({ length: 5_000 }, (_, index) => `f${index}(${index * 7});`);
  const long = numbers.join("");
  it.each([20, 30, 60, 200, 1_000])(
    "in a line of 50000 characters, for a text of %i",
    async (length) => {
      const start = long.indexOf("f4000(");
      const text = long.slice(start, start + length);
      const before = `first line\n${long}\nlast line\n`;
      for (const slip of [4, Math.floor(length / 2), length - 3]) {
        const oldText = `${text.slice(0, slip)}#${text.slice(slip + 1)}`;
        expect(await miss(before, oldText)).toMatchObject({ line: 2, column: start + slip + 1 });
      }
    },
  );
});
