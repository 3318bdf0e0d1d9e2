// Work on files through bridges that have no queue of their own: one call after the other, in the
// order of the calls, and nobody who gave up stands in the way.

import { describe, expect, it } from "vitest";
import type { FsBridge, FsPath } from "../ports/fs-bridge.js";
import { withFiles } from "./with-files.js";

function createSlowBridge(files = new Map<string, string>()): FsBridge {
  const place = ({ filePath, cwd }: FsPath) => `${cwd ?? ""}|${filePath}`;
  return {
    stat: async () => null,
    readFile: async (path) => {
      await Promise.resolve();
      return Buffer.from(files.get(place(path)) ?? "");
    },
    mkdirp: async () => undefined,
    writeFile: async (path) => {
      await Promise.resolve();
      files.set(place(path), String(path.data));
    },
  };
}

const append = (bridge: FsBridge, path: FsPath, letter: string) =>
  withFiles(bridge, [path], async (own) => {
    const before = await own.readFile(path);
    await own.writeFile({ ...path, data: `${before}${letter}` });
  });

function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe("withFiles over a bridge of four methods", () => {
  it("loses no change of ten that are made at once, and keeps their order", async () => {
    const bridge = createSlowBridge();
    const path = { filePath: "a.txt" };
    await Promise.all([..."0123456789"].map((letter) => append(bridge, path, letter)));
    expect(String(await bridge.readFile(path))).toBe("0123456789");
  });

  it("the same changes without it are lost, so the bridge is a fair test", async () => {
    const bridge = createSlowBridge();
    const path = { filePath: "a.txt" };
    const change = async (letter: string) =>
      bridge.writeFile({ ...path, data: `${await bridge.readFile(path)}${letter}` });
    await Promise.all([..."0123456789"].map(change));
    expect(String(await bridge.readFile(path))).toHaveLength(1);
  });

  it.each([
    ["a.txt", undefined, "./a.txt", undefined],
    ["x/../a.txt", undefined, "a.txt", undefined],
    ["a//b/./c", "/r", "/r/a/b/c", "/elsewhere"],
    ["../up", "/r/x", "up", "/r"],
  ])("takes %s from %s and %s from %s for one file", async (one, oneCwd, other, otherCwd) => {
    const bridge = createSlowBridge();
    const gate = createGate();
    const steps: string[] = [];
    const first = withFiles(bridge, [toPath(one, oneCwd)], async () => {
      await gate.opened;
      steps.push("first");
    });
    const second = withFiles(bridge, [toPath(other, otherCwd)], async () => {
      steps.push("second");
    });
    gate.open();
    await Promise.all([first, second]);
    expect(steps).toEqual(["first", "second"]);
  });

  it("lets other files and other bridges pass", async () => {
    const [bridge, otherBridge] = [createSlowBridge(), createSlowBridge()];
    const gate = createGate();
    const path = { filePath: "a.txt" };
    const held = withFiles(bridge, [path], () => gate.opened);
    expect(await withFiles(bridge, [{ filePath: "b.txt" }], async () => "other file")).toBe(
      "other file",
    );
    expect(await withFiles(otherBridge, [path], async () => "other bridge")).toBe("other bridge");
    gate.open();
    await held;
  });

  it("several files in any order, and one named twice, never lock each other out", async () => {
    const bridge = createSlowBridge();
    const [a, b] = [{ filePath: "a" }, { filePath: "b" }];
    const orders = [[a, b], [b, a], [a, a, b], [b], [a]];
    const work = orders.map((paths) =>
      withFiles(bridge, paths, async (own) => String(await own.readFile(a))),
    );
    expect(await Promise.all(work)).toHaveLength(orders.length);
  });

  it("an aborted call leaves the queue at once, though the holder never ends", async () => {
    const bridge = createSlowBridge();
    const gate = createGate();
    const path = { filePath: "a.txt" };
    const held = withFiles(bridge, [path], () => gate.opened);
    const controller = new AbortController();
    const waiting = withFiles(bridge, [{ ...path, signal: controller.signal }], async () => "ran");
    const behind = withFiles(bridge, [path], async () => "behind");
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    const late = withFiles(bridge, [{ ...path, signal: AbortSignal.abort() }], async () => "ran");
    await expect(late).rejects.toMatchObject({ code: "aborted" });
    gate.open();
    await held;
    expect(await behind).toBe("behind");
  });

  it("work that fails makes room for the next", async () => {
    const bridge = createSlowBridge();
    const path = { filePath: "a.txt" };
    const failing = withFiles(bridge, [path], async () => {
      throw new Error("no");
    });
    const next = withFiles(bridge, [path], async () => "next");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});

describe("withFiles over a bridge that offers exclusive", () => {
  it("leaves it to the bridge, with what the bridge gives", async () => {
    const inner = createSlowBridge();
    const asked: unknown[] = [];
    const bridge: FsBridge = {
      ...createSlowBridge(),
      async exclusive(paths, work) {
        asked.push(paths);
        return work(inner);
      },
    };
    const paths = [{ filePath: "a" }];
    expect(await withFiles(bridge, paths, async (own) => own)).toBe(inner);
    expect(asked).toEqual([paths]);
  });
});

function toPath(filePath: string, cwd: string | undefined): FsPath {
  return cwd === undefined ? { filePath } : { filePath, cwd };
}
