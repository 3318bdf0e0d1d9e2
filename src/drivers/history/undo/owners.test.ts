// What undo makes again belongs to whom it belonged before the call, where the process may give files
// away; elsewhere it belongs to the process, and nothing fails.

import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";

const [USER, GROUP] = [4_321, 4_322];
const NOBODY = 65_534;

describe.runIf(process.getuid?.() === 0)("the owner of a file that undo puts back", () => {
  let setting: HistorySetting;
  beforeEach(() => {
    setting = createHistorySetting();
    mkdirSync(setting.root, { recursive: true });
  });
  afterEach(() => setting.remove());

  function put(path: string, mode = 0o640): void {
    writeFileSync(join(setting.root, path), `of ${path}`);
    chmodSync(join(setting.root, path), mode);
  }
  function give(path: string, uid = USER, gid = GROUP): void {
    chownSync(join(setting.root, path), uid, gid);
  }
  function accessOf(path: string) {
    const { mode, uid, gid } = statSync(join(setting.root, path));
    return { mode: mode & 0o777, uid, gid };
  }
  const undo = async (id = "c", force = false) =>
    (await setting.history.undo({ toolCallId: id, bridge: setting.bridge, force })).undoId;
  const remove = () => setting.change("c", async (bridge) => bridge.remove?.({ filePath: "a" }));

  it("is that of the removed file", async () => {
    put("a");
    give("a");
    await remove();
    await undo();
    expect(accessOf("a")).toEqual({ mode: 0o640, uid: USER, gid: GROUP });
  });

  it("is that of a moved file that was changed as well", async () => {
    put("a");
    give("a");
    await setting.change("c", async (bridge) => {
      await bridge.rename?.({ filePath: "a", to: "b" });
      await bridge.writeFile({ filePath: "b", data: "changed" });
    });
    expect(accessOf("b").uid).toBe(USER);
    const undoId = await undo();
    expect(accessOf("a")).toEqual({ mode: 0o640, uid: USER, gid: GROUP });
    await undo(undoId);
    expect(accessOf("b")).toEqual({ mode: 0o640, uid: USER, gid: GROUP });
  });

  it("is that of the file over which another one was moved", async () => {
    for (const path of ["replaced", "moved"]) put(path);
    give("replaced");
    await setting.change("c", async (bridge) =>
      bridge.rename?.({ filePath: "moved", to: "replaced" }),
    );
    await undo();
    expect([accessOf("replaced").uid, accessOf("moved").uid]).toEqual([USER, 0]);
  });

  it("is that of a file that the call removed and made anew, or somebody else did", async () => {
    put("a");
    give("a");
    await setting.change("c", async (bridge) => {
      await bridge.remove?.({ filePath: "a" });
      await bridge.writeFile({ filePath: "a", data: "new" });
    });
    await undo();
    expect(accessOf("a").uid).toBe(USER);
    await setting.change("d", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    writeFileSync(join(setting.root, "a"), "by somebody");
    give("a", 0, 0);
    await undo("d", true);
    expect(accessOf("a").uid).toBe(USER);
  });

  it("stays as it was set after a call that only wrote to the file", async () => {
    put("a");
    await setting.change("c", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    give("a");
    await undo();
    expect(accessOf("a")).toEqual({ mode: 0o640, uid: USER, gid: GROUP });
  });

  it("is the process where that may not give files away", async () => {
    put("a");
    give("a");
    await remove();
    const place = dirname(setting.root);
    for (const path of ["", ...readdirSync(place, { recursive: true, encoding: "utf8" })]) {
      chownSync(join(place, path), NOBODY, NOBODY);
    }
    process.seteuid?.(NOBODY);
    try {
      await undo();
    } finally {
      process.seteuid?.(0);
    }
    expect(accessOf("a")).toMatchObject({ mode: 0o640, uid: NOBODY });
  });
});
