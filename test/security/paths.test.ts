// Hostile and odd paths through read, write and edit: each is judged right, and nothing outside of
// the root changes. Ordinary paths, however unusual, must work.

import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { createClawtools, createNodeBridge, type ToolResult } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import rows from "../data/paths.json" with { type: "json" };
import { resolveTool } from "../fakes/resolve-tool.js";
import { BEFORE, createScratchTree, type ScratchTree } from "./scratch-tree.js";

const AFTER = "content after\n";
const REFUSALS = [
  "path_outside_root",
  "path_invalid",
  "path_has_nul",
  "path_protected",
  "is_directory",
  "not_regular_file",
];
/** They may be read, and nothing else. */
const PROTECTED = ["p055", "p056"];

let tree: ScratchTree;
let place: string;
let root: string;

beforeEach(() => {
  tree = createScratchTree();
  ({ place, root } = tree);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

describe("the path corpus", () => {
  it.each(rows.filter(({ expect: verdict }) => verdict === "deny"))(
    "$id is refused by read, write and edit: $note",
    async ({ path }) => {
      // In this order: what read lets through never gets as far as a write.
      for (const call of [read, write, edit]) await expectRefusal(call, path);
    },
  );

  it.each(rows.filter(({ expect: verdict }) => /^(?:allow|literal)/.test(verdict)))(
    "$id is a file inside the root for read, write and edit: $note",
    async ({ id, path }) => {
      const file = id === "p059" ? join(root, "a.txt") : resolve(root, withRoot(path));
      await expectWorks(path, file);
    },
  );

  it.each(rows.filter(({ expect: verdict }) => /^deny-(?:read|write)$/.test(verdict)))(
    "$id stays inside the root: $note",
    async ({ id, path }) => {
      if (PROTECTED.includes(id)) await expectReadOnly(path);
      else for (const call of [read, write, edit]) await expectRefusal(call, path);
    },
  );

  it("has a verdict for every row", () => {
    expect(rows).toHaveLength(41);
    expect(rows.filter(({ expect: verdict }) => !/^(?:allow|literal|deny)/.test(verdict))).toEqual(
      [],
    );
  });
});

const ORDINARY = [
  "README.md",
  "./README.md",
  "src/index.ts",
  "src//index.ts",
  "src/./index.ts",
  "src/deep/../index.ts",
  "a/b/c/d/e/f/g/h/i/j/k/l.txt",
  "with space.txt",
  "two  spaces/and more.txt",
  " leading space",
  "tab\there",
  ".hidden",
  ".config/settings.json",
  "..foo",
  "...",
  "foo..",
  "a..b/c",
  "..foo/..bar",
  "dots.in.many.places.tar.gz",
  "naïve.txt",
  "日本語/ファイル.txt",
  "emoji 👩‍🚀.md",
  "עברית.txt",
  "кириллица/файл",
  "file:with:colons",
  "c:drive",
  "100%.txt",
  "%2e%2e",
  "a&b;c|d.txt",
  "quote'quote\"quote",
  "[brackets](x).md",
  "*?glob",
  "#hash!",
  "~backup",
  "file~",
  "@scope/package.json",
  "-",
  "--help",
  "$(id)",
  "x".repeat(255),
  ...(sep === "/" ? ["a\\b.txt", "C:\\x\\y.txt", "..\\evil.txt", "a.txt\\d.txt", "new\\"] : []),
];

describe("ordinary paths", () => {
  it.each(ORDINARY)("%j works for read, write and edit", async (path) => {
    await expectWorks(path, resolve(root, path));
  });

  it.runIf(sep === "/")("a backslash is a letter of a name and makes no folder", async () => {
    const before = readdirSync(root);
    const paths = ["one\\two.txt", "C:\\three\\four.txt", "..\\five.txt", "a.txt\\six.txt"];
    for (const path of paths) {
      expect((await write(path)).isError).toBeUndefined();
    }
    expect(readdirSync(root).sort()).toEqual([...before, ...paths].sort());
  });

  it("a link to a file, a link to a folder, a chain of links and an absolute link inside work", async () => {
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "folder-link"));
    symlinkSync("folder-link", join(root, "chain"));
    symlinkSync(join(root, "real"), join(root, "absolute"));
    symlinkSync("../a.txt", join(root, "real", "up"));
    await expectWorks("folder-link/one.txt", join(root, "real/one.txt"));
    await expectWorks("chain/two.txt", join(root, "real/two.txt"));
    await expectWorks("absolute/three.txt", join(root, "real/three.txt"));
    await expectWorks("real/up", join(root, "a.txt"));
    expect(lstatSync(join(root, "real", "up")).isSymbolicLink()).toBe(true);
  });

  it("a hard link is read, and a write leaves its other name alone", async () => {
    const other = join(place, "outside", "secret");
    linkSync(other, join(root, "hard"));
    expect(textOf(await read("hard"))).toBe("secret");
    expect((await write("hard")).isError).toBeUndefined();
    expect(readFileSync(join(root, "hard"), "utf8")).toBe(AFTER);
    expect(readFileSync(other, "utf8")).toBe("secret");
  });
});

type Call = (path: string) => Promise<ToolResult>;

const read: Call = (path) => call("read", { path });
const write: Call = (path) => call("write", { path, content: AFTER });
const edit: Call = (path) => call("edit", { path, oldText: "before", newText: "after" });

function call(name: string, params: Record<string, unknown>): Promise<ToolResult> {
  const ctx = { root, bridge: createNodeBridge(root) };
  const tool = resolveTool({ registry: createClawtools().tools, name, ctx });
  return tool.execute("call", { ...params, path: withRoot(String(params.path)) });
}

function withRoot(path: string): string {
  return path.replace("{ROOT}", root);
}

async function expectRefusal(attempt: Call, path: string): Promise<void> {
  const before = tree.checksum();
  const result = await attempt(path);
  expect(result.isError).toBe(true);
  const { reason } = result.details as { reason?: string };
  expect(REFUSALS).toContain(reason);
  expect(tree.checksum()).toEqual(before);
}

async function expectReadOnly(path: string): Promise<void> {
  const file = resolve(root, path);
  await expectRefusal(write, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, BEFORE);
  for (const call of [write, edit]) await expectRefusal(call, path);
  expect(textOf(await read(path))).toBe(BEFORE);
}

/** The file is made for read and edit, taken away for write, and only it changes. */
async function expectWorks(path: string, file: string): Promise<void> {
  const outside = tree.checksum().outside;
  const existed = existsSync(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, BEFORE);
  expect(textOf(await read(path))).toBe(BEFORE);
  expect((await edit(path)).isError).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe(AFTER);
  if (!existed) rmSync(file);
  const written = await write(path);
  expect(written.isError).toBeUndefined();
  expect(textOf(written)).not.toMatch(/\p{Cc}/u);
  expect(readFileSync(file, "utf8")).toBe(AFTER);
  expect(tree.checksum().outside).toBe(outside);
}

function textOf(result: ToolResult): string {
  const [block] = result.content;
  return block?.type === "text" ? block.text : "";
}
