// What edit does to a file, case by case: the text after it, how it fitted, and what it says.

import type { ToolResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";
import { type EditCase, EXACT, LINE_ENDS, LOOSE, MARKS } from "./edit-cases.js";

const FILE = { filePath: "f", cwd: MEMORY_ROOT };

async function editText(before: string, params: Record<string, unknown>) {
  const bridge = createMemoryBridge({ f: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const result: ToolResult = await tool.execute("call", { path: "f", ...params });
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  return { ...result, text, after: String(await bridge.readFile(FILE)) };
}

const asked = ({ oldText, newText }: EditCase) => ({ oldText, newText });

describe("edit takes a text that is there exactly", () => {
  it.each([...EXACT, ...MARKS])("$title", async (row) => {
    const result = await editText(row.before, asked(row));
    expect(result.isError, result.text).toBeUndefined();
    expect(result.after).toBe(row.after);
    expect(result.details).toMatchObject({
      changed: true,
      replacements: 1,
      bytes: Buffer.byteLength(row.after),
    });
  });
});

describe("edit takes line ends for no difference, and keeps those of the file", () => {
  it.each(LINE_ENDS)("$title", async (row) => {
    const result = await editText(row.before, asked(row));
    expect(result.isError, result.text).toBeUndefined();
    expect(result.after).toBe(row.after);
    expect(result.text).not.toContain("loosely");
  });
});

describe("edit takes a text that is there loosely, and keeps what was not to change", () => {
  it.each(LOOSE)("$title", async (row) => {
    const result = await editText(row.before, asked(row));
    expect(result.isError, result.text).toBeUndefined();
    expect(result.after).toBe(row.after);
    expect(result.details).toMatchObject({ fit: "loose" });
    expect(result.text).toContain("fitted only loosely");
  });

  it.each(LOOSE)("$title, among other lines that are loosely alike in nothing", async (row) => {
    const [above, below] = ["— “above” —\t \r\n½ ﬁ\n", "\r\n‘below’…  \n"];
    const result = await editText(above + row.before + below, asked(row));
    expect(result.after).toBe(above + row.after + below);
  });
});

describe("a loose text", () => {
  it("is not taken when it is exactly there once", async () => {
    const result = await editText('“a”\n"a"\n“a”\n', { oldText: '"a"', newText: "x" });
    expect(result.after).toBe("“a”\nx\n“a”\n");
    expect(result.details).toMatchObject({ fit: "exact" });
  });

  it("must be unique among loose places", async () => {
    const result = await editText("“a”\n„a‟\n", { oldText: '"a"', newText: "x" });
    expect(result.details).toMatchObject({ reason: "not_unique", count: 2, lines: [1, 2] });
    expect(result.text).toContain("occurs 2 times, loosely,");
  });

  it("is replaced everywhere with replaceAll", async () => {
    const params = { oldText: '"a" - b', newText: '"a" - c', replaceAll: true };
    const result = await editText("“a” – b\n„a‟ — b\n", params);
    expect(result.after).toBe("“a” – c\n„a‟ — c\n");
    expect(result.details).toMatchObject({ replacements: 2, fit: "loose" });
  });

  it.each([
    ["begins inside of a ligature", "oﬃce “x”", 'fice "x"'],
    ["ends inside of a fraction", "“x” ½", '"x" 1'],
    ["ends inside of an ellipsis", "“x” a…", '"x" a.'],
  ])("is refused when it %s", async (_, before, oldText) => {
    const result = await editText(before, { oldText, newText: "y" });
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ reason: "match_inside_character", line: 1 });
    expect(result.after).toBe(before);
  });

  it.each([
    ["another indentation", "\ta(“x”)\n", '    a("x")'],
    ["another number of spaces", "a  (“x”)\n", 'a ("x")'],
    ["another case of letters", "A(“x”)\n", 'a("x")'],
    ["white space at its end that stands before a word", "a “x” b\n", 'a "x"  '],
  ])("is not one that has %s", async (_, before, oldText) => {
    const result = await editText(before, { oldText, newText: "y" });
    expect(result.details).toMatchObject({ reason: "not_found_in_file" });
    expect(result.after).toBe(before);
  });
});

describe("several edits of one call", () => {
  it("are matched each in its own way", async () => {
    const edits = [
      { oldText: "a", newText: "A" },
      { oldText: "b\nc", newText: "b\nC" },
      { oldText: '"d" e', newText: '"d" E' },
    ];
    const result = await editText("a\r\nb\r\nc\r\n“d” e\r\n", { edits });
    expect(result.after).toBe("A\r\nb\r\nC\r\n“d” E\r\n");
    expect(result.details).toMatchObject({ replacements: 3, fit: "loose", firstChangedLine: 1 });
  });

  it("may touch each other, but not overlap", async () => {
    const touching = [
      { oldText: "ab", newText: "1" },
      { oldText: "cd", newText: "2" },
    ];
    expect((await editText("abcd", { edits: touching })).after).toBe("12");
    const overlapping = [
      { oldText: "“ab", newText: "1" },
      { oldText: 'b" c', newText: "2" },
    ];
    const result = await editText("“ab” c", { edits: overlapping });
    expect(result.details).toMatchObject({ reason: "edits_overlap", line: 1 });
    expect(result.text).toContain("edits[0].oldText and edits[1].oldText overlap");
  });

  it("are made once when they are asked for twice", async () => {
    const change = { oldText: "a", newText: "b" };
    const result = await editText("a", { edits: [change, change] });
    expect(result.after).toBe("b");
    expect(result.details).toMatchObject({ replacements: 1 });
  });

  it("fit all, or nothing is written", async () => {
    const edits = [
      { oldText: "a", newText: "b" },
      { oldText: "absent words", newText: "c" },
    ];
    const result = await editText("a\n", { edits });
    expect(result.after).toBe("a\n");
    expect(result.text).toContain("edits[1].oldText does not occur");
  });
});

describe("the diff of an edit", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}\n`);

  it("has the lines around every change, with their numbers before and after", async () => {
    const edits = [
      { oldText: "line 5\n", newText: "line 5\nmore\nand more\n" },
      { oldText: "line 40", newText: "line forty" },
    ];
    const { details } = await editText(lines.join(""), { edits });
    expect(details).toMatchObject({
      firstChangedLine: 6,
      diff: [
        "@@ -3,6 +3,8 @@\n line 3\n line 4\n line 5\n+more\n+and more\n line 6\n line 7\n line 8\n",
        "@@ -37,7 +39,7 @@\n line 37\n line 38\n line 39\n-line 40\n+line forty\n line 41\n line 42\n line 43\n",
      ].join(""),
    });
  });

  it("is bounded for many changes, and says that something is left out", async () => {
    const before = "some text to be changed\n\n\n\n\n\n\n\n".repeat(3_000);
    const params = { oldText: "changed", newText: "altered", replaceAll: true };
    const { details } = await editText(before, params);
    const { diff, diffOmitted } = details as { diff: string; diffOmitted: string };
    expect(diff.length).toBeLessThan(51_000);
    expect(diff.length).toBeGreaterThan(40_000);
    expect(diffOmitted).toBe("too_long");
  });

  it("is left out for a line that is too long", async () => {
    const before = `${"x".repeat(2_000_000)} end`;
    const { details } = await editText(before, { oldText: "end", newText: "END" });
    expect(details).toMatchObject({ changed: true, firstChangedLine: 1, diffOmitted: "too_long" });
    expect(details).not.toHaveProperty("diff");
  });
});
