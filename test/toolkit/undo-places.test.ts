// Undo where the place itself is the question: a root that has several names, and a folder that stands
// where a file was.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHistorySetting } from "../fakes/history-setting.js";
import { createStateSetting, write } from "./state-setting.js";

describe("a root that is reached by a link", () => {
  it("has one past under both names", async () => {
    const { start, root, place } = createStateSetting();
    const link = join(place, "link");
    symlinkSync(root, link);
    await write(start({ root: link }).toolkit, { id: "1", content: "by the link" });
    await write(start().toolkit, { id: "2", content: "by its name" });
    const { toolkit } = start({ root: link });
    expect((await toolkit.changes()).map(({ toolCallId }) => toolCallId)).toEqual(["2", "1"]);
    await toolkit.undo("2");
    await start().toolkit.undo("1");
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  it("has one past also when it was made after the first question", async () => {
    const { start, place } = createStateSetting();
    symlinkSync(place, join(place, "link"));
    const root = join(place, "link", "later");
    const { toolkit } = start({ root });
    expect(await toolkit.changes()).toEqual([]);
    mkdirSync(root);
    await write(toolkit, { id: "1", content: "new" });
    await start({ root: join(place, "later") }).toolkit.undo("1");
    expect(readdirSync(root)).toEqual([]);
  });

  it("keeps what was recorded under the name of the link", async () => {
    const setting = createHistorySetting({ scope: "/link" });
    try {
      mkdirSync(setting.root);
      await setting.change("old", (bridge) => bridge.writeFile({ filePath: "a", data: "1" }));
      const now = setting.reopen({ scope: "/real", otherScopes: ["/link", "/real"] });
      const { bridge } = now.record({ toolCallId: "new", toolName: "test" }, setting.bridge);
      await bridge.writeFile({ filePath: "a", data: "2" });
      expect((await now.list()).map(({ toolCallId }) => toolCallId)).toEqual(["new", "old"]);
      await expect(now.undo({ toolCallId: "old", bridge: setting.bridge })).rejects.toMatchObject({
        reason: "undo_conflict",
        details: { laterCalls: [{ toolCallId: "new", toolName: "test" }] },
      });
      await now.undo({ toolCallId: "new", bridge: setting.bridge });
      await now.undo({ toolCallId: "old", bridge: setting.bridge });
      expect(existsSync(join(setting.root, "a"))).toBe(false);
    } finally {
      setting.remove();
    }
  });
});

describe("a folder that stands where a file was", () => {
  async function setUp(first: "old" | undefined) {
    const setting = createStateSetting();
    const { toolkit } = setting.start();
    const file = join(setting.root, "a.txt");
    if (first !== undefined) writeFileSync(file, first);
    writeFileSync(join(setting.root, "b.txt"), "old");
    const input =
      first === undefined ? "*** Add File: a.txt\n+new" : "*** Update File: a.txt\n-old\n+new";
    const patch = `*** Begin Patch\n*** Update File: b.txt\n-old\n+new\n${input}\n*** End Patch`;
    await toolkit.invoke({ id: "1", name: "apply_patch", arguments: { input: patch } });
    rmSync(file);
    mkdirSync(join(file, "empty"), { recursive: true });
    return { ...setting, toolkit, file };
  }

  it.each(["old", undefined] as const)(
    "and is not empty is a conflict even by force, and nothing is touched (before: %s)",
    async (first) => {
      const { toolkit, file, root } = await setUp(first);
      writeFileSync(join(file, "keep"), "kept");
      await expect(toolkit.undo("1", { force: true })).rejects.toMatchObject({
        code: "conflict",
        reason: "folder_not_empty",
        message: expect.stringMatching(/^Nothing was undone: "a\.txt"/),
        details: { files: ["a.txt"] },
      });
      expect(readdirSync(file).sort()).toEqual(["empty", "keep"]);
      expect(readFileSync(join(root, "b.txt"), "utf8")).toMatch(/^new/);
    },
  );

  it.each(["old", undefined] as const)("and is empty goes by force (before: %s)", async (first) => {
    const { toolkit, file, root } = await setUp(first);
    await expect(toolkit.undo("1")).rejects.toMatchObject({ reason: "undo_conflict" });
    await toolkit.undo("1", { force: true });
    expect(existsSync(file)).toBe(first !== undefined);
    expect(readFileSync(join(root, "b.txt"), "utf8")).toMatch(/^old/);
  });
});
