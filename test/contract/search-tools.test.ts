// Tests of grep, find and ls through the registry, on a real folder and on a bridge of memory.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeBridge, createToolkit, type ToolResult } from "clawtools";
import { createMemoryBridge } from "clawtools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { find } from "../../src/tools/find/index.js";
import { grep } from "../../src/tools/grep/index.js";
import { ls } from "../../src/tools/ls/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const MEMORY_ROOT = "/project";

const FILES: Record<string, string | Buffer> = {
  ".gitignore": "*.log\nbuild/\n!keep.log\n/only-top.txt\nlib/**/tmp\n",
  "a.txt": "alpha\nbeta needle\ngamma\n",
  "a/b.ts": "const needle = 1;\n// Needle again\n",
  "a/deep/c.py": "needle()\r\nother\r\n",
  "a/only-top.txt": "needle",
  "build/out.js": "needle",
  "debug.log": "needle",
  "keep.log": "needle",
  "lib/x/tmp/y.txt": "needle",
  "only-top.txt": "needle",
  "pkg/.gitignore": "!debug.log\n*.txt\n",
  "pkg/debug.log": "needle",
  "pkg/notes.txt": "needle",
  "bin.dat": Buffer.from([0, 1, 2, 110, 101, 101, 100, 108, 101, 0, 0]),
  "utf16.txt": Buffer.from("\ufeffneedle wide\n", "utf16le"),
  ".git/config": "needle",
};

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "search-")));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  symlinkSync("/etc", join(root, "outside"));
  symlinkSync("..", join(root, "a/loop"));
  symlinkSync("a.txt", join(root, "link.txt"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const disk = () => ({ root, bridge: createNodeBridge(root) });
const run = (tool: typeof grep, params: object, ctx: object = disk()) =>
  bindAlone(tool, ctx).execute("call", { ...params });
const textOf = ({ content }: ToolResult) => {
  const [block] = content;
  return block?.type === "text" ? block.text : "";
};
const pathsOf = (result: ToolResult) =>
  [...new Set(textOf(result).split("\n\n[")[0]?.split("\n"))].map((line) => line.split(":")[0]);

describe("grep", () => {
  it("finds lines in path order and leaves out what nested .gitignore files leave out", async () => {
    const result = await run(grep, { pattern: "needle", output: "files" });
    expect(pathsOf(result)).toEqual([
      "a.txt",
      "a/b.ts",
      "a/deep/c.py",
      "a/only-top.txt",
      "keep.log",
      "pkg/debug.log",
      "utf16.txt",
    ]);
    expect(textOf(result)).toContain("Binary, skipped: 1.");
  });

  it("searches ignored files when asked, and below a folder with the rules above it", async () => {
    const all = await run(grep, { pattern: "needle", output: "files", includeIgnored: true });
    expect(pathsOf(all)).toContain("build/out.js");
    expect(pathsOf(all)).not.toContain(".git/config");
    const below = await run(grep, { pattern: "needle", path: "pkg", output: "files" });
    expect(pathsOf(below)).toEqual(["pkg/debug.log"]);
    const named = await run(grep, { pattern: "needle", path: "build", output: "files" });
    expect(pathsOf(named)).toEqual(["build/out.js"]);
  });

  it("matches by line, case, glob, type and plain text", async () => {
    const lines = async (params: object) => textOf(await run(grep, params));
    expect(await lines({ pattern: "^const \\w+ = 1;$" })).toBe(
      "a/b.ts:1: const needle = 1;\n\n[Binary, skipped: 1.]",
    );
    expect(await lines({ pattern: "^needle\\(\\)$" })).toContain("a/deep/c.py:1: needle()\n");
    expect(await lines({ pattern: "alpha[^x]+gamma" })).toMatch(/^No matches/);
    expect(await lines({ pattern: "(?i)NEEDLE AGAIN" })).toContain("a/b.ts:2:");
    expect(await lines({ pattern: "needle", type: "py" })).toBe("a/deep/c.py:1: needle()");
    expect(await lines({ pattern: "needle", glob: "a/**/*.{py,ts}", output: "count" })).toBe(
      "a/b.ts: 1\na/deep/c.py: 1",
    );
    expect(await lines({ pattern: "e()", literal: true })).toContain("a/deep/c.py:1:");
  });

  it("shows context once, with a line between groups", async () => {
    const ctx = {
      root: MEMORY_ROOT,
      bridge: createMemoryBridge({ "n.txt": "1\nx\n3\nx\n5\n6\n7\nx\n9\n" }),
    };
    expect(textOf(await run(grep, { pattern: "x", context: 1 }, ctx))).toBe(
      [
        ...["n.txt-1- 1", "n.txt:2: x", "n.txt-3- 3", "n.txt:4: x", "n.txt-5- 5"],
        ...["--", "n.txt-7- 7", "n.txt:8: x", "n.txt-9- 9"],
      ].join("\n"),
    );
  });

  it("names the next call when there are more results, and the pages make the whole", async () => {
    const all = textOf(await run(grep, { pattern: "e" }))
      .split("\n\n[")[0]
      ?.split("\n");
    const pages: string[] = [];
    for (let offset = 0; ; ) {
      const page = await run(grep, { pattern: "e", limit: 2, offset });
      pages.push(...(textOf(page).split("\n\n[")[0]?.split("\n") ?? []));
      const { nextOffset } = page.details as { nextOffset?: number };
      if (nextOffset === undefined) break;
      expect(textOf(page)).toContain(`Continue with offset=${nextOffset}`);
      offset = nextOffset;
    }
    expect(pages).toEqual(all);
  });

  it("stops a hostile pattern and explains a broken one", async () => {
    const ctx = {
      root: MEMORY_ROOT,
      bridge: createMemoryBridge({ "n.txt": `${"a".repeat(5_000)}!` }),
    };
    const slow = await run(grep, { pattern: "(a+)+$" }, ctx);
    expect(slow).toMatchObject({ isError: true, details: { reason: "pattern_timeout" } });
    const broken = await run(grep, { pattern: "(" });
    expect(broken).toMatchObject({ isError: true, details: { reason: "pattern_invalid" } });
    expect(textOf(broken)).toContain("Unterminated group");
  });

  it("never leaves the root, by path or by link", async () => {
    for (const tool of [grep, find, ls]) {
      for (const path of ["..", "/etc", "outside"]) {
        const result = await run(tool, { path, ...(tool === ls ? {} : { pattern: "root" }) });
        expect(result, `${tool.name} ${path}`).toMatchObject({
          isError: true,
          details: { reason: "path_outside_root" },
        });
      }
    }
  });

  it.skipIf(process.getuid?.() === 0)("says which folder it could not read", async () => {
    const closed = join(root, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0);
    try {
      const result = await run(grep, { pattern: "needle", output: "files" });
      expect(textOf(result)).toContain("Not readable, skipped: closed.");
    } finally {
      chmodSync(closed, 0o700);
      rmSync(closed, { recursive: true });
    }
  });

  it("skips the state folder inside the root and says so", async () => {
    const stateDir = join(root, "state");
    const toolkit = createToolkit({ root, stateDir });
    try {
      await toolkit.invoke({
        id: "w",
        name: "write",
        arguments: { path: "new.txt", content: "x" },
      });
      const { content } = await toolkit.invoke({
        id: "g",
        name: "grep",
        arguments: { pattern: "needle", output: "files" },
      });
      expect(textOf({ content })).toContain("Not readable, skipped: state.");
    } finally {
      await toolkit.close();
      rmSync(stateDir, { recursive: true });
      rmSync(join(root, "new.txt"));
    }
  });

  it("says that a bridge of four methods cannot be searched", async () => {
    const { stat, readFile, mkdirp, writeFile } = createMemoryBridge({ "a/b.txt": "x" });
    const ctx = { root: MEMORY_ROOT, bridge: { stat, readFile, mkdirp, writeFile } };
    expect(await run(grep, { pattern: "x" }, ctx)).toMatchObject({
      isError: true,
      details: { reason: "bridge_cannot_list" },
    });
    expect(textOf(await run(grep, { pattern: "x", path: "a/b.txt" }, ctx))).toBe("a/b.txt:1: x");
  });
});

describe("find", () => {
  it("lists files and folders by glob, in order, without following links", async () => {
    expect(textOf(await run(find, { pattern: "*.{ts,py}" }))).toBe("a/b.ts\na/deep/c.py");
    expect(textOf(await run(find, { pattern: "**", path: "a" }))).toBe(
      "a/b.ts\na/deep/\na/deep/c.py\na/loop/\na/only-top.txt",
    );
    expect(textOf(await run(find, { pattern: "d*", type: "directory" }))).toBe("a/deep/");
    expect(textOf(await run(find, { pattern: "nothing" }))).toMatch(/^No path matches/);
  });

  it("names the next call when the page is full", async () => {
    const first = await run(find, { pattern: "**", limit: 3 });
    expect(textOf(first)).toContain("Continue with offset=3");
    const rest = await run(find, { pattern: "**", offset: 3 });
    const all = await run(find, { pattern: "**" });
    expect([...pathsOf(first), ...pathsOf(rest)]).toEqual(pathsOf(all));
  });

  it("matches a hostile glob in time", async () => {
    const name = "a".repeat(200);
    const ctx = { root: MEMORY_ROOT, bridge: createMemoryBridge({ [name]: "" }) };
    const result = await run(find, { pattern: `${"*a".repeat(100)}*b` }, ctx);
    expect(textOf(result)).toMatch(/^No path matches/);
  });
});

describe("ls", () => {
  it("shows folders, links and sizes, a page at a time", async () => {
    const page = await run(ls, { path: "a", limit: 3 });
    expect(textOf(page)).toBe(
      "b.ts  34\ndeep/\nloop/@\n\n[Entries 1-3 of 4. Continue with offset=3.]",
    );
    expect(textOf(await run(ls, { path: "a", offset: 3 }))).toBe("only-top.txt  6");
    expect(textOf(await run(ls, { path: "a/b.ts" }))).toBe("a/b.ts  34");
  });
});
