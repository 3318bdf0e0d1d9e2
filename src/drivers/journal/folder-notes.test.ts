// Notes of folders that are written into: made once, taken over from dead processes, gone at the end.

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/fakes/manual-clock.js";
import { createMemoryStore } from "../../../test/fakes/memory-store.js";
import { ToolError } from "../../core/index.js";
import { createFolderNotes, type NotedFolder } from "./index.js";

function createSetting() {
  const clock = createManualClock();
  const store = createMemoryStore({ clock });
  const random = { hex: (count: number) => randomBytes(count).toString("hex") };
  const dead = new Set<string>();
  const start = (own: string, root = "/root") => {
    const owner = { own, isDead: (mark: string) => dead.has(mark) };
    return createFolderNotes({ store, clock, random, owner, root });
  };
  const count = async () => (await store.kv.list({ space: "journal.folders" })).entries.length;
  const recover = async (own: string) => {
    const found: NotedFolder[] = [];
    await start(own).recover(async (noted) => void found.push(noted));
    return found;
  };
  return { store, start, dead, count, recover };
}

describe("notes of folders", () => {
  it("are made once for each folder, also when it is entered twice at once", async () => {
    const { start, count } = createSetting();
    const notes = start("one");
    await Promise.all([notes.note("a"), notes.note("a"), notes.note("b")]);
    await notes.note("a");
    expect(await count()).toBe(2);
  });

  it("are gone when it is closed", async () => {
    const { start, count } = createSetting();
    const notes = start("one");
    for (let index = 0; index < 1_201; index++) await notes.note(`folder ${index}`);
    await notes.close();
    expect(await count()).toBe(0);
  });

  it("of a dead process are given to the next, and those of the living are not", async () => {
    const { start, dead, count, recover } = createSetting();
    await start("dead").note("a");
    await start("dead", "/other").note(".");
    await start("living").note("b");
    dead.add("dead");
    const found = await recover("next");
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { root: "/root", folder: "a" },
        { root: "/other", folder: "." },
      ]),
    );
    expect(await count()).toBe(1);
    expect(await recover("next")).toEqual([]);
  });

  it("stay when what was left could not be removed", async () => {
    const { start, dead, recover } = createSetting();
    await start("dead").note("a");
    dead.add("dead");
    const failing = start("next").recover(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await recover("next")).toEqual([{ root: "/root", folder: "a" }]);
  });

  it("are tried again after a failure, and what is none is removed", async () => {
    const { store, start, count, recover } = createSetting();
    const full = new ToolError("unavailable", "full", { reason: "store_full" });
    let isFull = true;
    const put: typeof store.kv.put = (request) =>
      isFull ? Promise.reject(full) : store.kv.put(request);
    const notes = createFolderNotes({
      store: { ...store, kv: { ...store.kv, put } },
      clock: createManualClock(),
      random: { hex: () => "00" },
      owner: { own: "one", isDead: () => false },
      root: "/root",
    });
    await expect(notes.note("a")).rejects.toBe(full);
    isFull = false;
    await notes.note("a");
    expect(await count()).toBe(1);
    await store.kv.put({ space: "journal.folders", key: "strange", value: { root: 1 } });
    expect(await recover("next")).toEqual([]);
    expect(await count()).toBe(1);
    await start("one").close();
  });
});
