// Records in the store: those of older versions, ids, and calls that change more than one file.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createHistorySetting,
  type HistorySetting,
} from "../../../../test/fakes/history-setting.js";
import type { FsBridge, Store, StoreOperation } from "../../../core/index.js";
import { CALLS_SPACE, FILES_SPACE } from "./change-log.js";
import { parseCall, parseFirst } from "./rows.js";

let setting: HistorySetting;
beforeEach(() => {
  setting = createHistorySetting();
  mkdirSync(setting.root, { recursive: true });
});
afterEach(() => setting.remove());

const put = (name: string, text: string) => writeFileSync(join(setting.root, name), text);
const write = (filePath: string, data: string) => (bridge: FsBridge) =>
  bridge.writeFile({ filePath, data });
const countOf = async (space: string) =>
  (await setting.store.kv.list({ space, limit: 1_000 })).entries.length;
const reopened = () => {
  const history = setting.reopen();
  return {
    undo: (toolCallId: string) => history.undo({ toolCallId, bridge: setting.bridge }),
    diff: (toolCallId: string) => history.diff({ toolCallId, bridge: setting.bridge }),
    list: () => history.list(),
  };
};

/** As it was written when each change had a value of its own. */
async function toOlderLayout(store: Store): Promise<void> {
  const { entries } = await store.kv.list({ space: CALLS_SPACE, limit: 1_000 });
  const operations = entries.flatMap(({ key, value }): StoreOperation[] => {
    const first = parseFirst(value);
    if (!first) return [];
    const file = `${key}/${first.index.toString().padStart(6, "0")}`;
    return [
      { kind: "kv.put", space: CALLS_SPACE, key, value: { ...parseCall(value) } },
      { kind: "kv.put", space: FILES_SPACE, key: file, value: first.change },
    ];
  });
  await store.transact(operations);
}

describe("the record of a call", () => {
  it("is one value when it changes one file, and one more for each further file", async () => {
    put("a", "old");
    await setting.change("one", write("a", "new"));
    expect([await countOf(CALLS_SPACE), await countOf(FILES_SPACE)]).toEqual([1, 0]);
    await setting.change("two", async (bridge) => {
      await write("b", "b")(bridge);
      await write("c", "c")(bridge);
    });
    expect([await countOf(CALLS_SPACE), await countOf(FILES_SPACE)]).toEqual([2, 1]);
    expect(await reopened().list()).toMatchObject([
      { toolCallId: "two", fileCount: 2, files: [{ path: "b" }, { path: "c" }] },
      { toolCallId: "one", fileCount: 1 },
    ]);
  });

  it("tells the last of two changes of its first file", async () => {
    put("a", "old");
    await setting.change("c1", async (bridge) => {
      await write("a", "one")(bridge);
      await write("a", "two")(bridge);
    });
    expect((await reopened().diff("c1")).text).toContain("+two");
    await reopened().undo("c1");
    expect(setting.text("a")).toBe("old");
  });

  it("loses its first change alone when only that was not made", async () => {
    put("a", "old");
    put("b", "old");
    const failing: FsBridge = {
      ...setting.bridge,
      exclusive: (_paths, work) => work(failing),
      writeFile: async (request) => {
        if (request.data === "refused") throw new Error("no");
        await setting.bridge.writeFile(request);
      },
    };
    const { bridge, end } = setting.history.record({ toolCallId: "c1", toolName: "test" }, failing);
    const refused = bridge.writeFile({ filePath: "a", data: "refused" });
    const made = bridge.writeFile({ filePath: "b", data: "new" });
    await Promise.allSettled([refused, made]);
    await end();
    expect(await reopened().list()).toMatchObject([
      { toolCallId: "c1", fileCount: 1, files: [{ path: "b" }] },
    ]);
    expect(await reopened().undo("c1")).toMatchObject({ files: [{ path: "b" }] });
  });

  it("is read as it was written before", async () => {
    put("a", "old");
    await setting.change("c1", async (bridge) => {
      await write("a", "new\n")(bridge);
      await write("b", "made\n")(bridge);
    });
    await setting.history.close();
    await toOlderLayout(setting.store);
    expect([await countOf(CALLS_SPACE), await countOf(FILES_SPACE)]).toEqual([1, 2]);
    expect(await reopened().list()).toMatchObject([
      { toolCallId: "c1", fileCount: 2, files: [{ path: "a" }, { path: "b" }] },
    ]);
    expect((await reopened().diff("c1")).text).toContain("+made");
    expect(await setting.reopen().prune()).toBe(3);
    await reopened().undo("c1");
    expect(setting.text("a")).toBe("old");
    await expect(reopened().undo("c1")).rejects.toMatchObject({ reason: "undo_done" });
  });

  it("keeps its change when it is marked as undone", async () => {
    put("a", "old");
    await setting.change("c1", write("a", "new"));
    const { undoId } = await reopened().undo("c1");
    await reopened().undo(undoId);
    expect(setting.text("a")).toBe("new");
    await reopened().undo("c1");
    expect(setting.text("a")).toBe("old");
  });
});

describe("the id of a call", () => {
  it("leads to the latest call, also when its process was killed", async () => {
    put("a", "one");
    await setting.change("same", write("a", "two"));
    setting.advance(1);
    const killed = setting
      .reopen()
      .record({ toolCallId: "same", toolName: "test" }, setting.bridge);
    await killed.bridge.writeFile({ filePath: "a", data: "three" });
    await reopened().undo("same");
    expect(setting.text("a")).toBe("two");
  });

  it("is written with the call, and tells of a call that has expired", async () => {
    put("a", "old");
    await setting.change("c1", write("a", "new"));
    expect(await countOf("undo.ids")).toBe(1);
    setting.advance(8 * 24 * 60 * 60_000);
    await expect(reopened().undo("c1")).rejects.toMatchObject({ reason: "undo_expired" });
  });

  it("goes with a call that changed nothing in the end", async () => {
    put("a", "old");
    await setting.change("c1", async (bridge) => {
      await write("a", "new")(bridge);
      await write("a", "old")(bridge);
    });
    await setting.history.close();
    expect([await countOf("undo.ids"), await countOf(CALLS_SPACE)]).toEqual([0, 0]);
  });
});
