// Undo puts back the file that a call changed, also when links on its path lead elsewhere by now.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";
import type { FsBridge } from "../../../core/index.js";

let setting: HistorySetting;

const at = (path: string) => join(setting.root, path);
const put = (path: string, text: string) => writeFileSync(at(path), text);
const has = (path: string) => existsSync(at(path));
const undo = (toolCallId = "c", force = false) =>
  setting.history.undo({ toolCallId, bridge: setting.bridge, force });

beforeEach(() => {
  setting = createHistorySetting();
  for (const folder of ["A", "B"]) mkdirSync(at(folder), { recursive: true });
  symlinkSync("A", at("cur"));
});
afterEach(() => setting.remove());

function pointTo(folder: string): void {
  rmSync(at("cur"));
  symlinkSync(folder, at("cur"));
}

const write = (filePath: string, data = "new") =>
  setting.change("c", (bridge) => bridge.writeFile({ filePath, data }));

describe("undo of a call that came through a link", () => {
  it("names the path as the call did while the link leads where it led", async () => {
    put("A/f", "old");
    await write("cur/f");
    expect((await undo()).files).toEqual([{ path: "cur/f", action: "restored" }]);
    expect(setting.text("A/f")).toBe("old");
  });

  it("restores the file of before when the link was switched", async () => {
    put("A/f", "old");
    await write("cur/f");
    pointTo("B");
    put("B/f", "new");
    const { files, undoId } = await undo();
    expect(files).toEqual([{ path: "A/f", action: "restored" }]);
    expect([setting.text("A/f"), setting.text("B/f")]).toEqual(["old", "new"]);
    await undo(undoId);
    expect([setting.text("A/f"), setting.text("B/f")]).toEqual(["new", "new"]);
  });

  it("restores it also when the link leads out of the root or nowhere", async () => {
    put("A/f", "old");
    await write("cur/f");
    pointTo("/");
    await undo();
    expect(setting.text("A/f")).toBe("old");
    await write("A/f");
    pointTo("gone");
    await undo();
    expect(setting.text("A/f")).toBe("old");
  });

  it("removes the file that was made, and no other", async () => {
    await write("cur/f");
    pointTo("B");
    put("B/f", "new");
    await undo();
    expect([has("A/f"), has("B/f")]).toEqual([false, true]);
  });

  it("makes the removed file again where it was", async () => {
    put("A/f", "old");
    await setting.change("c", async (bridge) => bridge.remove?.({ filePath: "cur/f" }));
    pointTo("B");
    await undo();
    expect([has("A/f"), has("B/f")]).toEqual([true, false]);
  });

  it("moves a file back to where it was", async () => {
    put("A/f", "old");
    await setting.change("c", async (bridge) => bridge.rename?.({ filePath: "cur/f", to: "g" }));
    pointTo("B");
    expect((await undo()).files).toEqual([{ path: "A/f", action: "moved_back" }]);
    expect([has("A/f"), has("B/f"), has("g")]).toEqual([true, false, false]);
  });

  it("shows the file of the call in its diff", async () => {
    put("A/f", "old\n");
    await write("cur/f", "new\n");
    pointTo("B");
    put("B/f", "other\n");
    const { files } = await setting.history.diff({ toolCallId: "c", bridge: setting.bridge });
    expect(files[0]).toMatchObject({ path: "cur/f", against: "call" });
    expect(files[0]?.diff).toContain("+new");
  });
});

describe("undo of a file in whose place there is a link now", () => {
  const refusal = { reason: "undo_conflict", details: { laterCalls: [] } };

  it.each([false, true])("is refused when it would come to another (force: %s)", async (force) => {
    put("f", "old");
    await write("f");
    rmSync(at("f"));
    put("g", "new");
    symlinkSync("g", at("f"));
    await expect(undo("c", force)).rejects.toMatchObject({
      ...refusal,
      message:
        'Nothing was undone: "f" leads to another file now than call "c" changed; see that it leads there again first.',
      details: { files: ["f"], laterCalls: [] },
    });
    expect(setting.text("g")).toBe("new");
  });

  it("is refused when its folder became a link to another", async () => {
    put("A/f", "old");
    await write("A/f");
    renameSync(at("A"), at("away"));
    symlinkSync("B", at("A"));
    put("B/f", "new");
    await expect(undo()).rejects.toMatchObject(refusal);
    expect([setting.text("B/f"), setting.text("away/f")]).toEqual(["new", "new"]);
  });

  it("works by an older record, which does not say where the file lay", async () => {
    put("A/f", "old");
    const recording = setting.history.record(
      { toolCallId: "c", toolName: "test" },
      withoutPlaces(setting.bridge),
    );
    await recording.bridge.writeFile({ filePath: "cur/f", data: "new" });
    await recording.end();
    await undo();
    expect(setting.text("A/f")).toBe("old");
  });
});

describe("undo of what was done to a link itself", () => {
  const change = (work: (bridge: FsBridge) => Promise<void> | undefined) =>
    setting.change("c", async (bridge) => work(bridge));

  beforeEach(() => {
    put("tgt", "old");
    symlinkSync("tgt", at("lnk"));
  });

  it("moves a moved link back as a link", async () => {
    await change((bridge) => bridge.rename?.({ filePath: "lnk", to: "moved" }));
    await undo();
    expect([readlinkSync(at("lnk")), has("moved")]).toEqual(["tgt", false]);
  });

  it("moves a link back that was moved over a file, which comes back too", async () => {
    put("over", "replaced");
    await change((bridge) => bridge.rename?.({ filePath: "lnk", to: "over" }));
    await undo();
    expect([readlinkSync(at("lnk")), setting.text("over")]).toEqual(["tgt", "replaced"]);
    expect(setting.text("tgt")).toBe("old");
  });

  it("makes a file of a removed link", async () => {
    await change((bridge) => bridge.remove?.({ filePath: "lnk" }));
    await undo();
    expect([lstatSync(at("lnk")).isFile(), setting.text("lnk")]).toEqual([true, "old"]);
  });

  it("restores what a removed link led to, when the call wrote through it", async () => {
    await write("lnk");
    rmSync(at("lnk"));
    expect((await undo()).files).toEqual([{ path: "tgt", action: "restored" }]);
    expect([setting.text("tgt"), has("lnk")]).toEqual(["old", false]);
  });
});

/** The methods alone: what bridges of ours tell each other beside them is not told. */
function withoutPlaces(bridge: FsBridge): FsBridge {
  return { ...bridge };
}
