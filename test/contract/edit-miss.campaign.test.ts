// What edit says of a text that is not in the file: why, where the nearest is, and what differs.

import type { ToolResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { sampleRows } from "../fakes/campaign.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";

interface MissDetails {
  readonly error: string;
  readonly reason: string;
  readonly difference: string;
  readonly nearestLines: readonly number[];
  readonly line?: number;
  readonly column?: number;
}

async function miss(
  before: string,
  oldText: string,
  newText = "replacement",
): Promise<MissDetails> {
  const bridge = createMemoryBridge({ f: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const result: ToolResult = await tool.execute("call", { path: "f", oldText, newText });
  const details = result.details as MissDetails;
  expect(details).toMatchObject({ reason: "not_found_in_file", code: "invalid_input" });
  expect(String(await bridge.readFile({ filePath: "f", cwd: MEMORY_ROOT }))).toBe(before);
  return details;
}

const CODE = "function a() {\n  return one;\n}\nfunction b() {\n  return two;\n}\n";

describe("the reason why a text is not found", () => {
  const CASES: [kind: string, title: string, before: string, oldText: string, words: string][] = [
    [
      "indentation",
      "tabs for spaces",
      "x\n\tif (a) {\n\t\tb();\n\t}\n",
      "    if (a) {\n        b();\n    }",
      "line 2 has 1 tab, oldText has 4 spaces",
    ],
    [
      "indentation",
      "more spaces",
      "    return one;\n    return two;\n",
      "return one;\n  return two;",
      "line 2 has 4 spaces, oldText has 2 spaces",
    ],
    [
      "indentation",
      "a mix",
      "\t  return one;\n",
      "    return one;",
      "line 1 has 1 tab and 2 spaces, oldText has 4 spaces",
    ],
    [
      "indentation",
      "one line of several",
      CODE,
      "function b() {\n    return two;\n}",
      "line 5 has 2 spaces, oldText has 4 spaces",
    ],
    [
      "letter_case",
      "a capital",
      "const Total = 1;\n",
      "const total = 1;",
      "Only the case of letters differs",
    ],
    [
      "white_space",
      "two spaces",
      "a  = compute(1);\n",
      "a = compute(1);",
      "Only white space within lines differs",
    ],
    [
      "white_space",
      "no space",
      "a=compute(1);\n",
      "a = compute(1);",
      "Only white space within lines differs",
    ],
    [
      "line_breaks",
      "a blank line less",
      "first()\n\nsecond()\n",
      "first()\nsecond()",
      "Only line breaks or blank lines differ",
    ],
    [
      "line_breaks",
      "a line that was wrapped",
      "call(first,\n  second)\n",
      "call(first, second)",
      "Only line breaks or blank lines differ",
    ],
    [
      "text",
      "another word",
      "const total = 1;\n",
      "const totel = 1;",
      "copy it as it is in the file",
    ],
    ["unlike", "nothing alike", "abc\n", "zzzzzzzz", "No line is like it; read the file first"],
    ["unlike", "an empty file", "", "some text", "No line is like it"],
    [
      "line_numbers",
      "numbers with a colon",
      "foo\nbar\n",
      "1: foo\n2: bar",
      "without them it is at line 1",
    ],
    [
      "line_numbers",
      "numbers with a tab",
      "foo\n  bar\n",
      "     1\tfoo\n     2\t  bar",
      "without them it is at line 1",
    ],
    [
      "line_numbers",
      "numbers with an arrow",
      "x\nfoo\nbar\n",
      "   2→foo\n   3→bar",
      "without them it is at line 2",
    ],
    [
      "line_numbers",
      "numbers with a bar",
      "foo\n\nbar\n",
      "1| foo\n\n3| bar",
      "without them it is at line 1",
    ],
    ["escapes", "line ends sent as two letters", "foo\nbar\n", "foo\\nbar", "are escaped"],
    ["escapes", "quotes sent with backslashes", 'say("a")\n', 'say(\\"a\\")', "are escaped"],
    ["escapes", "two letters in the file", 'say("a\\nb")\n', 'say("a\nb")', "are escaped"],
    [
      "entities",
      "HTML entities",
      "if (a < b && c) {\n",
      "if (a &lt; b &amp;&amp; c) {",
      "HTML entities",
    ],
    [
      "final_line_end",
      "a line end behind the last line",
      "foo\nbar",
      "bar\n",
      "without it, it is at line 2",
    ],
    [
      "first_line_end",
      "a line end before the first line",
      "foo\nbar",
      "\nfoo",
      "without it, it is at line 1",
    ],
  ];
  it.each(CASES)("%s: %s", async (kind, _, before, oldText, words) => {
    const details = await miss(before, oldText);
    expect(details.difference, details.error).toBe(kind);
    expect(details.error).toContain(words);
  });

  it("is that newText is there already", async () => {
    const details = await miss("a\nconst total = 2;\n", "const total = 1;", "const total = 2;");
    expect(details.difference).toBe("already_applied");
    expect(details.error).toContain("newText is there already, at line 2");
  });

  it("names the edit of several", async () => {
    const bridge = createMemoryBridge({ f: "a\n" });
    const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
    const edits = [
      { oldText: "a", newText: "b" },
      { oldText: "missing words", newText: "" },
    ];
    const { details } = await tool.execute("call", { path: "f", edits });
    expect((details as MissDetails).error).toMatch(/^edits\[1\]\.oldText does not occur in "f"\. /);
  });

  it.each([
    ["is not there", [["missing words", ""]]],
    ["is there twice", [["twice", ""]]],
    ["is empty", [["", "x"]]],
    ["is blank", [["  ", "x"]]],
    ["holds half a character", [["a", "\uD800"]]],
    ["overlaps another", [["a tw", "x"]]],
  ])("says that nothing was written when one of several %s", async (_, others) => {
    const bridge = createMemoryBridge({ f: "a twice, twice\n" });
    const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
    const edits = [["a t", "b"], ...others].map(([oldText, newText]) => ({ oldText, newText }));
    const { details } = await tool.execute("call", { path: "f", edits });
    expect((details as MissDetails).error).toContain("Nothing was written.");
    expect((await miss("a\n", "missing words")).error).not.toContain("Nothing was written");
  });

  it.each([
    ["byee", 'log("hi")\nlog("bye")\n', 2],
    ["byee", 'console.log("something long before", "bye");\n', 1],
    ["retrun", "x\n\n  return;\n", 3],
  ])("is told with the near line for a short text: %s", async (oldText, before, line) => {
    const details = await miss(before, oldText);
    expect(details.difference, details.error).toBe("text");
    expect(details.nearestLines[0]).toBe(line);
  });
});

describe("the place where a text differs", () => {
  it("is marked under the line, with what stands there on both sides", async () => {
    const { error, line, column } = await miss(CODE, "function b() {\n  return tow;\n}");
    expect(error).toContain(
      [
        "Nearest:",
        "4: function b() {",
        "5:   return two;",
        '             ^ column 11: the file has "wo;", oldText has "ow;"',
        "6: }",
        "Also near:",
        "1: function a() {",
        "2:   return one;",
      ].join("\n"),
    );
    expect([line, column]).toEqual([5, 11]);
  });

  it("stands under tabs where it should", async () => {
    const { error } = await miss("\t\tcall(one, two);\n", "\t\tcall(one, three);");
    const rows = error.split("\n");
    expect(rows[3]).toBe(
      "   \t\t          ^".replace(/ {10}\^/, `${" ".repeat(11)}^`) + rows[3]?.slice(17),
    );
  });

  const CLASS =
    "class User {\n    constructor(user) {\n        this.userName = user.name;\n    }\n}\n";

  it.each([
    ["this.usrName = user.name;", CLASS, 3, 16, '"erName = user.na"…', '"rName = user.nam"…'],
    ["this.username = user.name;", CLASS, 3, 18, '"Name = user.name"…', '"name = user.name"…'],
    ["self.userName = user.name;", CLASS, 3, 9, '"this.userName = "…', '"self.userName = "…'],
    ["2: return one;", "f() {\n    return one;\n}\n", 2, 5, '"return one;"', '"2: return one;"'],
    ["2: return oen;", "f() {\n    return one;\n}\n", 2, 5, '"return one;"', '"2: return oen;"'],
    [
      '<div class="box" id="a">',
      '  <div className="box" id="a">\n',
      1,
      13,
      '"Name=\\"box\\" id=\\"a"…',
      '"=\\"box\\" id=\\"a\\">"',
    ],
    [
      'class="a b" id="main"',
      '<div className="a b" id="main">\n',
      1,
      11,
      '"Name=\\"a b\\" id=\\"m"…',
      '"=\\"a b\\" id=\\"main\\""',
    ],
    ["xonst total = 1;", "  const total = 1;\n", 1, 3, '"const total = 1;"', '"xonst total = 1;"'],
    ["total = compute(2)", "  const total = compute(1);\n", 1, 25, '"1);"', '"2)"'],
    [
      "this.usrName = user.name;\n    }",
      CLASS,
      3,
      16,
      '"erName = user.na"…',
      '"rName = user.nam"…',
    ],
  ])("begins where the line does, whatever its indentation: %s", async (...row) => {
    const [oldText, before, line, column, here, there] = row;
    const details = await miss(before, oldText);
    expect({ line: details.line, column: details.column }, details.error).toEqual({ line, column });
    expect(details.error).toContain(`the file has ${here}, oldText has ${there}`);
  });

  it("is found in the middle of a line", async () => {
    const before = "  const result = compute(alpha, beta, gamma);\n";
    const { error, column } = await miss(before, "compute(alpha, bta");
    expect(before[(column ?? 0) - 1]).toBe("e");
    expect(error).toContain('the file has "eta, gamma);", oldText has "ta"');
  });

  it("is found in a line that is too long to be shown", async () => {
    const before = `key = ${"v".repeat(5_000)}END${"v".repeat(5_000)}\n`;
    const details = await miss(before, `key = ${"v".repeat(1_000)}AND`);
    expect(details.column).toBe(1_007);
    expect(details.error.length).toBeLessThan(700);
    expect(details.error).toMatch(/\n1: …v+…\n +\^ column 1007: /);
  });

  it("is found in one long line by a piece of the text", async () => {
    const noise = Array.from({ length: 3_000 }, (_, index) => `{"id":${index}}`).join(",");
    const piece = '{"name":"a very particular record","value":17}';
    const details = await miss(`[${noise},${piece}]`, piece.replace("17", "18"));
    expect(details.error).toContain('the file has "7}]", oldText has "8}"');
  });

  it("is not where marks differ that are taken for the same", async () => {
    const { column } = await miss("say “one” – two\n", 'say "one" - three');
    expect(column).toBe(14);
  });

  it("is the end of the file when the text goes on behind it", async () => {
    const { error, line } = await miss("first line\nlast line", "last line\nand another one");
    expect(line).toBe(2);
    expect(error).toContain("the file has its end, oldText has the end of a line");
  });
});

describe("what is shown of the file", () => {
  it("are at most three regions, the best first, none twice", async () => {
    const before = Array.from(
      { length: 40 },
      (_, index) => `const value${index} = read(${index});`,
    );
    const details = await miss(before.join("\n"), "const value7 = read(77);");
    expect(details.nearestLines).toHaveLength(3);
    expect(details.nearestLines[0]).toBe(8);
    expect(new Set(details.nearestLines).size).toBe(3);
  });

  it("is the region that most of the lines agree on, among many that begin alike", async () => {
    const block = (name: string) => `for (const item of list) {\n  ${name}(item);\n}\n`;
    const names = Array.from({ length: 200 }, (_, index) => `handle${index}`);
    const oldText = block("handle150").replace("(item);", "(itm);");
    const details = await miss(names.map(block).join(""), oldText);
    expect(details.nearestLines[0]).toBe(150 * 3 + 1);
  });

  it("is cut when the text is long", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index} ${"word ".repeat(60)}`);
    const oldText = lines.slice(0, 200).join("\n").replace("line 150 ", "LINE 150!");
    const details = await miss(lines.join("\n"), oldText);
    expect(details.line).toBe(151);
    expect(details.error.length).toBeLessThan(2_500);
  });
});

describe("a report is made in linear time", () => {
  const MEBIBYTE = 1024 * 1024;
  const MAX_CPU_MS = 8_000;
  const random = (() => {
    let state = 1;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
  })();
  const words = () => Array.from({ length: 8 }, () => (random() % 5_000).toString(36)).join(" ");

  it.each(
    sampleRows<[string, string, string]>(
      [
        [
          "10 MiB of code",
          `${Array.from({ length: 200_000 }, (_, index) => `  const value${index} = compute(${index}, 17);`).join("\n")}`,
          "  const value77777 = compute(77777, 18);",
        ],
        [
          "10 MiB of different lines",
          Array.from({ length: 250_000 }, words).join("\n"),
          Array.from({ length: 50 }, words).join("\n"),
        ],
        ["10 MiB in one line", "abc ".repeat(2.5 * MEBIBYTE), `${"abc ".repeat(1_000)}abd`],
        ["10 MiB of line ends", "\n".repeat(10 * MEBIBYTE), "\n\n\nx\n\n\n"],
        [
          "10 MiB of the same line",
          "same line of text\n".repeat(550_000),
          `${"same line of text\n".repeat(5_000)}other`,
        ],
        [
          "a text as long as the file",
          "a".repeat(4 * MEBIBYTE),
          `${"a".repeat(2 * MEBIBYTE)}b${"a".repeat(2 * MEBIBYTE - 1)}`,
        ],
        ["10 MiB of spaces", " ".repeat(10 * MEBIBYTE), `${" ".repeat(MEBIBYTE)}x`],
        ["10 MiB of brackets", "}\n".repeat(5 * MEBIBYTE), "}\n}\n{\n}\n"],
      ],
      3,
    ),
  )("for %s", async (_, before, oldText) => {
    const start = process.cpuUsage();
    const details = await miss(before, oldText);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(MAX_CPU_MS);
    expect(details.error.length).toBeLessThan(3_000);
  });
});
