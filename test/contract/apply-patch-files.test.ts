// What a patch does to files: add, update, move and delete, one after the other, in one go.

import { describe, expect, it } from "vitest";
import { createPatchBench, type Files, runBody, runInput } from "./apply-patch-bench.js";

const add = (path: string, ...lines: string[]) =>
  [`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)].join("\n");
const update = (path: string, from: string, to: string) =>
  `*** Update File: ${path}\n@@\n-${from}\n+${to}`;
const move = (path: string, to: string, change?: readonly [from: string, to: string]) =>
  `*** Update File: ${path}\n*** Move to: ${to}${change ? `\n@@\n-${change[0]}\n+${change[1]}` : ""}`;
const remove = (path: string) => `*** Delete File: ${path}`;

interface Case {
  readonly title: string;
  readonly before: Files;
  readonly patch: readonly string[];
  readonly after: Readonly<Record<string, string>>;
  /** The answer, without its first line. */
  readonly listed: readonly string[];
  readonly steps: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: "adds a file in a new folder",
    before: {},
    patch: [add("x/y/a", "1", "2")],
    after: { "x/y/a": "1\n2\n" },
    listed: ["A x/y/a"],
    steps: ["write x/y/a"],
  },
  {
    title: "adds an empty file",
    before: {},
    patch: [add("a")],
    after: { a: "" },
    listed: ["A a"],
    steps: ["write a"],
  },
  {
    title: "replaces a file that it adds",
    before: { a: "\uFEFFold\r\n" },
    patch: [add("a", "new")],
    after: { a: "new\n" },
    listed: ["A a"],
    steps: ["write a"],
  },
  {
    title: "deletes a file",
    before: { a: "1\n", b: "2\n" },
    patch: [remove("a")],
    after: { b: "2\n" },
    listed: ["D a"],
    steps: ["remove a"],
  },
  {
    title: "moves a file and changes it, keeping the file itself",
    before: { a: "1\n2\n" },
    patch: [move("a", "x/b", ["1", "one"])],
    after: { "x/b": "one\n2\n" },
    listed: ["M x/b"],
    steps: ["rename a x/b", "write x/b"],
  },
  {
    title: "moves a file without a change",
    before: { a: "1\n" },
    patch: [move("a", "b")],
    after: { b: "1\n" },
    listed: ["M b"],
    steps: ["rename a b"],
  },
  {
    title: "moves a file that is no text",
    before: { a: "\0\u0001" },
    patch: [move("a", "b")],
    after: { b: "\0\u0001" },
    listed: ["M b"],
    steps: ["rename a b"],
  },
  {
    title: "moves onto a file that is there",
    before: { a: "1\n", b: "2\n" },
    patch: [move("a", "b", ["1", "one"])],
    after: { b: "one\n" },
    listed: ["M b"],
    steps: ["rename a b", "write b"],
  },
  {
    title: "takes a move to the same place for an update",
    before: { a: "1\n" },
    patch: [move("a", "x/../a", ["1", "one"])],
    after: { a: "one\n" },
    listed: ["M a"],
    steps: ["write a"],
  },
  {
    title: "lists added files, then modified, then deleted ones",
    before: { d: "1\n", m: "1\n" },
    patch: [remove("d"), update("m", "1", "2"), add("a", "x")],
    after: { a: "x\n", m: "2\n" },
    listed: ["A a", "M m", "D d"],
    steps: ["write a", "write m", "remove d"],
  },
  {
    title: "updates one file twice, the second time as the first left it",
    before: { a: "1\n" },
    patch: [update("a", "1", "2"), update("a", "2", "3")],
    after: { a: "3\n" },
    listed: ["M a"],
    steps: ["write a"],
  },
  {
    title: "knows one file by several spellings",
    before: { "x/a": "1\n" },
    patch: [update("x/a", "1", "2"), update("./x//a", "2", "3"), update("/project/x/a", "3", "4")],
    after: { "x/a": "4\n" },
    listed: ["M x/a"],
    steps: ["write x/a"],
  },
  {
    title: "updates what it added",
    before: {},
    patch: [add("a", "1"), update("a", "1", "2")],
    after: { a: "2\n" },
    listed: ["A a"],
    steps: ["write a"],
  },
  {
    title: "adds one file twice: the last holds",
    before: {},
    patch: [add("a", "1"), add("a", "2")],
    after: { a: "2\n" },
    listed: ["A a"],
    steps: ["write a"],
  },
  {
    title: "replaces a file by deleting and adding it",
    before: { a: "1\n" },
    patch: [remove("a"), add("a", "2")],
    after: { a: "2\n" },
    listed: ["A a"],
    steps: ["write a"],
  },
  {
    title: "deletes a file that it updated",
    before: { a: "1\n" },
    patch: [update("a", "1", "2"), remove("a")],
    after: {},
    listed: ["D a"],
    steps: ["remove a"],
  },
  {
    title: "moves a file on from where it was moved to",
    before: { a: "1\n" },
    patch: [move("a", "b", ["1", "2"]), move("b", "c", ["2", "3"])],
    after: { c: "3\n" },
    listed: ["M c"],
    steps: ["rename a c", "write c"],
  },
  {
    title: "changes the names of two files for each other",
    before: { a: "1\n", b: "2\n" },
    patch: [move("a", "t"), move("b", "a"), move("t", "b")],
    after: { a: "2\n", b: "1\n" },
    listed: ["M a", "M b"],
    steps: ["write a", "write b"],
  },
  {
    title: "makes room before it moves in",
    before: { a: "1\n", b: "2\n" },
    patch: [move("b", "c"), move("a", "b")],
    after: { b: "1\n", c: "2\n" },
    listed: ["M b", "M c"],
    steps: ["write c", "rename a b"],
  },
  {
    title: "puts a new file where another was moved away",
    before: { a: "1\n" },
    patch: [move("a", "b"), add("a", "2")],
    after: { a: "2\n", b: "1\n" },
    listed: ["A a", "M b"],
    steps: ["write b", "write a"],
  },
  {
    title: "moves what it added",
    before: {},
    patch: [add("a", "1"), move("a", "b")],
    after: { b: "1\n" },
    listed: ["A b"],
    steps: ["write b"],
  },
  {
    title: "leaves files alone whose content is what it should be, and says so",
    before: { a: "1\n", b: "1\n", c: "1\n" },
    patch: [update("a", "1", "1"), add("b", "1"), update("c", "1", "2")],
    after: { a: "1\n", b: "1\n", c: "2\n" },
    listed: ["M c", "No changes made to a.", "No changes made to b."],
    steps: ["write c"],
  },
];

describe("a patch", () => {
  it.each(CASES)("$title", async ({ before, patch, after, listed, steps }) => {
    const bench = createPatchBench(before);
    const run = await runBody(bench.bridge, patch.join("\n"));
    expect(run.text).toBe(["Success. Updated the following files:", ...listed].join("\n"));
    expect(bench.read()).toEqual(after);
    expect(bench.steps).toEqual(steps);
    expect(run.details.changed).toBe(true);
  });

  it.each([
    ["names no change", [update("a", "1", "1")], "No changes made to a."],
    ["moves a file to itself", [move("a", "a")], "No changes made to a."],
    ["has context only", ["*** Update File: a\n@@\n 1"], "No changes made to a."],
    [
      "goes there and back",
      [update("a", "1", "2"), update("a", "2", "1")],
      "No changes made to a.",
    ],
    [
      "adds what it deletes",
      [add("b", "1"), remove("b")],
      "No changes made: the patch takes back what it does.",
    ],
  ])("that %s is no error and writes nothing", async (_, patch, text) => {
    const bench = createPatchBench({ a: "1\n" });
    const run = await runBody(bench.bridge, patch.join("\n"));
    expect(run.result.isError).toBeUndefined();
    expect(run.text).toBe(text);
    expect(run.details).toMatchObject({ changed: false, diff: "", files: [] });
    expect(bench.steps).toEqual([]);
  });

  it.each([
    [
      "updates a missing file",
      [update("x", "1", "2")],
      "not_found",
      "file_missing",
      '"x" does not exist',
    ],
    ["deletes a missing file", [remove("x")], "not_found", "file_missing", '"x" does not exist'],
    [
      "deletes a file twice",
      [remove("a"), remove("a")],
      "not_found",
      "file_missing",
      "at this point of the patch",
    ],
    [
      "updates what it deleted",
      [remove("a"), update("a", "1", "2")],
      "not_found",
      "file_missing",
      "at this point",
    ],
    [
      "updates what it moved away",
      [move("a", "b"), update("a", "1", "2")],
      "not_found",
      "file_missing",
      "at this point",
    ],
    [
      "adds where a folder is",
      [add("folder", "1")],
      "invalid_input",
      "is_directory",
      "is a folder",
    ],
    ["moves onto a folder", [move("a", "folder")], "invalid_input", "is_directory", "is a folder"],
    [
      "makes a file and puts another into it",
      [add("n", "1"), add("n/x/y", "1")],
      "invalid_input",
      "is_directory",
      '"n" is a folder',
    ],
    [
      "puts a file into a file",
      [update("a", "1", "2"), move("first", "a/x")],
      "invalid_input",
      "is_directory",
      '"a" is a folder',
    ],
    [
      "adds a name with a slash at its end",
      [add("n/", "1")],
      "invalid_input",
      "is_directory",
      "is a folder",
    ],
    ["deletes a folder", [remove("folder")], "invalid_input", "is_directory", "is a folder"],
  ])("that %s writes nothing, also of what went before", async (_, patch, code, reason, words) => {
    const before = { a: "1\n", first: "1\n", "folder/x": "" };
    const bench = createPatchBench(before);
    const run = await runBody(bench.bridge, [update("first", "1", "2"), ...patch].join("\n"));
    expect(run.details).toMatchObject({ code, reason });
    expect(run.details.error).toContain(words);
    expect(bench.read()).toEqual(before);
    expect(bench.steps).toEqual([]);
  });

  it("is understood as `patch` too, and by its other name", async () => {
    const bench = createPatchBench({});
    const { tools } = await import("clawtools").then(({ createClawtools }) =>
      createClawtools({ catalog: "all" }),
    );
    const tool = tools.resolve("apply-patch", { bridge: bench.bridge, root: "/project" });
    await tool?.execute("call", { patch: `*** Begin Patch\n${add("a", "1")}\n*** End Patch` });
    expect(bench.read()).toEqual({ a: "1\n" });
  });

  it("takes a file by its mention when only that exists", async () => {
    const bench = createPatchBench({ a: "1\n", "@b": "1\n", b: "1\n" });
    await runBody(bench.bridge, [update("@a", "1", "2"), update("@b", "1", "2")].join("\n"));
    expect(bench.read()).toEqual({ "@b": "2\n", a: "2\n", b: "1\n" });
  });

  it.each([
    ["an update", "*** Update File: a  \n@@\n-1\n+2", { a: "1\n" }, { a: "2\n" }],
    ["an update, before", "*** Update File:   a\n@@\n-1\n+2", { a: "1\n" }, { a: "2\n" }],
    ["a deletion", "*** Delete File: a ", { a: "1\n", b: "" }, { b: "" }],
    ["a new file", "*** Add File: a ", {}, { a: "" }],
    ["the target of a move", "*** Update File: a\n*** Move to: b ", { a: "1\n" }, { b: "1\n" }],
  ])("ignores spaces around the path of %s", async (_, body, before, after) => {
    const bench = createPatchBench(before);
    await runBody(bench.bridge, body);
    expect(bench.read()).toEqual(after);
  });

  it("shows names without what a terminal would take for an order", async () => {
    const bench = createPatchBench({});
    const run = await runBody(bench.bridge, add("a\u001b[2J", "1"));
    expect(run.text).toContain("A a\\u{001B}[2J");
  });
});

describe("the facts for programs", () => {
  it("name each file, what became of it, and where it changed first", async () => {
    const bench = createPatchBench({ d: "1\n", m: "1\n2\n3\n", o: "1\n" });
    const patch = [
      remove("d"),
      update("m", "3", "three"),
      move("o", "n", ["1", "2"]),
      add("a", "x"),
    ];
    const { details } = await runBody(bench.bridge, patch.join("\n"));
    expect(details).toMatchObject({
      summary: { added: ["a"], modified: ["m", "n"], deleted: ["d"] },
      files: [
        { path: "m", action: "modified", created: false, bytes: 10, firstChangedLine: 3 },
        { path: "n", action: "modified", from: "o", created: true, bytes: 2, firstChangedLine: 1 },
        { path: "a", action: "added", created: true, bytes: 2, firstChangedLine: 1 },
        { path: "d", action: "deleted", created: false, bytes: 0 },
      ],
      firstChangedLine: 3,
    });
    expect(details.diff).toBe(
      [
        "--- a/m\n+++ b/m\n@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n",
        "--- a/o\n+++ b/n\n@@ -1,1 +1,1 @@\n-1\n+2\n",
        "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n",
        "--- a/d\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n",
      ].join(""),
    );
  });

  it("hold a diff of changes that are far apart, counted on from each other", async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index + 1}`);
    const bench = createPatchBench({ f: `${lines.join("\n")}\n` });
    const hunks = "@@\n-line 10\n+ten\n+ten and a half\n@@\n-line 99990\n+last";
    const { details } = await runBody(bench.bridge, `*** Update File: f\n${hunks}`);
    expect(String(details.diff).match(/@@.*@@/g)).toEqual([
      "@@ -7,7 +7,8 @@",
      "@@ -99987,7 +99988,7 @@",
    ]);
  });

  it("hold no more of the diff than 50,000 characters and a few words", async () => {
    const many = Array.from({ length: 20 }, (_, index) => add(`f${index}`, "x".repeat(9_000)));
    const { details } = await runBody(createPatchBench({}).bridge, many.join("\n"));
    expect(String(details.diff).length).toBeLessThan(60_000);
    expect(details.diff).toContain("\\ 1 more lines\n");
    expect(details.files).toHaveLength(20);
  });

  it("say of binary files only that they are", async () => {
    const bench = createPatchBench({ b: Buffer.from([0xff, 0]) });
    const { details } = await runBody(bench.bridge, remove("b"));
    expect(details.diff).toBe("--- a/b\n+++ /dev/null\n\\ binary\n");
  });
});

it("an answer about very many files stays short", async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => add(`${index}-${"n".repeat(200)}`, ""));
  const run = await runInput(
    createPatchBench({}).bridge,
    ["*** Begin Patch", ...many, "*** End Patch"].join("\n"),
  );
  expect(run.text.length).toBeLessThan(21_000);
  expect(run.text).toMatch(/… and \d+ more lines$/);
});
