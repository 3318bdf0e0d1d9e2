// A diff says what differs, can be applied again, and costs no more than its limits allow.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import { diffLines } from "./line-diff.js";

const ROUNDS = 400;
const LINES = [
  "a\n",
  "b\n",
  "c\n",
  "\n",
  "a\r\n",
  "-x\n",
  "+y\n",
  "@@ -1 +1 @@\n",
  "\\ no\n",
  "😀\n",
];
const ENDS = ["", "", "tail", "a", "\r"];

const HEADER = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/;
const NO_END = "\\ No newline at end of file";

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** Applies hunks as any patch program would: by line numbers, checking every line that is named. */
function applyDiff(before: string, diff: string): string {
  const old = splitLines(before);
  const rows = diff.split("\n").slice(0, -1);
  const made: string[] = [];
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const header = HEADER.exec(row);
    if (header) {
      const [start = 0, count = 0, afterStart = 0, afterCount = 0] = header.slice(1).map(Number);
      const from = count === 0 ? start : start - 1;
      made.push(...old.slice(at, from));
      at = from;
      expect(made.length).toBe(afterCount === 0 ? afterStart : afterStart - 1);
      continue;
    }
    if (row === NO_END) continue;
    const line = row.slice(1) + (rows[index + 1] === NO_END ? "" : "\n");
    if (row[0] !== "+") expect(old[at++]).toBe(line);
    if (row[0] !== "-") made.push(line);
  }
  return [...made, ...old.slice(at)].join("");
}

describe("diffLines", () => {
  const CASES: [title: string, before: string, after: string, line: number, text: string][] = [
    ["a changed line", "a\nb\nc\n", "a\nB\nc\n", 2, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"],
    ["lines put at the end", "a\n", "a\nb\n", 2, "@@ -1,1 +1,2 @@\n a\n+b\n"],
    ["lines put into nothing", "", "a\n", 1, "@@ -0,0 +1,1 @@\n+a\n"],
    ["all lines taken away", "a\n", "", 1, "@@ -1,1 +0,0 @@\n-a\n"],
    ["a lost final line end", "a\n", "a", 1, `@@ -1,1 +1,1 @@\n-a\n+a\n${NO_END}\n`],
    ["a won final line end", "a", "a\n", 1, `@@ -1,1 +1,1 @@\n-a\n${NO_END}\n+a\n`],
    ["another kind of line end", "a\r\nb", "a\nb", 1, `@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n${NO_END}\n`],
    ["a line feed before the first", "\nb\n", "\nc\n", 2, "@@ -1,2 +1,2 @@\n \n-b\n+c\n"],
  ];
  it.each(CASES)("shows %s", (_, before, after, firstChangedLine, text) => {
    expect(diffLines(before, after)).toEqual({ firstChangedLine, text });
  });

  it("says nothing of texts that are equal", () => {
    expect(diffLines("a\nb", "a\nb")).toEqual({ text: "" });
    expect(diffLines("", "")).toEqual({ text: "" });
  });

  it("shows as many equal lines around a change as it is told, and joins near changes", () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join("");
    const after = before.replace("5\n", "five\n").replace("11\n", "eleven\n");
    const headers = (contextLines: number) =>
      diffLines(before, after, { contextLines }).text?.match(/@@.*@@/g);
    expect(headers(0)).toEqual(["@@ -5,1 +5,1 @@", "@@ -11,1 +11,1 @@"]);
    expect(headers(2)).toEqual(["@@ -3,5 +3,5 @@", "@@ -9,5 +9,5 @@"]);
    expect(headers(3)).toEqual(["@@ -2,13 +2,13 @@"]);
  });

  it("counts from the given numbers when the texts are parts of longer ones", () => {
    const firstLines = { before: 100, after: 90 };
    expect(diffLines("a\nb\n", "a\nc\n", { firstLines })).toEqual({
      firstChangedLine: 101,
      text: "@@ -100,2 +90,2 @@\n a\n-b\n+c\n",
    });
  });

  it("is cut behind a line when it is too long, and says how many lines are left", () => {
    const { text } = diffLines("", "0123456789\n".repeat(10), { maxChars: 60 });
    expect(text).toBe(`@@ -0,0 +1,10 @@\n${"+0123456789\n".repeat(3)}\\ 7 more lines\n`);
  });

  it("turns the one text into the other, for random texts", () => {
    const random = seededRandom(campaignSeed());
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
    const makeText = (count: number) =>
      Array.from({ length: Math.floor(random() * count) }, () => pick(LINES)).join("") + pick(ENDS);
    for (let round = 0; round < ROUNDS; round++) {
      const before = makeText(40);
      const cut = Math.floor(random() * before.length);
      const kept = before.slice(0, cut) + makeText(6) + before.slice(cut + random() * 12);
      const after = random() < 0.5 ? makeText(40) : kept;
      const { text, firstChangedLine } = diffLines(before, after, {
        contextLines: Math.floor(random() * 5),
      });
      expect(applyDiff(before, text ?? "").split("\n")).toEqual(after.split("\n"));
      if (before === after) continue;
      const [old, fresh] = [splitLines(before), splitLines(after)];
      const first = old.findIndex((line, index) => line !== fresh[index]);
      expect(firstChangedLine).toBe((first === -1 ? old.length : first) + 1);
    }
  });

  it("is a shortest one", () => {
    const { text } = diffLines("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n");
    expect(text?.match(/^[-+]/gm)).toHaveLength(5);
  });
});

describe("the limits of diffLines", () => {
  const numbered = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

  it.each([
    ["more than 1 Mi characters", "", "x".repeat(1024 * 1024 + 1), "too_long"],
    ["more than 20,000 lines", numbered(10_001, "old"), numbered(10_000, "new"), "too_long"],
    [
      "more than 2,000 lines that differ",
      numbered(1_001, "old"),
      numbered(1_000, "new"),
      "too_different",
    ],
  ])("leave out a diff of %s", (_, before, after, omitted) => {
    expect(diffLines(before, after)).toEqual({ firstChangedLine: 1, omitted });
  });

  it("hold between the first and the last change only", () => {
    const [head, tail] = [numbered(60_000, "head"), numbered(60_000, "tail")];
    const diff = diffLines(`${head}old\n${tail}`, `${head}new\n${tail}`);
    expect(diff.firstChangedLine).toBe(60_001);
    expect(diff.text).toContain("\n-old\n+new\n");
  });

  it("allow 2,000 lines that differ", () => {
    const { text } = diffLines(numbered(1_000, "old"), numbered(1_000, "new"));
    expect(text?.match(/^-/gm)).toHaveLength(1_000);
  });

  it("keep texts of few different lines, which match everywhere and nowhere, within a second", () => {
    const random = seededRandom(campaignSeed());
    const noise = () =>
      Array.from({ length: 10_000 }, () => (random() < 0.5 ? "a\n" : "b\n")).join("");
    const startMs = performance.now();
    expect(diffLines(noise(), noise())).toMatchObject({ omitted: "too_different" });
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});
