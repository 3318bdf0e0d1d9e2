// Calls that are made at once, through toolkits: those for one file are done in the order in which
// they were made, and none is lost.

import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClawtools,
  createNodeBridge,
  createToolkit,
  type InvokeResult,
  type Toolkit,
} from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveTool } from "../fakes/resolve-tool.js";

const PARALLEL = 50;
const CHANGES = ["write", "edit", "apply_patch"] as const;

let place: string;
let root: string;
const opened: Toolkit[] = [];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "parallel-calls-")));
  root = join(place, "root");
  mkdirSync(root);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
  rmSync(place, { recursive: true, force: true });
});

function start(): Toolkit {
  const toolkit = createToolkit({ root, stateDir: join(place, "state") });
  opened.push(toolkit);
  return toolkit;
}

const invoke = (toolkit: Toolkit, name: string, args: Record<string, unknown>) =>
  toolkit.invoke({ id: "call", name, arguments: args });
const failed = (results: readonly InvokeResult[]) => results.filter(({ isError }) => isError);
const read = (name: string) => readFileSync(join(root, name), "utf8");

function textOf(result: InvokeResult | undefined): string {
  const [block] = result?.content ?? [];
  return block?.type === "text" ? block.text : "";
}

interface Change {
  readonly tool: (typeof CHANGES)[number];
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Each tool in its own way; only a write does not look at what was there. */
function change(toolkit: Toolkit, { tool, path, from, to }: Change): Promise<InvokeResult> {
  if (tool === "write") return invoke(toolkit, tool, { path, content: `${to}\n` });
  if (tool === "edit") return invoke(toolkit, tool, { path, oldText: from, newText: to });
  const hunk = `*** Update File: ${path}\n@@\n-${from}\n+${to}`;
  return invoke(toolkit, tool, { input: `*** Begin Patch\n${hunk}\n*** End Patch` });
}

describe("calls that are made at once", () => {
  it("by a fresh toolkit are done in their order: write, edit, apply_patch, read, edit", async () => {
    const toolkit = start();
    const input = "*** Begin Patch\n*** Update File: f\n@@\n-two\n+three\n*** End Patch";
    const results = await Promise.all([
      invoke(toolkit, "write", { path: "f", content: "one\n" }),
      invoke(toolkit, "edit", { path: "f", oldText: "one", newText: "two" }),
      invoke(toolkit, "apply_patch", { input }),
      invoke(toolkit, "read", { path: "f" }),
      invoke(toolkit, "edit", { path: "f", oldText: "three", newText: "four" }),
    ]);
    expect(failed(results)).toEqual([]);
    expect(textOf(results[3])).toBe("three\n");
    expect(read("f")).toBe("four\n");
  });

  it.each(CHANGES.flatMap((first) => CHANGES.map((second) => [first, second] as const)))(
    "by a fresh toolkit, %s then %s, leave what the second wrote",
    async (first, second) => {
      writeFileSync(join(root, "f"), "zero\n");
      const toolkit = start();
      const results = await Promise.all([
        change(toolkit, { tool: first, path: "f", from: "zero", to: "one" }),
        change(toolkit, { tool: second, path: "f", from: "one", to: "two" }),
        invoke(toolkit, "read", { path: "f" }),
      ]);
      expect(failed(results)).toEqual([]);
      expect(textOf(results[2])).toBe("two\n");
      expect(read("f")).toBe("two\n");
    },
  );

  it("of freshly resolved tools without a toolkit are done in their order too", async () => {
    const { tools: registry } = createClawtools();
    const ctx = { root, bridge: createNodeBridge(root) };
    const call = (name: string, params: Record<string, unknown>) =>
      resolveTool({ registry, name, ctx }).execute("call", params);
    const results = await Promise.all([
      call("write", { path: "f", content: "one" }),
      call("edit", { path: "f", oldText: "one", newText: "two" }),
      call("write", { path: "f", content: "three" }),
      call("edit", { path: "f", oldText: "three", newText: "four" }),
    ]);
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(read("f")).toBe("four");
  });

  it("a patch of many files and a write behind it are done in their order", async () => {
    const names = Array.from({ length: PARALLEL }, (_, index) => `f${index}`);
    const adds = names.map((name) => `*** Add File: ${name}\n+by the patch`).join("\n");
    const toolkit = start();
    const results = await Promise.all([
      invoke(toolkit, "apply_patch", { input: `*** Begin Patch\n${adds}\n*** End Patch` }),
      invoke(toolkit, "write", { path: "f49", content: "by the write" }),
    ]);
    expect(failed(results)).toEqual([]);
    expect(read("f49")).toBe("by the write");
    expect(read("f48")).toBe("by the patch\n");
  });

  it("a call that is refused or given up holds nobody up", async () => {
    const toolkit = start();
    const controller = new AbortController();
    const args = { path: "f", content: "given up" };
    const { signal } = controller;
    const aborted = toolkit.invoke({ id: "call", name: "write", arguments: args, signal });
    const refused = invoke(toolkit, "edit", { path: "f" });
    const last = invoke(toolkit, "write", { path: "f", content: "last" });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expect(await refused).toMatchObject({ isError: true });
    expect(await last).toMatchObject({ isError: false });
    expect(read("f")).toBe("last");
  });
});

describe("fifty edits of one file at once", () => {
  const names = Array.from({ length: PARALLEL }, (_, index) => `[ ] edit ${index};`);
  const start50 = names.join("\n");
  const done = start50.replaceAll("[ ]", "[x]");

  it.each([
    ["through one toolkit", 1, ["f"]],
    ["through two toolkits", 2, ["f"]],
    ["by a link, a folder link and other spellings", 1, ["f", "link", "folder/f", "./dir/../f"]],
    ["by all of these", 2, ["f", "link", "folder/f", "./dir/../f"]],
  ])("%s lose none", async (_, toolkits, spellings) => {
    mkdirSync(join(root, "dir"));
    writeFileSync(join(root, "f"), start50);
    symlinkSync("f", join(root, "link"));
    symlinkSync(".", join(root, "folder"));
    const used = Array.from({ length: toolkits }, start);
    const calls = names.map((name, index) => {
      const toolkit = used[index % used.length] ?? start();
      const path = spellings[index % spellings.length] ?? "f";
      return change(toolkit, { tool: "edit", path, from: name, to: name.replace("[ ]", "[x]") });
    });
    expect(failed(await Promise.all(calls))).toEqual([]);
    expect(read("f")).toBe(done);
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
  });
});
