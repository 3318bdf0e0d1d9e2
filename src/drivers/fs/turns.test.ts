// Calls for one file run one after the other: in the order of the calls, through any bridge and by
// any spelling, and nobody who hangs or gives up keeps the others for ever.

import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTurnQueue, type WholeBridge } from "../../core/files/index.js";
import type { FsBridge, FsPath } from "../../core/index.js";
import { createContainedBridge } from "./bridge.js";
import { createNodeBridge } from "./node-bridge.js";
import { createTurns, DEFAULT_MAX_WAIT_MS, PROCESS_QUEUE } from "./turns.js";

const LETTERS = [..."0123456789"];

let root: string;
let bridge: WholeBridge;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "turns-")));
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "a.txt"), "");
  symlinkSync("a.txt", join(root, "link"));
  symlinkSync("..", join(root, "sub", "up"));
  bridge = createNodeBridge(root);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  expect(PROCESS_QUEUE.size).toBe(0);
});

const contentNow = () => readFileSync(join(root, "a.txt"), "utf8");

const append = (own: WholeBridge, filePath: string, letter: string) =>
  own.exclusive([{ filePath }], async (held) => {
    const before = await held.readFile({ filePath });
    await held.writeFile({ filePath, data: `${before}${letter}` });
  });

function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Holds a file until it is let go. */
async function hold(filePath: string): Promise<{ end(): Promise<void> }> {
  const [begun, gate] = [createGate(), createGate()];
  const held = bridge.exclusive([{ filePath }], () => {
    begun.open();
    return gate.opened;
  });
  await begun.opened;
  return {
    async end() {
      gate.open();
      await held;
    },
  };
}

describe("ten edits of one file at once", () => {
  it("a plain read and write loses some of them, so the test is a fair one", async () => {
    const change = async (letter: string) => {
      const before = await bridge.readFile({ filePath: "a.txt" });
      await bridge.writeFile({ filePath: "a.txt", data: `${before}${letter}` });
    };
    await Promise.all(LETTERS.map(change));
    expect(contentNow().length).toBeLessThan(LETTERS.length);
  });

  it("are all there, in the order of the calls", async () => {
    await Promise.all(LETTERS.map((letter) => append(bridge, "a.txt", letter)));
    expect(contentNow()).toBe("0123456789");
  });

  it("are all there through several bridges, on the root and on a folder above it", async () => {
    const above = createNodeBridge(join(root, ".."), { allowOutside: true });
    const absolute = join(root, "a.txt");
    const ways = [bridge, createNodeBridge(root), createNodeBridge(join(root, "sub/..")), above];
    await Promise.all(
      LETTERS.map((letter, index) => append(ways[index % 4] ?? bridge, absolute, letter)),
    );
    expect(contentNow()).toBe("0123456789");
  });

  it("are all there by every spelling: link, folder link, dots, absolute", async () => {
    const spellings = ["a.txt", "link", "sub/up/a.txt", "./sub/../a.txt", join(root, "link")];
    await Promise.all(
      LETTERS.map((letter, index) => append(bridge, spellings[index % 5] ?? "", letter)),
    );
    expect([...contentNow()].sort().join("")).toBe("0123456789");
    expect(readdirSync(root).sort()).toEqual(["a.txt", "link", "sub"]);
  });

  it("are all there when two files change in one turn, named in either order", async () => {
    writeFileSync(join(root, "b.txt"), "");
    const [a, b] = [{ filePath: "link" }, { filePath: "b.txt" }];
    const both = (letter: string, paths: FsPath[]) =>
      bridge.exclusive(paths, async (held) => {
        for (const path of paths) {
          await held.writeFile({ ...path, data: `${await held.readFile(path)}${letter}` });
        }
      });
    await Promise.all(
      LETTERS.flatMap((letter, index) => [
        both(letter, index % 2 === 0 ? [a, b] : [b, a]),
        append(bridge, "a.txt", letter),
      ]),
    );
    expect(contentNow()).toHaveLength(20);
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("0123456789");
  });
});

describe("calls that are not awaited", () => {
  it("run in the order they were made", async () => {
    const outcomes = await Promise.all([
      bridge.readFile({ filePath: "new.txt" }).catch(() => "missing"),
      bridge.writeFile({ filePath: "new.txt", data: "one" }),
      bridge.readFile({ filePath: "new.txt" }).then(String),
      bridge.writeFile({ filePath: "new.txt", data: "two" }),
      bridge.stat({ filePath: "new.txt" }).then((stat) => stat?.size),
      bridge.rename({ filePath: "new.txt", to: "moved.txt" }),
      bridge.readFile({ filePath: "moved.txt" }).then(String),
      bridge.remove({ filePath: "moved.txt" }),
      bridge.stat({ filePath: "moved.txt" }),
      bridge.mkdirp({ filePath: "moved.txt" }),
      bridge.list({ filePath: "moved.txt", limit: 5 }),
    ]);
    const done = undefined;
    expect(outcomes).toEqual(["missing", done, "one", done, 3, done, "two", done, null, done, []]);
  });

  it("run in their order also when the first goes through a bridge that was never used", async () => {
    await bridge.stat({ filePath: "a.txt" });
    const fresh = createNodeBridge(root);
    await Promise.all([
      fresh.writeFile({ filePath: "a.txt", data: "first" }),
      bridge.writeFile({ filePath: "a.txt", data: "second" }),
    ]);
    expect(contentNow()).toBe("second");
  });

  it("let reads run together, and other files pass", async () => {
    writeFileSync(join(root, "b.txt"), "b");
    const holder = await hold("a.txt");
    const reads = await Promise.all(
      Array.from({ length: 50 }, () => bridge.readFile({ filePath: "b.txt" })),
    );
    expect(reads).toHaveLength(50);
    await holder.end();
  });
});

describe("a call that waits", () => {
  it("sees the file that is there when its turn comes, not the one that was", async () => {
    const holder = await hold("a.txt");
    const reading = bridge.readFile({ filePath: "link" });
    writeFileSync(join(root, "next"), "replaced meanwhile");
    renameSync(join(root, "next"), join(root, "a.txt"));
    await holder.end();
    expect(String(await reading)).toBe("replaced meanwhile");
  });

  it.each(["a.txt", "link"])("and is aborted leaves the queue of %s at once", async (filePath) => {
    const holder = await hold("a.txt");
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      bridge.readFile({ filePath, signal }),
      bridge.writeFile({ filePath, data: "x", signal }),
      bridge.remove({ filePath, signal }),
      bridge.rename({ filePath: "sub/up/b", to: filePath, signal }),
      bridge.exclusive([{ filePath: "other" }, { filePath, signal }], async () => undefined),
    ];
    const outcomes = Promise.allSettled(calls);
    await bridge.stat({ filePath: "sub" });
    controller.abort();
    const codes = (await outcomes).map((outcome) =>
      outcome.status === "rejected" ? (outcome.reason.reason ?? outcome.reason.code) : "ran",
    );
    expect(codes).toEqual(Array(calls.length).fill("aborted"));
    await holder.end();
    expect(contentNow()).toBe("");
  });

  it.each(["a.txt", "link"])("for %s gives up after the limit and says so", async (filePath) => {
    const impatient = createContainedBridge({ base: root, container: root, maxWaitMs: 5 });
    const holder = await hold("a.txt");
    await expect(impatient.readFile({ filePath })).rejects.toMatchObject({
      code: "timeout",
      reason: "file_busy",
      message: expect.stringContaining(`"${filePath}" is in use`),
    });
    await holder.end();
    expect(String(await impatient.readFile({ filePath }))).toBe("");
  });

  it.runIf(process.platform === "linux")("holds no descriptor meanwhile", async () => {
    await bridge.stat({ filePath: "a.txt" });
    const holder = await hold("a.txt");
    await bridge.stat({ filePath: "sub" });
    const before = readdirSync("/proc/self/fd").length;
    const waiting = Array.from({ length: 20 }, (_, index) =>
      bridge.readFile({ filePath: index % 2 === 0 ? "link" : "a.txt" }),
    );
    await expect.poll(() => readdirSync("/proc/self/fd").length).toBe(before);
    await holder.end();
    await Promise.all(waiting);
  });
});

describe("a path that leads elsewhere when its turn comes", () => {
  const wish = { mode: "alone", path: "link", signals: [] } as const;
  const createFind = (places: string[]) => {
    const seen: string[] = [];
    const left = [...places];
    const find = async () => {
      const place = left.shift() ?? "";
      seen.push(place);
      return { place, places: [place], close: () => seen.push(`closed ${place}`) };
    };
    return { seen, find };
  };

  it("is found again, closed before the wait, and used where it leads now", async () => {
    const queue = createTurnQueue();
    const other = queue.take(["place a"], "alone");
    const { seen, find } = createFind(["a", "b"]);
    const used = createTurns(DEFAULT_MAX_WAIT_MS, queue).byPlace(
      { ...wish, find },
      async (found) => {
        seen.push(`used ${found.place}`);
      },
    );
    await Promise.resolve();
    expect(seen).toEqual(["a", "closed a"]);
    other.leave();
    await used;
    expect(seen.slice(2)).toEqual(["b", "used b", "closed b"]);
    expect(queue.size).toBe(0);
  });

  it("every time is given up", async () => {
    const queue = createTurnQueue();
    const names = [..."abcdefghijklmnop"];
    const others = new Map(names.map((name) => [name, queue.take([`place ${name}`], "alone")]));
    const { find } = createFind(names);
    const findAndFree = async () => {
      const found = await find();
      queueMicrotask(() => queueMicrotask(() => others.get(found.place)?.leave()));
      return found;
    };
    const used = createTurns(DEFAULT_MAX_WAIT_MS, queue).byPlace(
      { ...wish, find: findAndFree },
      async () => "used",
    );
    await expect(used).rejects.toMatchObject({ code: "conflict", reason: "path_changed" });
    for (const turn of others.values()) turn.leave();
    expect(queue.size).toBe(0);
  });
});

describe("work that fails", () => {
  it("makes room for the next, whether it throws, is refused or breaks off", async () => {
    const failing = [
      bridge.exclusive([{ filePath: "a.txt" }], async () => {
        throw new Error("no");
      }),
      bridge.exclusive([{ filePath: "a.txt" }, { filePath: "../x" }], async () => undefined),
      bridge.writeFile({ filePath: "a.txt/x", data: "" }),
    ];
    const after = bridge.writeFile({ filePath: "a.txt", data: "after" });
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array(3).fill("rejected"),
    );
    await after;
    expect(contentNow()).toBe("after");
  });

  it("refuses wrong paths before it waits for anybody", async () => {
    const holder = await hold("a.txt");
    const wrong: unknown[] = [[{ filePath: "a.txt" }, null], [{ filePath: 5 }], [{}], ["a.txt"]];
    for (const paths of wrong) {
      const call = Promise.resolve(
        Reflect.apply(bridge.exclusive, bridge, [paths, async () => "ran"]),
      );
      await expect(call).rejects.toMatchObject({ code: "invalid_input", reason: "path_invalid" });
    }
    await holder.end();
  });
});

describe("random turns", () => {
  it("of many calls at a few files, hard and soft links among them, all end", async () => {
    writeFileSync(join(root, "b.txt"), "");
    linkSync(join(root, "b.txt"), join(root, "hard"));
    const names = ["a.txt", "link", "b.txt", "hard", "sub/up/b.txt", "c.txt"];
    let state = 3;
    const draw = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const pick = () => names[draw(names.length)] ?? "";
    const calls: ((own: FsBridge) => Promise<unknown>)[] = [
      (own) => own.readFile({ filePath: pick() }),
      (own) => own.writeFile({ filePath: pick(), data: "x" }),
      async (own) => own.rename?.({ filePath: pick(), to: pick() }),
      async (own) => own.remove?.({ filePath: pick() }),
    ];
    const one = async () => {
      const call = calls[draw(calls.length)];
      const paths = [pick(), pick(), pick()].map((filePath) => ({ filePath }));
      if (draw(3) > 0) return call?.(bridge);
      return bridge.exclusive(paths, async (own) => call?.(own));
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, one));
    const reasons = outcomes.map((one) => (one.status === "rejected" ? one.reason.reason : "ok"));
    const known = ["ok", "file_missing", "not_regular_file", "path_changed", "path_invalid"];
    expect(reasons.filter((reason) => !known.includes(reason))).toEqual([]);
    expect(reasons.filter((reason) => reason === "ok").length).toBeGreaterThan(50);
  });
});
