// Where a hunk fits: exactly, then with ever more differences forgiven; and what is said of one that
// fits nowhere, or in two places.

import { describe, expect, it } from "vitest";
import { patchFile } from "./apply-patch-bench.js";

type Case = readonly [title: string, before: string, hunks: string, after: string];

describe("a hunk fits", () => {
  const CASES: readonly Case[] = [
    ["in the first of two exact places", "y\nx\ny\n", "@@\n-y\n+Y", "Y\nx\ny\n"],
    ["in an exact place rather than an earlier loose one", " y\ny\n", "@@\n-y\n+Y", " y\nY\n"],
    ["behind the hunk before", "y\nx\ny\n", "@@\n-y\n+1\n@@\n-y\n+2", "1\nx\n2\n"],
    ["behind the line of its @@", "y\nf\ny\n", "@@ f\n-y\n+Y", "y\nf\nY\n"],
    ["behind the last of several @@", "f\ny\nA\nf\ny\n", "@@ A\n@@ f\n-y\n+Y", "f\ny\nA\nf\nY\n"],
    ["when @@ has another indentation", "  f()\ny\n", "@@ f()\n-y\n+Y", "  f()\nY\n"],
    ["when @@ has other quotes", "say ‘f’\ny\n", "@@ say 'f'\n-y\n+Y", "say ‘f’\nY\n"],
    [
      "when @@ names a part that an earlier hunk entered",
      "A\na\nb\n",
      "@@ A\n-a\n+1\n@@ A\n-b\n+2",
      "A\n1\n2\n",
    ],
    ["with spaces at line ends", "a \nb\n", "@@\n-a\n+A\n b", "A\nb\n"],
    [
      "with spaces at line ends, in the first place of two",
      "a \nx\na \n",
      "@@\n-a\n+A",
      "A\nx\na \n",
    ],
    ["with another indentation", "\t\ta\nb\n", "@@\n-  a\n+\t\tA", "\t\tA\nb\n"],
    ["with other dashes, quotes and spaces", "“a” – ‘b’\u00a0c\n", "@@\n-\"a\" - 'b' c\n+d", "d\n"],
    ["at the end, with *** End of File", "y\nx\ny\n", "@@\n-y\n+Y\n*** End of File", "y\nx\nY\n"],
    ["without the blank line that only ends it", "a\nb\n", "@@\n-a\n+A\n\n", "A\nb\n"],
    ["without several blank lines that only end it", "a\nb\n", "@@\n-a\n+A\n\n\n\n", "A\nb\n"],
    [
      "with a blank line at its end that the file has",
      "a\nb\na\n\n",
      "@@\n-a\n+A\n\n",
      "a\nb\nA\n\n",
    ],
    [
      "without an empty line that it takes for one of the file",
      "a\nb\n",
      "@@\n-b\n-\n+c\n+",
      "a\nc\n",
    ],
    ["with an empty line that it must add first", "a\n", "@@\n a\n \n+b", "a\n\nb\n"],
    ["as an insertion, behind the line of its @@", "a\nb\n", "@@ a\n+x", "a\nx\nb\n"],
    ["as an insertion, at the end without @@", "a\nb\n", "@@\n+x", "a\nb\nx\n"],
    [
      "as an insertion, at the end with *** End of File",
      "a\nb\n",
      "@@ a\n+x\n*** End of File",
      "a\nb\nx\n",
    ],
    [
      "as an insertion at the end before a hunk above it",
      "a\nb\n",
      "@@\n+x\n@@\n-a\n+A",
      "A\nb\nx\n",
    ],
    [
      "as two insertions in one place, in their order",
      "a\nb\n",
      "@@ a\n+1\n@@\n+2\n@@ b\n+3",
      "a\n1\nb\n2\n3\n",
    ],
    ["when it adds before it removes", "a\nb\n", "@@\n+A\n-a\n b", "A\nb\n"],
    ["when it changes two parts", "a\nb\nc\nd\n", "@@\n-a\n+A\n b\n c\n-d\n+D", "A\nb\nc\nD\n"],
    ["when it takes everything away", "a\nb\n", "@@\n-a\n-b", ""],
    [
      "when its lines hold marks of patches",
      "-a\n+b\n@@\n",
      "@@\n--a\n+-A\n +b\n @@",
      "-A\n+b\n@@\n",
    ],
    ["when its lines hold unseen characters", "a\u200db\0\n", "@@\n-a\u200db\0\n+c", "c\n"],
  ];
  it.each(CASES)("%s", async (_, before, hunks, after) => {
    const run = await patchFile(before, hunks);
    expect(run.text).toContain("M f");
    expect(run.after).toBe(after);
  });

  it.each([
    ["exactly", "a\n", "@@\n-a\n+b", []],
    ["but for spaces at line ends", "a \n", "@@\n-a\n+b", []],
    [
      "but for the indentation",
      "x\n a\n",
      "@@\n-a\n+b",
      [{ path: "f", hunk: 1, firstLine: 2, lastLine: 2, ignored: "indentation" }],
    ],
  ])("%s, and the answer says so when it is worth a look", async (_, before, hunks, looseHunks) => {
    const run = await patchFile(before, hunks);
    expect(run.details.looseHunks).toEqual(looseHunks);
    expect(run.text.includes("check it")).toBe(looseHunks.length > 0);
  });
});

describe("a hunk that fits nowhere", () => {
  const file = "one\n\tif (ready) {\n\t\trun(1);\n\t}\ntwo\n";
  type Miss = readonly [
    title: string,
    before: string,
    hunks: string,
    details: object,
    words: readonly string[],
  ];
  const CASES: readonly Miss[] = [
    [
      "shows what it looked for, the nearest lines and the first difference",
      file,
      "@@\n \tif (ready) {\n-\t\trun(2);\n+\t\trun(3);",
      { hunk: 1, line: 3, path: "f", nearestLine: 2, difference: { line: 3, column: 7 } },
      [
        'Hunk 1 of "f" (line 3 of the patch) does not fit; nothing was written.',
        "looks for:\n\tif (ready) {\n\t\trun(2);\n",
        "2: \tif (ready) {\n3: \t\trun(1);\n",
        'Line 3 differs from column 7 on: the file has "1);", the hunk "2);".',
      ],
    ],
    [
      "is counted in its file",
      file,
      "@@\n-one\n+1\n@@\n-three\n+3",
      { hunk: 2, line: 6 },
      ["Hunk 2 of"],
    ],
    [
      "says that nothing is like it",
      "a\n",
      "@@\n-zzzz\n+x",
      { hunk: 1 },
      ["No line of the file is like"],
    ],
    ["says so of an empty file", "", "@@\n-zzzz\n+x", { hunk: 1 }, ["No line of the file is like"]],
    [
      "says that its lines stand above",
      "a\nb\n",
      "@@\n-b\n+B\n@@\n-a\n+A",
      { hunk: 2, foundLine: 1 },
      ["stand at line 1, above line 3", "from top to bottom"],
    ],
    [
      "says that its lines stand above the line of its @@",
      "a\nf\n",
      "@@ f\n-a\n+A",
      { foundLine: 1 },
      ["stand at line 1"],
    ],
    [
      "says that its lines are not the last",
      "a\nb\n",
      "@@\n-a\n+A\n*** End of File",
      { foundLine: 1 },
      ['not at the end of the file; leave out "*** End of File"'],
    ],
    [
      "says that it may have been applied",
      "a\nB\n",
      "@@\n a\n-b\n+B",
      { foundLine: 1 },
      ["is at line 1 already"],
    ],
    [
      "names a line that came without its mark",
      "a\nb\n",
      "@@\n-a\n+A\nmore\n b",
      {},
      ["Line 6 of the patch has no"],
    ],
    [
      "longer than the file says the same",
      "alpha\n",
      "@@\n-alpha\n-beta\n-gamma\n+x",
      { nearestLine: 1 },
      ["Nearest in the file:\n1: alpha\n"],
    ],
  ];
  it.each(CASES)("%s", async (_, before, hunks, details, words) => {
    const run = await patchFile(before, hunks);
    expect(run.details).toMatchObject({
      code: "invalid_input",
      reason: "hunk_not_found",
      ...details,
    });
    for (const part of words) expect(run.details.error).toContain(part);
    expect(run.after).toBe(before);
    expect(run.steps).toEqual([]);
  });

  it("says it of bytes that are no UTF-8 too", async () => {
    const run = await patchFile(Buffer.from([0xff, 0x0a]), "@@\n-x\n+y");
    expect(run.details.error).toContain("compared as Latin-1");
    expect(run.details.error).toContain("Change the file with edit");
  });

  it("sends UTF-16 without a mark to the tool that knows it", async () => {
    const run = await patchFile(Buffer.from("one\r\ntwo\r\n", "utf16le"), "@@\n-two\n+2");
    expect(run.details.error).toContain("Change the file with edit");
  });

  it("names characters that look the same, or like nothing", async () => {
    const run = await patchFile("one\nto\u200Btal = 1\n", "@@\n one\n-total = 1\n+x");
    expect(run.details.error).toContain(
      'the file has "\\u{200B}tal = 1" (U+200B), the hunk "tal = 1"',
    );
  });

  it("says it in few words, however long its lines are", async () => {
    const long = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(500)}`);
    const before = long.map((line) => `${line}!\n`).join("");
    const run = await patchFile(before, `@@\n${long.map((line) => `-${line}`).join("\n")}`);
    expect(run.details).toMatchObject({ reason: "hunk_not_found" });
    expect(String(run.details.error).length).toBeLessThan(4_000);
    expect(run.details.error).toContain("… and 288 more lines");
  });
});

describe("a line behind @@ that is nowhere", () => {
  it.each([
    [
      "shows the nearest",
      "def run():\n",
      "@@ def rum():\n-x",
      "1: def run():\nLine 1 differs from column 7 on",
    ],
    [
      "says that it stands above",
      "f\na\n",
      "@@\n-a\n+A\n@@ f\n+x",
      "It is at line 1, above line 3",
    ],
    [
      "must be a whole line",
      "def run():\nx\n",
      "@@ def run\n-x\n+y",
      "give one whole line of the file",
    ],
  ])("%s", async (_, before, hunks, words) => {
    const run = await patchFile(before, hunks);
    expect(run.details).toMatchObject({ code: "invalid_input", reason: "anchor_not_found" });
    expect(run.details.error).toContain(words);
    expect(run.after).toBe(before);
  });
});

describe("a hunk that fits only loosely, and in two places,", () => {
  it.each([
    ["by indentation", " a\nx\n  a\n", "@@\n-a\n+A", [1, 3]],
    ["by punctuation", "“a”\nx\n„a”\n“a”\n", '@@\n-"a"\n+b', [1, 3, 4]],
    ["behind a loose line of @@", " f\nx\n  f\n", "@@ f\n+A", [1, 3]],
  ])("is refused: %s", async (_, before, hunks, lines) => {
    const run = await patchFile(before, hunks);
    expect(run.details).toMatchObject({ code: "invalid_input", reason: "hunk_ambiguous", lines });
    expect(run.details.error).toContain(`lines ${lines.join(", ")}`);
    expect(run.after).toBe(before);
  });

  it("is taken when only one of them is behind the hunk before", async () => {
    const run = await patchFile(" a\nb\n  a\n", "@@\n-b\n+B\n@@\n-a\n+A");
    expect(run.after).toBe(" a\nB\nA\n");
  });

  it("is taken when *** End of File says which", async () => {
    const run = await patchFile(" a\nb\n  a\n", "@@\n-a\n+A\n*** End of File");
    expect(run.after).toBe(" a\nb\nA\n");
  });
});
