// Undo over a real folder: what comes back, what is refused, and that nothing is done by halves.

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";
import { createMemoryBridge } from "../../../../test/fakes/memory-bridge.js";
import { type FsBridge, ToolError, type UndoRequest } from "../../../core/index.js";

let setting: HistorySetting;

beforeEach(() => {
  setting = createHistorySetting();
  mkdirSync(setting.root, { recursive: true });
});
afterEach(() => setting.remove());

const put = (path: string, text: string) => writeFileSync(join(setting.root, path), text);
const undo = (toolCallId: string, more: Partial<UndoRequest> = {}) =>
  setting.history.undo({ toolCallId, bridge: setting.bridge, ...more });
const write = (id: string, files: Record<string, string>) =>
  setting.change(id, async (bridge) => {
    for (const [filePath, data] of Object.entries(files))
      await bridge.writeFile({ filePath, data });
  });

describe("undo of a call", () => {
  it("puts the old bytes back, removes new files and brings removed ones back", async () => {
    const odd = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0d, 0x0a]);
    writeFileSync(join(setting.root, "odd.bin"), odd);
    put("gone.txt", "was here");
    await setting.change("c1", async (bridge) => {
      await bridge.writeFile({ filePath: "odd.bin", data: "text" });
      await bridge.writeFile({ filePath: "deep/new.txt", data: "new" });
      await bridge.remove?.({ filePath: "gone.txt", cwd: setting.root });
    });
    const result = await undo("c1");
    expect(result.files).toEqual([
      { path: "gone.txt", action: "recreated" },
      { path: "deep/new.txt", action: "removed" },
      { path: "odd.bin", action: "restored" },
    ]);
    expect(setting.text("gone.txt")).toBe("was here");
    expect(existsSync(join(setting.root, "deep/new.txt"))).toBe(false);
    expect(await setting.bridge.readFile({ filePath: "odd.bin" })).toEqual(odd);
  });

  it("takes several changes of one file back in one, however the path is spelled", async () => {
    put("a.txt", "one");
    await setting.change("c1", async (bridge) => {
      await bridge.writeFile({ filePath: "./a.txt", data: "two" });
      await bridge.writeFile({ filePath: join(setting.root, "a.txt"), data: "three" });
    });
    const result = await undo("c1");
    expect(result.files).toEqual([{ path: "a.txt", action: "restored" }]);
    expect(setting.text("a.txt")).toBe("one");
  });

  it("moves a file back with its permissions, and brings back what it had replaced", async () => {
    put("tool.sh", "#!/bin/sh");
    chmodSync(join(setting.root, "tool.sh"), 0o750);
    put("old.sh", "replaced");
    await setting.change("c1", async (bridge) => {
      await bridge.rename?.({ filePath: "tool.sh", to: "old.sh" });
    });
    expect((await undo("c1")).files).toEqual([
      { path: "tool.sh", action: "moved_back" },
      { path: "old.sh", action: "recreated" },
    ]);
    expect(statSync(join(setting.root, "tool.sh")).mode & 0o777).toBe(0o750);
    expect([setting.text("tool.sh"), setting.text("old.sh")]).toEqual(["#!/bin/sh", "replaced"]);
  });

  it("takes a move back whose file was edited in the same call", async () => {
    put("a.txt", "one");
    await setting.change("c1", async (bridge) => {
      await bridge.rename?.({ filePath: "a.txt", to: "b.txt" });
      await bridge.writeFile({ filePath: "b.txt", data: "two" });
    });
    await undo("c1");
    expect(readdirSync(setting.root)).toEqual(["a.txt"]);
    expect(setting.text("a.txt")).toBe("one");
  });

  it("keeps the permissions of a file that it puts the old content into", async () => {
    put("a.sh", "one");
    chmodSync(join(setting.root, "a.sh"), 0o700);
    await write("c1", { "a.sh": "two" });
    await undo("c1");
    expect(statSync(join(setting.root, "a.sh")).mode & 0o777).toBe(0o700);
  });

  it("can be undone itself, and then the call can be undone again", async () => {
    put("a.txt", "one");
    await write("c1", { "a.txt": "two" });
    const { undoId } = await undo("c1");
    expect(setting.text("a.txt")).toBe("one");
    await undo(undoId);
    expect(setting.text("a.txt")).toBe("two");
    await undo("c1");
    expect(setting.text("a.txt")).toBe("one");
  });

  it("says of a call that is undone already by which undo", async () => {
    await write("c1", { "a.txt": "two" });
    const { undoId } = await undo("c1");
    await expect(undo("c1")).rejects.toMatchObject({
      code: "conflict",
      reason: "undo_done",
      details: { undoneBy: undoId },
    });
  });

  it("takes a call back once more when all it made stands there again", async () => {
    await write("c1", { "a.txt": "two" });
    await undo("c1");
    put("a.txt", "two");
    expect((await undo("c1")).files).toEqual([{ path: "a.txt", action: "removed" }]);
  });

  it("means the latest of several calls with one id", async () => {
    for (const data of ["one", "two", "three"]) await write("c1", { "a.txt": data });
    await undo("c1");
    expect(setting.text("a.txt")).toBe("two");
  });
});

describe("undo of files that were changed since", () => {
  it("refuses with their names and touches nothing", async () => {
    put("a.txt", "a1");
    put("b.txt", "b1");
    await write("c1", { "a.txt": "a2", "b.txt": "b2" });
    put("b.txt", "by hand");
    await expect(undo("c1")).rejects.toMatchObject({
      code: "conflict",
      reason: "undo_conflict",
      details: { files: ["b.txt"] },
    });
    expect([setting.text("a.txt"), setting.text("b.txt")]).toEqual(["a2", "by hand"]);
    expect(await setting.history.list()).toHaveLength(1);
  });

  it("overwrites them by force, and can bring them back", async () => {
    put("b.txt", "b1");
    await write("c1", { "b.txt": "b2" });
    put("b.txt", "by hand");
    const result = await undo("c1", { force: true });
    expect(result.files).toEqual([{ path: "b.txt", action: "restored", forced: true }]);
    expect(setting.text("b.txt")).toBe("b1");
    await undo(result.undoId);
    expect(setting.text("b.txt")).toBe("by hand");
  });

  it("has nothing to do for a file that has its old content already", async () => {
    put("a.txt", "one");
    await write("c1", { "a.txt": "two" });
    put("a.txt", "one");
    expect((await undo("c1")).files).toEqual([{ path: "a.txt", action: "unchanged" }]);
  });
});

describe("an undo that cannot be done", () => {
  it("names the latest calls when the id is not known, whatever the id is", async () => {
    await write("c1", { "a.txt": "1" });
    await write("c2", { "a.txt": "2" });
    for (const id of ["c3", "../../etc/passwd", "\0", "x".repeat(4_096), "\uD800", "__proto__"]) {
      await expect(undo(id)).rejects.toMatchObject({
        code: "not_found",
        reason: "undo_unknown",
        details: { latest: ["c2", "c1"] },
      });
    }
    await expect(undo("")).rejects.toMatchObject({ reason: "call_id_invalid" });
  });

  it("takes ids of any text", async () => {
    for (const id of ["../..", "a\0b", "x".repeat(4_096), "__proto__"]) {
      await write(id, { "a.txt": id });
      await undo(id);
      expect(existsSync(join(setting.root, "a.txt"))).toBe(false);
    }
  });

  it("says that a call has expired", async () => {
    await write("c1", { "a.txt": "1" });
    setting.advance(8 * 24 * 60 * 60_000);
    await expect(undo("c1")).rejects.toMatchObject({ code: "not_found", reason: "undo_expired" });
  });

  it("does not see calls of another root", async () => {
    await write("c1", { "a.txt": "1" });
    const other = setting.reopen({ root: "/elsewhere" });
    await expect(other.undo({ toolCallId: "c1", bridge: setting.bridge })).rejects.toMatchObject({
      reason: "undo_unknown",
    });
  });

  it("says that a bridge without remove cannot take a new file back", async () => {
    const bridge = createMemoryBridge({ "a.txt": "one" });
    const history = setting.reopen({ root: "/project" });
    const recording = history.record({ toolCallId: "c1", toolName: "test" }, bridge);
    await recording.bridge.writeFile({ filePath: "a.txt", data: "two" });
    await recording.bridge.writeFile({ filePath: "b.txt", data: "new" });
    await expect(history.undo({ toolCallId: "c1", bridge })).rejects.toMatchObject({
      code: "unavailable",
      reason: "bridge_cannot_remove",
      details: { files: ["b.txt"] },
    });
    expect(String(await bridge.readFile({ filePath: "a.txt" }))).toBe("two");
  });

  it("finds old content that was damaged, and leaves the files as they are", async () => {
    put("a.txt", "a1");
    put("b.txt", "b1");
    await write("c1", { "a.txt": "a2", "b.txt": "b2" });
    const [first] = readdirSync(setting.objects, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    writeFileSync(join(first?.parentPath ?? "", first?.name ?? ""), "damaged");
    await expect(undo("c1")).rejects.toMatchObject({
      code: "failed",
      reason: "undo_damaged",
      message: expect.stringMatching(
        /^Nothing was undone: the old content of "[ab]\.txt" is damaged/,
      ),
    });
    expect([setting.text("a.txt"), setting.text("b.txt")]).toEqual(["a2", "b2"]);
    expect(await setting.history.list()).toHaveLength(1);
  });

  it("puts everything back as it was when a file cannot be written", async () => {
    put("a.txt", "a1");
    put("b.txt", "b1");
    await write("c1", { "a.txt": "a2", "b.txt": "b2" });
    const failing: FsBridge = {
      ...setting.bridge,
      exclusive: (_paths, work) => work(failing),
      writeFile: async (request) => {
        if (request.filePath === "a.txt") throw new Error("no");
        await setting.bridge.writeFile(request);
      },
    };
    await expect(undo("c1", { bridge: failing })).rejects.toThrow("no");
    expect([setting.text("a.txt"), setting.text("b.txt")]).toEqual(["a2", "b2"]);
    expect((await undo("c1")).files).toHaveLength(2);
  });

  it("says what it did also when nothing can be noted in the store any more", async () => {
    put("a.txt", "a1");
    await write("c1", { "a.txt": "a2" });
    const full = async () => {
      throw new ToolError("unavailable", "The disk is full.", { reason: "store_full" });
    };
    const history = setting.reopen({
      store: { ...setting.store, kv: { ...setting.store.kv, put: full }, transact: full },
    });
    const result = await history.undo({ toolCallId: "c1", bridge: setting.bridge });
    expect(result.files).toEqual([{ path: "a.txt", action: "restored" }]);
    expect(result.problems.map(({ reason }) => reason)).toContain("store_full");
    expect(result.problems.at(-1)?.message).toContain("could not be noted as undone");
    expect(setting.text("a.txt")).toBe("a1");
  });

  it("ends before it touches anything when it is aborted", async () => {
    await write("c1", { "a.txt": "1" });
    await expect(undo("c1", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(setting.text("a.txt")).toBe("1");
  });
});
