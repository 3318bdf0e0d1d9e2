// What undo makes again has the permissions that it had before the call.

import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";

describe("the permissions of a file that undo puts back", () => {
  let setting: HistorySetting;
  beforeEach(() => {
    setting = createHistorySetting();
    mkdirSync(setting.root, { recursive: true });
  });
  afterEach(() => setting.remove());

  function put(path: string, mode: number): void {
    writeFileSync(join(setting.root, path), `of ${path}`);
    chmodSync(join(setting.root, path), mode);
  }
  const modeOf = (path: string) => statSync(join(setting.root, path)).mode & 0o777;
  const undo = async (id = "c") =>
    (await setting.history.undo({ toolCallId: id, bridge: setting.bridge, force: true })).undoId;

  it.each([0o600, 0o755, 0o640])("are those of the removed file (%o)", async (mode) => {
    put("a", mode);
    await setting.change("c", async (bridge) => bridge.remove?.({ filePath: "a" }));
    const undoId = await undo();
    expect(modeOf("a")).toBe(mode);
    await undo(undoId);
    expect(existsSync(join(setting.root, "a"))).toBe(false);
  });

  it.each([0o600, 0o755])(
    "are those of a moved file that was changed as well (%o)",
    async (mode) => {
      put("a", mode);
      await setting.change("c", async (bridge) => {
        await bridge.writeFile({ filePath: "b", data: "changed" });
        await bridge.remove?.({ filePath: "a" });
      });
      await undo();
      expect(modeOf("a")).toBe(mode);
      expect(setting.text("a")).toBe("of a");
    },
  );

  it("are those of the file over which another one was moved", async () => {
    put("secret", 0o600);
    put("script", 0o755);
    await setting.change("c", async (bridge) =>
      bridge.rename?.({ filePath: "script", to: "secret" }),
    );
    expect(modeOf("secret")).toBe(0o755);
    const undoId = await undo();
    expect([modeOf("secret"), modeOf("script")]).toEqual([0o600, 0o755]);
    await undo(undoId);
    expect(modeOf("secret")).toBe(0o755);
  });

  it.each([0o600, 0o755])("are so also when both had the same (%o)", async (mode) => {
    put("replaced", mode);
    put("moved", mode);
    await setting.change("c", async (bridge) =>
      bridge.rename?.({ filePath: "moved", to: "replaced" }),
    );
    await undo();
    expect([modeOf("replaced"), modeOf("moved")]).toEqual([mode, mode]);
    expect(setting.text("replaced")).toBe("of replaced");
  });

  it("are those of a file that the call removed and made anew", async () => {
    put("a", 0o600);
    await setting.change("c", async (bridge) => {
      await bridge.remove?.({ filePath: "a" });
      await bridge.writeFile({ filePath: "a", data: "new" });
    });
    await undo();
    expect(modeOf("a")).toBe(0o600);
  });

  it("are not opened by a file that somebody else put there", async () => {
    put("a", 0o600);
    await setting.change("c", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    writeFileSync(join(setting.root, "a"), "by somebody");
    chmodSync(join(setting.root, "a"), 0o644);
    await undo();
    expect(modeOf("a")).toBe(0o600);
  });

  it("stay as they were set after a call that only wrote to the file", async () => {
    put("a", 0o644);
    await setting.change("c", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    chmodSync(join(setting.root, "a"), 0o600);
    await undo();
    expect(modeOf("a")).toBe(0o600);
  });
});
