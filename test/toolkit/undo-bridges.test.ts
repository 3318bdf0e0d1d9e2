// Undo over bridges of the caller's own: what is kept of them lives with their toolkit, is seen by no
// other, and never comes to the disk.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeBridge, defineTool, type FsBridge, t, textResult } from "clawtools";
import { createMemoryBridge } from "clawtools/testing";
import { describe, expect, it, vi } from "vitest";
import { MEMORY_LIMITS } from "../../src/drivers/history/errors.js";
import { createStateSetting, write } from "./state-setting.js";

const ROOT = "/workspace";
const MEBIBYTE = 1024 * 1024;

const tenant = (content: string) => createMemoryBridge({ "a.txt": content }, { root: ROOT });
const textIn = async (bridge: FsBridge) =>
  String(await bridge.readFile({ filePath: "a.txt", cwd: ROOT }));

/** All bytes that lie in a folder. */
function readAll(folder: string): string {
  if (!existsSync(folder)) return "";
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("two toolkits with one root and one state folder, each with a bridge of its own", () => {
  it("see nothing of each other's changes, and undo only their own", async () => {
    const { start } = createStateSetting();
    const [one, other] = [tenant("secret of one"), tenant("secret of other")];
    const first = start({ root: ROOT, bridge: one }).toolkit;
    const second = start({ root: ROOT, bridge: other }).toolkit;
    await write(first, { id: "c1", content: "new of one" });
    expect(await second.changes()).toEqual([]);
    await expect(second.diff("c1")).rejects.toMatchObject({ reason: "undo_unknown" });
    await expect(second.undo("c1", { force: true })).rejects.toMatchObject({
      reason: "undo_unknown",
    });
    expect(await textIn(other)).toBe("secret of other");
    expect((await first.diff("c1")).text).toContain("-secret of one");
    await first.undo("c1");
    expect(await textIn(one)).toBe("secret of one");
  });

  it("are no different from a later toolkit, and from one over the real folder", async () => {
    const { start, root, place } = createStateSetting();
    const bridge = createMemoryBridge({ "a.txt": "in memory" });
    const before = start({ root, bridge }).toolkit;
    await write(before, { id: "c1", content: "new" });
    await before.close();
    for (const later of [start({ root, bridge }), start({ root })]) {
      expect(await later.toolkit.changes()).toEqual([]);
    }
    expect(existsSync(join(place, "root", "a.txt"))).toBe(false);
  });

  it("bring none of their content to the disk, and the journal still has their calls", async () => {
    const { start, stateDir, readJournal } = createStateSetting();
    const bridge = tenant("old-content-4711");
    const { toolkit } = start({ root: ROOT, bridge });
    await write(toolkit, { id: "c1", content: "new-content-0815" });
    await toolkit.undo("c1");
    expect(await readJournal()).toMatchObject([
      { toolCallId: "c1", toolName: "undo" },
      { toolCallId: "c1", toolName: "write", argumentsText: "" },
    ]);
    await toolkit.close();
    const kept = readAll(stateDir);
    expect(kept).toContain("c1");
    expect(kept).not.toMatch(/old-content-4711|new-content-0815/);
  });

  it("have interrupted calls of their own", async () => {
    const { start } = createStateSetting();
    const stop = new AbortController();
    const slow = defineTool({
      name: "slow",
      description: "Never ends by itself.",
      parameters: t.object({}),
      execute: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          stop.abort();
        }),
    });
    const first = start({ root: ROOT, bridge: tenant("a"), tools: [slow] }).toolkit;
    const second = start({ root: ROOT, bridge: tenant("b") }).toolkit;
    const answer = first.invoke({ id: "s1", name: "slow", signal: stop.signal });
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(await first.interrupted()).toMatchObject([{ toolCallId: "s1" }]);
    expect(await second.interrupted()).toEqual([]);
  });
});

describe("undo over a bridge of the caller's own", () => {
  it("needs no state folder", async () => {
    const { start, stateDir } = createStateSetting();
    writeFileSync(stateDir, "a file where the folder should be");
    const bridge = tenant("old");
    const config = { undo: { required: true } };
    const { toolkit, notices } = start({ root: ROOT, bridge, config });
    expect((await write(toolkit, { id: "c1", content: "new" })).isError).toBe(false);
    await toolkit.undo("c1");
    expect(await textIn(bridge)).toBe("old");
    expect(notices).toEqual([expect.stringMatching(/Until it can, calls are not journaled/)]);
  });

  it("keeps its own copy of content that the bridge goes on using", async () => {
    const { start } = createStateSetting();
    const content = Buffer.from("old");
    const bridge: FsBridge = {
      stat: async () => ({ type: "file", size: content.length, mtimeMs: 0 }),
      readFile: async () => content,
      mkdirp: async () => undefined,
      writeFile: async ({ data }) => void content.write(String(data)),
    };
    const { toolkit } = start({ root: ROOT, bridge });
    await write(toolkit, { id: "c1", content: "new" });
    expect(String(content)).toBe("new");
    await toolkit.undo("c1");
    expect(String(content)).toBe("old");
  });

  it("forgets the oldest calls over 64 MiB, and says that they are not kept any more", async () => {
    expect(MEMORY_LIMITS.maxTotalBytes).toBe(64 * MEBIBYTE);
    const { start } = createStateSetting();
    const config = { undo: { maxBytes: 2000 } };
    const bridge = tenant("0".repeat(900));
    const { toolkit } = start({ root: ROOT, bridge, config });
    for (const id of ["1", "2", "3", "4"]) await write(toolkit, { id, content: id.repeat(900) });
    expect((await toolkit.changes()).map(({ toolCallId }) => toolCallId)).toEqual(["4", "3"]);
    await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "undo_expired" });
    await toolkit.undo("4");
    expect(await textIn(bridge)).toBe("3".repeat(900));
  });

  it("ends the time of a call after undo.maxAgeHours", async () => {
    const { start } = createStateSetting();
    const config = { undo: { maxAgeHours: 1 } };
    const { toolkit } = start({ root: ROOT, bridge: tenant("old"), config });
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await write(toolkit, { id: "1", content: "new" });
      vi.setSystemTime(Date.now() + 61 * 60_000);
      expect(await toolkit.changes()).toEqual([]);
      await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "undo_expired" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("forgets a call that changed nothing in the end, and can undo an undo", async () => {
    const { start } = createStateSetting();
    const bridge = tenant("old");
    const back = defineTool({
      name: "back",
      description: "Changes a file and changes it back.",
      parameters: t.object({}),
      needs: ["bridge", "root"],
      async execute({ ctx }) {
        const at = { filePath: "a.txt", cwd: ctx.root };
        await ctx.bridge.writeFile({ ...at, data: "other" });
        await ctx.bridge.writeFile({ ...at, data: "old" });
        return textResult("done");
      },
    });
    const { toolkit } = start({ root: ROOT, bridge, tools: [back] });
    await toolkit.invoke({ id: "b1", name: "back" });
    expect(await toolkit.changes()).toEqual([]);
    await write(toolkit, { id: "c1", content: "new" });
    const { undoId } = await toolkit.undo("c1");
    await expect(toolkit.undo("c1")).rejects.toMatchObject({ reason: "undo_done" });
    await toolkit.undo(undoId);
    expect(await textIn(bridge)).toBe("new");
    expect((await toolkit.changes()).map(({ undoneBy }) => undoneBy !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("is nothing with stateDir: false, as for any toolkit", async () => {
    const { start } = createStateSetting();
    const { toolkit } = start({ root: ROOT, bridge: tenant("old"), stateDir: false });
    await write(toolkit, { id: "c1", content: "new" });
    await expect(toolkit.undo("c1")).rejects.toMatchObject({ reason: "state_off" });
  });
});

describe("undo over a bridge of ours that the caller made", () => {
  it("outlives the toolkit: the folder is the same for the next one", async () => {
    const { start, root } = createStateSetting();
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, "a.txt"), "old");
    const before = start({ bridge: createNodeBridge(root) }).toolkit;
    await write(before, { id: "c1", content: "new" });
    await before.close();
    await start().toolkit.undo("c1");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
  });
});

describe("a bridge whose stat gives undefined where nothing is", () => {
  it.each(["write", "read"])("is named as the fault by %s", async (name) => {
    const { start } = createStateSetting();
    const bridge = {
      stat: async () => undefined,
      readFile: async () => Buffer.from(""),
      mkdirp: async () => undefined,
      writeFile: async () => undefined,
    };
    // What a caller without types may pass.
    const { toolkit } = start({ root: ROOT, bridge: bridge as never });
    const args = name === "write" ? { path: "a.txt", content: "x" } : { path: "a.txt" };
    const answer = await toolkit.invoke({ id: "c1", name, arguments: args });
    expect(answer).toMatchObject({
      isError: true,
      details: { code: "failed", reason: "bridge_invalid" },
    });
    expect(JSON.stringify(answer.content)).toContain("must give null where nothing is");
  });
});
