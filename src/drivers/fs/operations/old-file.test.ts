// A write that is watched: who looks sees the file that is replaced, before it is, and can keep it.

import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WAYS_TO_PIN } from "../../../../test/fakes/ways-to-pin.js";
import {
  type OldFile,
  type WatchedWrite,
  type WriteWatch,
  watchedWriteOf,
} from "../../../core/files/index.js";
import type { FsBridge } from "../../../core/index.js";
import { createContainedBridge } from "../bridge.js";
import { createNodeBridge } from "../node-bridge.js";

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "old-file-")));
  root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "old");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const NO_LOOK = async () => undefined;

function watchedOf(bridge: FsBridge): WatchedWrite {
  const write = watchedWriteOf(bridge);
  if (!write) throw new Error("This bridge lets nobody watch.");
  return write;
}

const isLinux = process.platform === "linux";
const textAt = (path: string) => readFileSync(join(root, path), "utf8");

describe.each(WAYS_TO_PIN)("a watched write ($way)", ({ pinPath }) => {
  const open = () => createContainedBridge({ base: root, container: root, pinPath });
  const watchedWrite: WatchedWrite = (request, watch) => watchedOf(open())(request, watch);
  const write = (filePath: string, look: WriteWatch["look"]) =>
    watchedWrite({ filePath, data: "new" }, { look });
  const outcomeOf = async (filePath: string, use: (old: OldFile) => Promise<unknown>) => {
    let outcome: unknown;
    await write(filePath, async (old) => {
      outcome = old && (await use(old));
    });
    return outcome;
  };

  it("shows the file before it is replaced", async () => {
    const seen = await outcomeOf("a.txt", async (old) => [
      old.size,
      String(await old.read()),
      textAt("a.txt"),
    ]);
    expect(seen).toEqual([3, "old", "old"]);
    expect(textAt("a.txt")).toBe("new");
  });

  it("shows nothing where nothing is", async () => {
    const seen: unknown[] = [];
    await write("b/c.txt", async (old) => {
      seen.push(old);
    });
    expect(seen).toEqual([undefined]);
    expect(textAt("b/c.txt")).toBe("new");
  });

  it("changes nothing when the look fails", async () => {
    const refusal = new Error("not kept");
    await expect(write("a.txt", () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(textAt("a.txt")).toBe("old");
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("reads the file once, however many ask", async () => {
    const contents = await outcomeOf("a.txt", (old) => Promise.all([old.read(), old.read()]));
    expect(contents).toHaveLength(2);
    expect(new Set(contents as Buffer[]).size).toBe(1);
  });

  it("asks before anything is made, and makes nothing when the answer is no", async () => {
    const before = statSync(root).mtimeMs;
    const seen: unknown[] = [];
    const isWritten = await watchedWrite(
      { filePath: "a.txt", data: "new" },
      {
        async judge(old) {
          seen.push(String(await old?.read()), readdirSync(root));
          return false;
        },
        look: async () => void seen.push("looked"),
      },
    );
    expect([isWritten, seen]).toEqual([false, ["old", ["a.txt"]]]);
    expect([textAt("a.txt"), statSync(root).mtimeMs]).toEqual(["old", before]);
  });

  it("makes nothing, folders neither, where nothing is and something else is to be done", async () => {
    const seen: unknown[] = [];
    for (const filePath of ["b.txt", "c/d/e.txt", "a.txt"]) {
      const missing = async () => void seen.push(filePath);
      seen.push(await watchedWrite({ filePath, data: "new" }, { look: NO_LOOK, missing }));
    }
    expect(seen).toEqual(["b.txt", false, "c/d/e.txt", false, true]);
    expect([readdirSync(root), textAt("a.txt")]).toEqual([["a.txt"], "new"]);
  });

  it("does what is done instead in its turn, before all who came later", async () => {
    const bridge = open();
    const first = watchedOf(bridge)(
      { filePath: "b.txt", data: "unused" },
      {
        look: NO_LOOK,
        async missing(own) {
          expect(await own.stat({ filePath: "b.txt" })).toBeNull();
          await own.writeFile({ filePath: "b.txt", data: "first" });
        },
      },
    );
    const second = bridge.readFile({ filePath: "b.txt" });
    expect([await first, String(await second)]).toEqual([false, "first"]);
  });

  it("tells of its failure in its turn, when nothing is changed", async () => {
    const bridge = open();
    const seen: unknown[] = [];
    const first = watchedOf(bridge)(
      { filePath: "a.txt", data: "new" },
      {
        look: () => Promise.reject(new Error("not kept")),
        async failed(own) {
          seen.push(String(await own.readFile({ filePath: "a.txt" })), readdirSync(root));
        },
      },
    );
    const second = bridge.writeFile({ filePath: "a.txt", data: "second" });
    await expect(first).rejects.toThrow("not kept");
    await second;
    expect([seen, textAt("a.txt")]).toEqual([["old", ["a.txt"]], "second"]);
  });

  it("leaves time for other work when the change is made, before it answers", async () => {
    const seen: unknown[] = [];
    const meanwhile = () => void seen.push(textAt("a.txt"), readdirSync(root));
    const watch = { look: async () => void seen.push(textAt("a.txt")), meanwhile };
    await watchedWrite({ filePath: "a.txt", data: "new" }, watch);
    expect(seen).toEqual(["old", "new", ["a.txt"]]);
  });

  it("gives the file that a link leads to a second name, which keeps its bytes", async () => {
    symlinkSync("a.txt", join(root, "link"));
    const { ino } = statSync(join(root, "a.txt"));
    const kept = join(place, "kept");
    expect(await outcomeOf("link", (old) => old.linkTo(kept))).toBe("linked");
    expect(textAt("a.txt")).toBe("new");
    expect([readFileSync(kept, "utf8"), statSync(kept).ino]).toEqual(["old", ino]);
  });

  it("gives no second name to a file that has one, because it may be written in place", async () => {
    linkSync(join(root, "a.txt"), join(root, "same.txt"));
    const kept = join(place, "kept");
    expect(await outcomeOf("a.txt", (old) => old.linkTo(kept))).toBe("refused");
    expect(existsSync(kept)).toBe(false);
  });

  it("says when the second name is taken, and throws when its folder is missing", async () => {
    const taken = join(place, "taken");
    writeFileSync(taken, "mine");
    expect(await outcomeOf("a.txt", (old) => old.linkTo(taken))).toBe("taken");
    expect(readFileSync(taken, "utf8")).toBe("mine");
    await expect(
      outcomeOf("a.txt", (old) => old.linkTo(join(place, "no", "folder"))),
    ).rejects.toMatchObject({ reason: "file_missing" });
    expect(textAt("a.txt")).toBe("new");
  });

  it("leads out of the root as little as any write", async () => {
    symlinkSync(place, join(root, "out"));
    const looks: unknown[] = [];
    await expect(
      write("out/x", async (old) => {
        looks.push(old);
      }),
    ).rejects.toMatchObject({ reason: "path_outside_root" });
    expect(looks).toEqual([]);
  });
});

describe("a bridge that can be watched", () => {
  it("is ours, also while it is lent, and none that is made of its methods", async () => {
    const bridge = createNodeBridge(root);
    expect(watchedWriteOf(bridge)).toBeDefined();
    await bridge.exclusive([{ filePath: "a.txt" }], async (held) => {
      expect(watchedWriteOf(held)).toBeDefined();
    });
    expect(watchedWriteOf({ ...bridge })).toBeUndefined();
    expect(watchedWriteOf(Object.create(bridge))).toBeUndefined();
  });

  it.runIf(isLinux)("leaves no descriptor open, whether the look fails or not", async () => {
    const watched = watchedWriteOf(createNodeBridge(root));
    const round = () =>
      Promise.allSettled([
        watched?.(
          { filePath: "a.txt", data: "x" },
          { look: async (old) => void (await old?.read()) },
        ),
        watched?.(
          { filePath: "b.txt", data: "x" },
          { look: () => Promise.reject(new Error("no")) },
        ),
        watched?.({ filePath: "a.txt/x", data: "x" }, { look: async () => undefined }),
      ]);
    await round();
    const before = readdirSync("/proc/self/fd").length;
    for (let rounds = 0; rounds < 10; rounds++) await round();
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});
