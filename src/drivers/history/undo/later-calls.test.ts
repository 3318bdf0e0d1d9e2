// A conflict of an undo says who changed the files since, and what to do about it.

import { mkdirSync, writeFileSync } from "node:fs";
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
