// What a call changes through its bridge is written down first: also when it fails, is killed, does
// several things at once, or when nothing can be written down.

import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHistorySetting, type HistorySetting } from "../../../test/fakes/history-setting.js";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { watchedWriteOf, withFiles } from "../../core/files/index.js";
import { type FsBridge, type Store, ToolError } from "../../core/index.js";

let setting: HistorySetting;

beforeEach(() => {
  setting = createHistorySetting();
  mkdirSync(setting.root, { recursive: true });
});
afterEach(() => setting.remove());

const call = { toolCallId: "c1", toolName: "test" };
const put = (path: string, text: string) => writeFileSync(join(setting.root, path), text);
const undo = () => setting.history.undo({ toolCallId: "c1", bridge: setting.bridge });
const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const never = () => new Promise<never>(() => undefined);
const full = new ToolError("unavailable", "The disk is full.", { reason: "store_full" });

describe("the bridge of a call", () => {
  it("makes nothing on the disk before the first change", async () => {
    const { bridge } = setting.history.record(call, setting.bridge);
    put("a.txt", "one");
    await bridge.readFile({ filePath: "a.txt" });
    await bridge.stat({ filePath: "b.txt" });
    expect(existsSync(setting.objects)).toBe(false);
    await bridge.writeFile({ filePath: "a.txt", data: "two" });
    expect(statSync(setting.objects).mode & 0o777).toBe(0o700);
  });

  it("offers what the bridge behind it offers, and always exclusive", () => {
    const names = (bridge: FsBridge) => Object.keys(bridge).sort();
    const plain = createMemoryBridge({});
    expect(names(setting.history.record(call, plain).bridge)).toEqual(
      [...names(plain), "exclusive"].sort(),
    );
    expect(names(setting.history.record(call, setting.bridge).bridge)).toEqual(
      names(setting.bridge),
    );
  });

  it("keeps calls apart that change one file at once, for any bridge", async () => {
    for (const bridge of [setting.bridge, createMemoryBridge({})]) {
      await bridge.writeFile({ filePath: "count", data: "0" });
      const addOne = async (id: number) => {
        const own = setting.history.record({ ...call, toolCallId: `c${id}` }, bridge).bridge;
        await withFiles(own, [{ filePath: "count" }], async (held) => {
          const text = String(await held.readFile({ filePath: "count" }));
          await held.writeFile({ filePath: "count", data: `${Number(text) + 1}` });
        });
      };
      await Promise.all(Array.from({ length: 20 }, (_, id) => addOne(id)));
      expect(String(await bridge.readFile({ filePath: "count" }))).toBe("20");
    }
  });

  it("puts changes that a call makes at once into one record", async () => {
    await setting.change("c1", async (bridge) => {
      const paths = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
      await Promise.all(paths.map((filePath) => bridge.writeFile({ filePath, data: filePath })));
    });
    expect(await setting.history.list()).toHaveLength(1);
    expect((await undo()).files).toHaveLength(30);
    expect(existsSync(join(setting.root, "7.txt"))).toBe(false);
  });

  it("does what is not awaited in the order of the calls, one spelling or two", async () => {
    const { bridge } = setting.history.record(call, setting.bridge);
    const [at, same] = [{ filePath: "a.txt" }, { filePath: "./a.txt" }];
    for (const second of [at, same]) {
      put("a.txt", "old");
      const seen = await Promise.all([
        bridge.readFile(at).then(String),
        bridge.writeFile({ ...second, data: "one" }),
        bridge.exclusive?.([at], (held) => held.writeFile({ ...at, data: "two" })),
        bridge.readFile(second).then(String),
        bridge.remove?.(at),
        bridge.writeFile({ ...second, data: "three" }),
      ]);
      expect([seen[0], seen[3]]).toEqual(["old", "two"]);
      expect(readFileSync(join(setting.root, "a.txt"), "utf8")).toBe("three");
    }
  });

  it("goes on working when its turn is over", async () => {
    const { bridge } = setting.history.record(call, setting.bridge);
    const kept = await withFiles(bridge, [{ filePath: "a" }], async (held) => held);
    await kept.writeFile({ filePath: "a", data: "late" });
    await undo();
    expect(existsSync(join(setting.root, "a"))).toBe(false);
  });

  it("remembers nothing of the state folder, and nothing of a write that changes nothing", async () => {
    put("same.txt", "same");
    const history = setting.reopen({ excluded: join(setting.root, "state") });
    const { bridge } = history.record(call, setting.bridge);
    await bridge.writeFile({ filePath: "state/x", data: "1" });
    await bridge.writeFile({ filePath: "same.txt", data: "same" });
    expect(await history.list()).toEqual([]);
  });
});

describe("a change that fails", () => {
  it("leaves no record when nothing was changed", async () => {
    const { bridge } = setting.history.record(call, setting.bridge);
    await expect(bridge.writeFile({ filePath: "../out", data: "x" })).rejects.toMatchObject({
      reason: "path_outside_root",
    });
    mkdirSync(join(setting.root, "folder"));
    await expect(bridge.writeFile({ filePath: "folder", data: "x" })).rejects.toMatchObject({
      reason: "is_directory",
    });
    await expect(bridge.remove?.({ filePath: "none" })).rejects.toMatchObject({
      reason: "file_missing",
    });
    expect(await setting.history.list()).toEqual([]);
  });

  it("can be undone when it left something else than it was about to", async () => {
    put("a.txt", "old");
    const tearing: FsBridge = {
      ...setting.bridge,
      exclusive: (_paths, work) => work(tearing),
      writeFile: async ({ filePath }) => {
        await setting.bridge.writeFile({ filePath, data: "half" });
        throw new Error("torn");
      },
    };
    const { bridge } = setting.history.record(call, tearing);
    await expect(bridge.writeFile({ filePath: "a.txt", data: "whole" })).rejects.toThrow("torn");
    await undo();
    expect(setting.text("a.txt")).toBe("old");
  });

  it("keeps no other change of the call waiting", async () => {
    put("a.txt", "one");
    const { bridge } = setting.history.record(call, setting.bridge);
    const stop = new AbortController();
    const first = watchedWriteOf(bridge)?.(
      { filePath: "a.txt", data: "two", signal: stop.signal },
      { look: async () => stop.abort() },
    );
    const second = bridge.writeFile({ filePath: "a.txt", data: "three" });
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    await second;
    expect(readFileSync(join(setting.root, "a.txt"), "utf8")).toBe("three");
    await undo();
    expect(readFileSync(join(setting.root, "a.txt"), "utf8")).toBe("one");
  });

  it("leaves no record when the tool put everything back by itself", async () => {
    put("a.txt", "old");
    await setting.change("c1", async (bridge) => {
      await bridge.writeFile({ filePath: "a.txt", data: "new" });
      await bridge.writeFile({ filePath: "a.txt", data: "old" });
    });
    expect(await setting.history.list()).toEqual([]);
  });
});

function createGate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

describe("a call whose beginning is still being written", () => {
  const whole = ({ remove, rename, removeFolder, exclusive, ...own }: FsBridge) => {
    if (remove && rename && removeFolder && exclusive) {
      return { ...own, remove, rename, removeFolder, exclusive };
    }
    throw new Error("The bridge of a folder has them all.");
  };
  type Whole = ReturnType<typeof whole>;
  const changes: Record<string, (bridge: Whole) => Promise<unknown>> = {
    replace: (bridge) => bridge.writeFile({ filePath: "a.txt", data: "new" }),
    create: (bridge) => bridge.writeFile({ filePath: "sub/new.txt", data: "new" }),
    "replace in a turn": (bridge) =>
      bridge.exclusive([{ filePath: "a.txt" }], (own) =>
        own.writeFile({ filePath: "a.txt", data: "new" }),
      ),
    remove: (bridge) => bridge.remove({ filePath: "a.txt" }),
    rename: (bridge) => bridge.rename({ filePath: "a.txt", to: "b.txt" }),
    mkdirp: (bridge) => bridge.mkdirp({ filePath: "made" }),
    removeFolder: (bridge) => bridge.removeFolder({ filePath: "empty" }),
  };
  const standing = () =>
    readdirSync(setting.root, { recursive: true, withFileTypes: true })
      .filter(({ name }) => !name.endsWith(".clawtmp"))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, entry.isFile() && readFileSync(path, "utf8")];
      });

  it.each(Object.entries(changes))("waits with %s", async (_name, change) => {
    put("a.txt", "old");
    mkdirSync(join(setting.root, "empty"));
    const before = standing();
    const begun = createGate();
    const begin = () => begun.promise;
    const { bridge } = setting.history.record({ ...call, begin }, setting.bridge);
    const changing = change(whole(bridge));
    // Each asks the disk, so there was time for the change.
    for (let looks = 0; looks < 20; looks++) await bridge.stat({ filePath: "elsewhere" });
    expect(standing()).toEqual(before);
    begun.open();
    await changing;
    expect(standing()).not.toEqual(before);
  });

  it("has only a temporary file and its record while it waits to replace a file", async () => {
    put("a.txt", "old");
    const begun = createGate();
    const begin = () => begun.promise;
    const { bridge } = setting.history.record({ ...call, begin }, setting.bridge);
    const writing = bridge.writeFile({ filePath: "a.txt", data: "new" });
    const temporary = () => readdirSync(setting.root).filter((name) => name.endsWith(".clawtmp"));
    await expect.poll(temporary).toHaveLength(1);
    await expect.poll(async () => (await setting.reopen().list()).length).toBe(1);
    expect(setting.text("a.txt")).toBe("old");
    begun.open();
    await writing;
    expect([temporary(), setting.text("a.txt")]).toEqual([[], "new"]);
  });

  it.each(Object.entries(changes))("refuses %s when it cannot be", async (_name, change) => {
    put("a.txt", "old");
    mkdirSync(join(setting.root, "empty"));
    const before = standing();
    const begin = () => Promise.reject(full);
    const { bridge } = setting.history.record({ ...call, begin }, setting.bridge);
    await expect(change(whole(bridge))).rejects.toBe(full);
    expect([standing(), await setting.history.list()]).toEqual([before, []]);
  });
});

describe("a process that ends in the middle of a call", () => {
  /** The last write of these stops before or behind the real one, as a killed process does. */
  const killedAt = (moment: "before" | "behind", lastData: string): FsBridge => {
    const dying: FsBridge = {
      ...setting.bridge,
      exclusive: (_paths, work) => work(dying),
      writeFile: async (request) => {
        const isLast = request.data === lastData;
        if (isLast && moment === "before") return never();
        await setting.bridge.writeFile(request);
        if (isLast) return never();
      },
    };
    return dying;
  };

  for (const moment of ["before", "behind"] as const) {
    it(`is undone when it ended ${moment} the change of a file`, async () => {
      put("a.txt", "old");
      const { bridge } = setting.history.record(call, killedAt(moment, "two"));
      await bridge.writeFile({ filePath: "a.txt", data: "one" });
      const dies = bridge.writeFile({ filePath: "a.txt", data: "two" });
      const wanted = moment === "before" ? "one" : "two";
      await expect.poll(async () => settled(dies, setting.text("a.txt"))).toBe(wanted);
      await expect
        .poll(async () => (await setting.reopen().diff(request())).files[0]?.path)
        .toBe("a.txt");
      await setting.reopen().undo(request());
      expect(setting.text("a.txt")).toBe("old");
    });
  }

  const request = () => ({ toolCallId: "c1", bridge: setting.bridge });
  const settled = async (dies: Promise<void>, text: string) =>
    Promise.race([dies.then(() => "ended"), new Promise((done) => setImmediate(done, text))]);
});

describe("old content that cannot be kept", () => {
  it("is said, and undo answers with the limit, when the file is too large", async () => {
    const history = setting.reopen({ limits: { maxFileBytes: 3 } });
    put("big.txt", "four");
    const recording = history.record(call, setting.bridge);
    await recording.bridge.writeFile({ filePath: "big.txt", data: "x" });
    expect(setting.text("big.txt")).toBe("x");
    expect(recording.problems()).toMatchObject([{ path: "big.txt", reason: "file_too_large" }]);
    await expect(undo()).rejects.toMatchObject({
      code: "limit",
      reason: "undo_not_kept",
      details: { files: [{ path: "big.txt", reason: "file_too_large" }] },
    });
  });

  it("does not keep the call from running when it cannot be stored", async () => {
    put("a.txt", "old");
    mkdirSync(join(setting.objects, ".."), { recursive: true });
    writeFileSync(setting.objects, "a file where the folder should be");
    const recording = setting.history.record(call, setting.bridge);
    await recording.bridge.writeFile({ filePath: "a.txt", data: "new" });
    expect(recording.problems()).toMatchObject([{ path: "a.txt", reason: "not_stored" }]);
    expect(setting.text("a.txt")).toBe("new");
    await expect(undo()).rejects.toMatchObject({ code: "unavailable", reason: "undo_not_kept" });
  });

  it("does not keep the call from running when it cannot be recorded", async () => {
    put("a.txt", "old");
    const history = setting.reopen({ store: failing(setting.store) });
    const recording = history.record(call, setting.bridge);
    await recording.bridge.writeFile({ filePath: "a.txt", data: "new" });
    expect(setting.text("a.txt")).toBe("new");
    expect(recording.problems()).toMatchObject([{ reason: "store_full" }]);
    expect(recording.hasChanges()).toBe(true);
  });

  it("refuses the change where undo is required, and the old content stays", async () => {
    put("a.txt", "old");
    const history = setting.reopen({ store: failing(setting.store), required: true });
    const recording = history.record(call, setting.bridge);
    await expect(
      recording.bridge.writeFile({ filePath: "a.txt", data: "new" }),
    ).rejects.toMatchObject({ code: "unavailable", reason: "undo_required" });
    expect(setting.text("a.txt")).toBe("old");
    const small = setting.reopen({ limits: { maxFileBytes: 1 }, required: true });
    await expect(
      small.record(call, setting.bridge).bridge.remove?.({ filePath: "a.txt" }),
    ).rejects.toMatchObject({ code: "limit", reason: "undo_required" });
    expect(setting.text("a.txt")).toBe("old");
  });

  const failing = (store: Store): Store => ({
    ...store,
    transact: async () => {
      throw full;
    },
  });
});

describe("what is kept", () => {
  it("is stored once for equal content, for this user alone", async () => {
    for (const name of ["a", "b", "c"]) put(name, "the same");
    for (const name of ["a", "b", "c"]) {
      await setting.change(name, (bridge) => bridge.writeFile({ filePath: name, data: name }));
    }
    const files = listFiles(setting.objects);
    expect(files).toHaveLength(1);
    expect(statSync(setting.objects).mode & 0o777).toBe(0o700);
    expect(readFileSync(files[0] ?? "", "utf8")).toBe("the same");
  });

  it("is the file itself that a write takes away, and a copy where it has another name", async () => {
    put("a", "old");
    put("b", "shared");
    linkSync(join(setting.root, "b"), join(setting.root, "also b"));
    const inodes = ["a", "b"].map((name) => statSync(join(setting.root, name)).ino);
    for (const name of ["a", "b"]) {
      await setting.change(name, (bridge) => bridge.writeFile({ filePath: name, data: "new" }));
    }
    const kept = listFiles(setting.objects).map((file) => statSync(file).ino);
    expect(inodes.map((inode) => kept.includes(inode))).toEqual([true, false]);
    writeFileSync(join(setting.root, "also b"), "written in place");
    for (const toolCallId of ["a", "b"]) {
      await setting.history.undo({ toolCallId, bridge: setting.bridge });
    }
    expect([setting.text("a"), setting.text("b")]).toEqual(["old", "shared"]);
  });

  it("stays the file of before when a write of the same content is repeated", async () => {
    put("a", "old");
    await setting.change("c1", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    put("a", "old");
    await setting.change("c2", (bridge) => bridge.writeFile({ filePath: "a", data: "other" }));
    const files = listFiles(setting.objects);
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["old"]);
    await setting.history.undo({ toolCallId: "c2", bridge: setting.bridge });
    expect(setting.text("a")).toBe("old");
  });

  it("does not change with a file that stayed in its place, because the write was refused", async () => {
    put("a", "old");
    const stop = new AbortController();
    const store: Store = {
      ...setting.store,
      transact: async (...parts) => {
        stop.abort();
        return setting.store.transact(...parts);
      },
    };
    const { bridge } = setting.reopen({ store }).record(call, setting.bridge);
    const write = bridge.writeFile({ filePath: "a", data: "new", signal: stop.signal });
    await expect(write).rejects.toMatchObject({ code: "aborted" });
    put("a", "written in place");
    expect(listFiles(setting.objects).map((file) => readFileSync(file, "utf8"))).toEqual(["old"]);
  });

  it("is cut loose from a file that a killed process left in its place", async () => {
    put("a", "old");
    const hash = createHash("sha256").update("old").digest("hex");
    mkdirSync(setting.objects, { recursive: true });
    linkSync(join(setting.root, "a"), join(setting.objects, hash));
    setting.advance(60_000);
    await setting.history.prune();
    put("a", "written in place");
    expect(readFileSync(join(setting.objects, hash), "utf8")).toBe("old");
  });

  it("goes when its calls have expired, and not before", async () => {
    put("a", "old");
    await setting.change("c1", (bridge) => bridge.writeFile({ filePath: "a", data: "new" }));
    await setting.history.close();
    setting.advance(6 * 24 * 60 * 60_000);
    expect(await setting.history.prune()).toBe(3);
    setting.advance(2 * 24 * 60 * 60_000);
    expect(await setting.history.prune()).toBe(0);
    expect(listFiles(setting.objects)).toEqual([]);
  });

  it("loses the oldest calls first when there is too much", async () => {
    const history = setting.reopen({ limits: { maxTotalBytes: 25 } });
    for (const name of ["a", "b", "c"]) {
      put(name, name.repeat(10));
      await setting.change(name, (bridge) => bridge.writeFile({ filePath: name, data: "x" }));
      setting.advance(60_000);
    }
    await setting.history.close();
    expect(await history.prune()).toBe(20);
    const ask = (toolCallId: string) => history.undo({ toolCallId, bridge: setting.bridge });
    await expect(ask("a")).rejects.toMatchObject({ reason: "undo_expired" });
    await ask("b");
    await ask("c");
    expect(setting.text("b")).toBe("b".repeat(10));
  });

  it("leaves young content alone that nothing refers to yet", async () => {
    mkdirSync(setting.objects, { recursive: true });
    writeFileSync(join(setting.objects, "c".repeat(64)), "being recorded");
    await setting.history.prune();
    expect(listFiles(setting.objects)).toHaveLength(1);
    setting.advance(2 * 60 * 60_000);
    await setting.history.prune();
    expect(listFiles(setting.objects)).toHaveLength(0);
  });
});
