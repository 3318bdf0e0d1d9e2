// How notes are cut: at headings, between paragraphs, with lines that can be cited.
import { describe, expect, it } from "vitest";
import { chunkNote } from "./chunk.js";

const SETTINGS = { maxChars: 100, overlapChars: 0 };
const cut = (text: string, settings = SETTINGS) => chunkNote(text, settings);

describe("cutting a note", () => {
  it("cuts at headings, and each piece carries the headings above it", () => {
    expect(cut("# A\n\none\n\n## B\n\ntwo\n\n# C\nthree\n")).toEqual([
      { startLine: 1, startChar: 1, endLine: 3, heading: "A", text: "# A\n\none" },
      { startLine: 5, startChar: 1, endLine: 7, heading: "A > B", text: "## B\n\ntwo" },
      { startLine: 9, startChar: 1, endLine: 10, heading: "C", text: "# C\nthree" },
    ]);
  });

  it("takes a heading without text together with what follows", () => {
    expect(cut("# A\n## B\ntext").map(({ heading, startLine }) => [heading, startLine])).toEqual([
      ["A > B", 1],
    ]);
  });

  it("takes no line of a block of code for a heading", () => {
    expect(cut("# A\n```sh\n# no heading\n```\n# B\nb")).toHaveLength(2);
    expect(cut("~~~\n# no\n```\n# no\n~~~\nrest")).toHaveLength(1);
  });

  it("cuts long text between paragraphs, and every line is in one piece", () => {
    const lines = Array.from({ length: 30 }, (_, index) =>
      index % 4 === 3 ? "" : `line ${index}`,
    );
    const chunks = cut(lines.join("\n"));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(100);
    const seen = chunks.flatMap(({ text }) => text.split("\n")).filter((line) => line !== "");
    expect(seen).toEqual(lines.filter((line) => line !== ""));
    for (const { startLine, endLine, text } of chunks) {
      expect(lines.slice(startLine - 1, endLine).join("\n")).toBe(text);
    }
  });

  it("cuts a line without end at words, and never within a character", () => {
    const words = cut(`${"word ".repeat(100)}`);
    expect(words.every(({ startLine, endLine }) => startLine === 1 && endLine === 1)).toBe(true);
    expect(words.map(({ text }) => text.trim()).every((text) => text.endsWith("word"))).toBe(true);
    const faces = cut("😀".repeat(200));
    expect(faces.every(({ text }) => /^(?:😀)+$/u.test(text))).toBe(true);
    expect(faces.map(({ text }) => text).join("")).toBe("😀".repeat(200));
  });

  it("says where in a line that was cut a piece begins", () => {
    const line = `${"word ".repeat(60)}😀 ${"x".repeat(150)} end`;
    const chunks = cut(`# Head\n\n${line}\nlast`);
    const inLine = chunks.filter(({ startLine }) => startLine === 3);
    expect(inLine.length).toBeGreaterThan(3);
    for (const { startChar, text } of inLine) {
      const [part = ""] = text.split("\n");
      expect(line.startsWith(part, startChar - 1)).toBe(true);
    }
    expect(chunks[0]).toMatchObject({ startLine: 1, startChar: 1 });
  });

  it("repeats the end of a piece when that is asked for", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line number ${index}`);
    const [first, second] = cut(lines.join("\n"), { maxChars: 100, overlapChars: 30 });
    expect(second?.startLine).toBe((first?.endLine ?? 0) - 1);
  });

  it.each([
    ["100,000 headings", "# h\n".repeat(100_000)],
    ["100,000 headings with a word each", "# h\nword\n".repeat(100_000)],
    ["a heading of a million spaces", `# h${" ".repeat(1e6)}x`],
    ["a heading of half a million marks", `# h${" #".repeat(5e5)}x`],
    ["400,000 fences", "```\n".repeat(400_000)],
    ["a line of two million letters", "x".repeat(2e6)],
    ["a line of two million spaces", `x${" ".repeat(2e6)}x`],
  ])("is done in bounded time and pieces for %s", (_what, text) => {
    const beganMs = performance.now();
    const chunks = cut(text, { maxChars: 1_600, overlapChars: 0 });
    // What grows with the square would need minutes.
    expect(performance.now() - beganMs).toBeLessThan(10_000);
    expect(chunks.length).toBeLessThanOrEqual(5_000);
    expect(chunks.every((chunk) => chunk.heading.length <= 200)).toBe(true);
    expect(chunks.every((chunk) => chunk.text.length <= 1_600)).toBe(true);
  });

  it("knows headings with marks on both sides, and with none of their own", () => {
    const headings = cut("# A #\na\n## B ##  \nb\n#\tC#\nc\n#no\nd");
    expect(headings.map(({ heading }) => heading)).toEqual(["A", "A > B", "C"]);
  });

  it("gives nothing for a note without text", () => {
    expect(cut("")).toEqual([]);
    expect(cut("\n\n  \n")).toEqual([]);
  });
});
