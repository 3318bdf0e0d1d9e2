// A conflict of an undo says who changed the files since, and what to do about it.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";

let setting: HistorySetting;

beforeEach(() => {
  setting = createHistorySetting();
  mkdirSync(setting.root, { recursive: true });
  writeFileSync(join(setting.root, "a.txt"), "0");
});
afterEach(() => setting.remove());

const write = (id: string, data: string, filePath = "a.txt") =>
  setting.change(id, (bridge) => bridge.writeFile({ filePath, data }));
const undo = (toolCallId: string, force = false) =>
  setting.history.undo({ toolCallId, bridge: setting.bridge, force });

async function refusal(toolCallId: string) {
  const error: unknown = await undo(toolCallId).catch((thrown: unknown) => thrown);
  return error;
}

describe("a conflict of an undo", () => {
  it("names the later call, which is to be undone first", async () => {
    await write("p1", "1");
    await write("p3", "3");
    expect(await refusal("p1")).toMatchObject({
      reason: "undo_conflict",
      message:
        'Nothing was undone: "a.txt" changed since by "p3" (test); undo that first, or undo with { force: true } to overwrite it.',
      details: { files: ["a.txt"], laterCalls: [{ toolCallId: "p3", toolName: "test" }] },
    });
    await undo("p3");
    await undo("p1");
    expect(setting.text("a.txt")).toBe("0");
  });

  it("names several newest first, and none that touched other files", async () => {
    await write("p1", "1");
    for (const id of ["p2", "p3", "p4", "p5"]) await write(id, id);
    await write("other", "x", "b.txt");
    expect(await refusal("p1")).toMatchObject({
      message: expect.stringContaining(
        'by "p5" (test), "p4" (test), "p3" (test) and 1 more; undo these first',
      ),
      details: {
        laterCalls: ["p5", "p4", "p3", "p2"].map((toolCallId) => ({
          toolCallId,
          toolName: "test",
        })),
      },
    });
  });

  it("passes over calls that were undone since, with their undo", async () => {
    await write("p1", "1");
    await write("p2", "2");
    await undo("p2");
    await write("p3", "3");
    expect(await refusal("p1")).toMatchObject({
      details: { laterCalls: [{ toolCallId: "p3", toolName: "test" }] },
    });
  });

  it("names an undo that was forced over the call", async () => {
    await write("p1", "1");
    await write("p2", "2");
    const { undoId } = await undo("p1", true);
    expect(await refusal("p2")).toMatchObject({
      details: { laterCalls: [{ toolCallId: undoId, toolName: "undo" }] },
    });
  });

  it("names a call that came to the file through a link, or without the link it came through", async () => {
    symlinkSync("a.txt", join(setting.root, "lnk"));
    await write("p1", "1");
    await write("p2", "2", "lnk");
    expect(await refusal("p1")).toMatchObject({
      message: expect.stringContaining('"a.txt" changed since by "p2" (test); undo that first'),
      details: { files: ["a.txt"], laterCalls: [{ toolCallId: "p2", toolName: "test" }] },
    });
    await write("p3", "3");
    expect(await refusal("p2")).toMatchObject({
      message: expect.stringContaining('"lnk" changed since by "p3" (test); undo that first'),
      details: { files: ["lnk"], laterCalls: [{ toolCallId: "p3", toolName: "test" }] },
    });
    for (const id of ["p3", "p2", "p1"]) await undo(id);
    expect(setting.text("a.txt")).toBe("0");
  });

  it("names no call that came by the same path to another file", async () => {
    for (const folder of ["A", "B"]) mkdirSync(join(setting.root, folder));
    symlinkSync("A", join(setting.root, "cur"));
    await write("p1", "1", "cur/f");
    rmSync(join(setting.root, "cur"));
    symlinkSync("B", join(setting.root, "cur"));
    await write("p2", "2", "cur/f");
    writeFileSync(join(setting.root, "A/f"), "by hand");
    expect(await refusal("p1")).toMatchObject({
      message: expect.stringContaining('"A/f" changed after call "p1", by no call that is known'),
      details: { files: ["A/f"], laterCalls: [] },
    });
  });

  it("goes by the path where a record does not say where the file lay", async () => {
    await write("p1", "1");
    const recording = setting.history.record(
      { toolCallId: "p2", toolName: "test" },
      // What bridges of ours tell each other beside their methods is lost so.
      { ...setting.bridge },
    );
    await recording.bridge.writeFile({ filePath: "a.txt", data: "2" });
    await recording.end();
    await write("p3", "3");
    for (const [id, later] of [["p1", ["p3", "p2"]] as const, ["p2", ["p3"]] as const]) {
      expect(await refusal(id)).toMatchObject({
        details: { laterCalls: later.map((toolCallId) => ({ toolCallId, toolName: "test" })) },
      });
    }
  });

  it("says when the last change was made by no known call", async () => {
    await write("p1", "1");
    writeFileSync(join(setting.root, "a.txt"), "by hand");
    expect(await refusal("p1")).toMatchObject({
      message: expect.stringContaining('changed after call "p1", by no call that is known here'),
      details: { laterCalls: [] },
    });
    await undo("p1", true);
    await write("p2", "2");
    await write("p3", "3");
    writeFileSync(join(setting.root, "a.txt"), "by hand");
    expect(await refusal("p2")).toMatchObject({
      message: expect.stringContaining('by "p3" (test) and then by no known call; look at it'),
      details: { laterCalls: [{ toolCallId: "p3", toolName: "test" }] },
    });
  });
});
