// Undo and diff through the front door: calls of the real tools in a real folder, with state on the
// disk, over several toolkits and on machines where no state can be kept.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import {
  createToolkit,
  defineTool,
  type Toolkit,
  type ToolkitOptions,
  t,
  textResult,
} from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";

let place: string;
let root: string;
let stateDir: string;
const started: Toolkit[] = [];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "undo-"));
  root = mkdtempSync(join(place, "root-"));
  stateDir = join(place, "state");
});
afterEach(async () => {
  for (const toolkit of started.splice(0)) await toolkit.close();
  rmSync(place, { recursive: true, force: true });
});

function start(options: Partial<ToolkitOptions> = {}): Toolkit {
  const toolkit = createToolkit({ root, stateDir, ...options });
  started.push(toolkit);
  return toolkit;
}

const text = (path: string) => readFileSync(join(root, path), "utf8");
const put = (path: string, data: string) => writeFileSync(join(root, path), data);

async function call(toolkit: Toolkit, id: string, [name, args]: [string, Record<string, unknown>]) {
  const answer = await toolkit.invoke({ id, name, arguments: args });
  expect(answer.isError, JSON.stringify(answer.content)).toBe(false);
  return answer;
}

describe("toolkit.undo and toolkit.diff", () => {
  it("take back what write, edit and apply_patch did, in any order of calls", async () => {
    const toolkit = start({ config: { tools: { exec: { applyPatch: { enabled: true } } } } });
    put("a.txt", "one\ntwo\n");
    put("old.txt", "to be moved\n");
    await call(toolkit, "w", ["write", { path: "new/b.txt", content: "b\n" }]);
    await call(toolkit, "e", ["edit", { path: "a.txt", oldText: "two", newText: "2" }]);
    const input = [
      "*** Begin Patch",
      "*** Update File: old.txt",
      "*** Move to: moved.txt",
      "@@",
      "-to be moved",
      "+was moved",
      "*** Delete File: new/b.txt",
      "*** Add File: c.txt",
      "+c",
      "*** End Patch",
    ].join("\n");
    await call(toolkit, "p", ["apply_patch", { input }]);
    expect((await toolkit.changes()).map(({ toolCallId }) => toolCallId)).toEqual(["p", "e", "w"]);
    expect((await toolkit.diff("e")).text).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
    );
    const { files, undoId } = await toolkit.undo("p");
    expect(files.map(({ path }) => path).sort()).toEqual(
      ["c.txt", "moved.txt", "new/b.txt", "old.txt"].sort(),
    );
    expect([text("old.txt"), text("new/b.txt")]).toEqual(["to be moved\n", "b\n"]);
    expect([existsSync(join(root, "moved.txt")), existsSync(join(root, "c.txt"))]).toEqual([
      false,
      false,
    ]);
    await toolkit.undo(undoId);
    expect(text("moved.txt")).toBe("was moved\n");
    await toolkit.undo("e");
    expect(text("a.txt")).toBe("one\ntwo\n");
  });

  it("work for a later toolkit on the same folders, whatever its session", async () => {
    put("a.txt", "old");
    const first = start({ sessionKey: "agent:main:one", agentId: "main" });
    await call(first, "c1", ["write", { path: "a.txt", content: "new" }]);
    await first.close();
    const second = start({ sessionKey: "agent:main:two" });
    expect(await second.changes()).toMatchObject([
      { toolCallId: "c1", toolName: "write", sessionKey: "agent:main:one", agentId: "main" },
    ]);
    await second.undo("c1");
    expect(text("a.txt")).toBe("old");
  });

  it("list calls with their first three files, how many there are, and no empty field", async () => {
    const toolkit = start({ config: { tools: { exec: { applyPatch: { enabled: true } } } } });
    for (const name of ["a.txt", "b.txt", "c.txt"]) put(name, "one\n");
    const input = [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+two",
      "*** Delete File: b.txt",
      "*** Update File: c.txt",
      "*** Move to: d.txt",
      "@@",
      "-one",
      "+two",
      "*** Add File: e.txt",
      "+e",
      "*** End Patch",
    ].join("\n");
    await call(toolkit, "p", ["apply_patch", { input }]);
    await call(toolkit, "w", ["write", { path: "new.txt", content: "x" }]);
    const [write, patch] = await toolkit.changes();
    expect(write).toStrictEqual({
      toolCallId: "w",
      toolName: "write",
      atMs: expect.any(Number),
      files: [{ path: "new.txt", change: "created" }],
      fileCount: 1,
    });
    expect(patch).toMatchObject({ toolCallId: "p", fileCount: 5 });
    expect(patch?.files).toHaveLength(3);
    expect(patch?.files).toContainEqual({ path: "a.txt", change: "modified" });
    expect(Object.keys(await toolkit.diff("w")).sort()).toEqual(
      ["toolCallId", "toolName", "atMs", "files", "text"].sort(),
    );
  });

  it("work for tools of the caller that change files through their bridge", async () => {
    const stamp = defineTool({
      name: "stamp",
      description: "Stamps a file.",
      parameters: t.object({}),
      needs: ["bridge", "root"],
      async execute({ ctx }) {
        await ctx.bridge.writeFile({ filePath: "stamp.txt", cwd: ctx.root, data: "x" });
        return textResult("done");
      },
    });
    const toolkit = start({ tools: [stamp] });
    await call(toolkit, "s", ["stamp", {}]);
    await toolkit.undo("s");
    expect(existsSync(join(root, "stamp.txt"))).toBe(false);
  });

  it("work for a bridge of the caller", async () => {
    const bridge = createMemoryBridge({ "a.txt": "old" });
    const toolkit = start({ root: "/project", bridge });
    await call(toolkit, "c1", ["write", { path: "a.txt", content: "new" }]);
    await toolkit.undo("c1");
    expect(String(await bridge.readFile({ filePath: "a.txt" }))).toBe("old");
  });

  it("know a relative root again", async () => {
    const toolkit = start({ root: `./${relative(process.cwd(), root)}/` });
    await call(toolkit, "c1", ["write", { path: "a.txt", content: "new" }]);
    await toolkit.undo("c1");
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  it("refuse what was changed since, unless they are forced", async () => {
    put("a.txt", "old");
    const toolkit = start();
    await call(toolkit, "c1", ["write", { path: "a.txt", content: "new" }]);
    put("a.txt", "by hand");
    await expect(toolkit.undo("c1")).rejects.toMatchObject({ reason: "undo_conflict" });
    await toolkit.undo("c1", { force: true });
    expect(text("a.txt")).toBe("old");
  });

  it("refuse ids and options that are none", async () => {
    const toolkit = start();
    const odd: Record<"undo" | "diff", (id: unknown, options?: unknown) => Promise<unknown>> =
      toolkit as never;
    await expect(odd.undo(undefined)).rejects.toMatchObject({ reason: "call_id_invalid" });
    await expect(odd.undo("x", true)).rejects.toMatchObject({ reason: "options_invalid" });
    await expect(odd.undo("x", { force: 1 })).rejects.toMatchObject({ reason: "options_invalid" });
    await expect(odd.undo("x", { forced: true })).rejects.toMatchObject({
      reason: "options_invalid",
      message: "undo: forced is not an option; did you mean force?",
    });
    await expect(odd.undo("x", { signal: 1 })).rejects.toThrow(/signal must be an AbortSignal/);
    await expect(odd.diff("x", { force: true })).rejects.toThrow(/there are maxChars, signal/);
    for (const maxChars of [0, -1, 1.5, "5", Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(odd.diff("x", { maxChars })).rejects.toMatchObject({
        reason: "options_invalid",
        message: "diff: maxChars must be a whole number from 1 on.",
      });
    }
    await expect(toolkit.diff("../../x")).rejects.toMatchObject({ reason: "undo_unknown" });
  });

  it("answer that the toolkit is closed", async () => {
    const toolkit = start();
    await toolkit.close();
    await expect(toolkit.undo("c1")).rejects.toMatchObject({ reason: "toolkit_closed" });
    await expect(toolkit.changes()).rejects.toMatchObject({ reason: "toolkit_closed" });
  });
});

describe("a machine where no state can be kept", () => {
  it("runs the call and says that it cannot be undone", async () => {
    writeFileSync(join(place, "state"), "a file where the folder should be");
    put("a.txt", "old");
    const toolkit = start();
    const notices: string[] = [];
    toolkit.on("notice", ({ message }) => notices.push(message));
    const answer = await call(toolkit, "c1", ["write", { path: "a.txt", content: "new" }]);
    expect(text("a.txt")).toBe("new");
    expect(answer.details).toMatchObject({ changed: true, undo: { available: false } });
    expect(notices).toEqual([expect.stringContaining("calls cannot be undone")]);
    await call(toolkit, "c2", ["write", { path: "a.txt", content: "newer" }]);
    expect(notices).toHaveLength(1);
  });
});

describe("the cost of being able to undo", () => {
  it("is nothing on the disk before a call that may change something", async () => {
    const toolkit = start();
    put("a.txt", "old");
    await call(toolkit, "r", ["read", { path: "a.txt" }]);
    expect(existsSync(join(stateDir, "state.db"))).toBe(false);
    await call(toolkit, "w", ["write", { path: "a.txt", content: "old" }]);
    expect(existsSync(join(stateDir, "state.db"))).toBe(true);
    expect(existsSync(join(stateDir, "undo"))).toBe(false);
    await call(toolkit, "w2", ["write", { path: "a.txt", content: "new" }]);
    expect(existsSync(join(stateDir, "undo"))).toBe(true);
  });
});
