// Which places of a file an old text means: line ends do not tell places apart, and a character is
// taken whole or not at all.

import { describe, expect, it } from "vitest";
import { createMemoryBridge, MEMORY_ROOT } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import { edit } from "./index.js";

async function editText(before: string, params: Record<string, unknown>) {
  const bridge = createMemoryBridge({ f: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const result = await tool.execute("call", { path: "f", ...params });
  const after = await bridge.readFile({ filePath: "f", cwd: MEMORY_ROOT });
  return { ...result, after: String(after) };
}

describe("in a file of mixed line ends", () => {
  const before = "if a:\r\n  go()\r\n\nif a:\n  go()\n";

  it.each([
    ["line feeds", "if a:\n  go()"],
    ["CRLF", "if a:\r\n  go()"],
  ])("a text with %s that is there with both kinds is not unique", async (_, oldText) => {
    const result = await editText(before, { oldText, newText: "x" });
    expect(result.details).toMatchObject({ reason: "not_unique", count: 2, lines: [1, 4] });
    expect(result.after).toBe(before);
  });

  it("replaceAll takes the places of both kinds, and each keeps its own", async () => {
    const params = { oldText: "if a:\n  go()", newText: "if b:\n  run()\n  go()" };
    const result = await editText(before, { ...params, replaceAll: true });
    expect(result.after).toBe("if b:\r\n  run()\r\n  go()\r\n\nif b:\n  run()\n  go()\n");
    expect(result.details).toMatchObject({ replacements: 2, fit: "line_ends" });
  });

  it("the only place fits exactly when its line ends are those of the text", async () => {
    const result = await editText("a\r\nb\r\nc\nd\n", { oldText: "c\nd", newText: "x" });
    expect(result.after).toBe("a\r\nb\r\nx\n");
    expect(result.details).toMatchObject({ fit: "exact" });
  });
});

describe("a text that is a part of a longer character", () => {
  const CASES: [title: string, before: string, oldText: string][] = [
    ["a letter before its accent", "cafe\u0301 au lait\n", "cafe"],
    ["an accent alone", "cafe\u0301 au lait\n", "\u0301 au"],
    ["the first of a family", "👨‍👩‍👧 family\n", "👨"],
    ["the last of a family", "👨‍👩‍👧 family\n", "👧 family"],
    ["a hand without its colour", "👍🏽 yes\n", "👍"],
    ["half of two flags", "🇩🇪🇫🇷\n", "🇪🇫"],
    ["a heart without its variation selector", "❤️ x\n", "❤"],
    ["a syllable without its last sound", "각\u11A8 x\n", "각"],
  ];

  it.each(CASES)("is refused when it is nowhere else: %s", async (_, before, oldText) => {
    const result = await editText(before, { oldText, newText: "x" });
    expect(result.details).toMatchObject({ reason: "match_inside_character", line: 1 });
    expect(result.after).toBe(before);
  });

  it("is refused with replaceAll too", async () => {
    const params = { oldText: "cafe", newText: "tea", replaceAll: true };
    const result = await editText("x\ncafe\u0301\n", params);
    expect(result.details).toMatchObject({ reason: "match_inside_character", line: 2 });
  });

  it("gives way to the places where it is whole", async () => {
    const before = "cafe\u0301 cafe";
    const once = await editText(before, { oldText: "cafe", newText: "tea" });
    expect(once.after).toBe("cafe\u0301 tea");
    const all = { oldText: "cafe", newText: "tea", replaceAll: true };
    expect((await editText(`cafe ${before}`, all)).after).toBe("tea cafe\u0301 tea");
  });

  it("gives way to a whole place that overlaps it", async () => {
    const before = "e\u0301e\u0301e x";
    const result = await editText(before, { oldText: "e\u0301e", newText: "o" });
    expect(result.after).toBe("e\u0301o x");
  });

  it("gives way to a place where it is whole but fits only loosely", async () => {
    const result = await editText('“a”\n"a"\u0301\n', { oldText: '"a"', newText: "b" });
    expect(result.after).toBe('b\n"a"\u0301\n');
    expect(result.details).toMatchObject({ fit: "loose" });
  });
});

describe("a text beside characters that do not belong to it", () => {
  it.each([
    ["a flag of two", "🇩🇪🇫🇷", "🇫🇷", "🇩🇪x"],
    ["Chinese without spaces", "我喜欢猫", "喜欢", "我x猫"],
    ["an emoji between others", "👍👨‍👩‍👧🎉", "👨‍👩‍👧", "👍x🎉"],
    ["a letter with its accent", "cafe\u0301s", "e\u0301", "cafxs"],
    ["Hangul", "한국어", "국", "한x어"],
    ["the byte order mark", "\uFEFFé", "é", "\uFEFFx"],
  ])("is found: %s", async (_, before, oldText, after) => {
    expect((await editText(before, { oldText, newText: "x" })).after).toBe(after);
  });

  it("is told as too many when parts of characters are all there is", async () => {
    const before = `a${"\u0301".repeat(200_000)}`;
    const result = await editText(before, { oldText: "\u0301", newText: "x" });
    expect(result.details).toMatchObject({ reason: "too_many_matches" });
  });
});
