// When a patch fails on its way: what was written is put back, what cannot be done is said before
// anything is, and an abort leaves nothing behind.

import { describe, expect, it } from "vitest";
import { withFiles } from "../../src/core/files/index.js";
import { type FsBridge, ToolError } from "../../src/core/index.js";
import { type BenchOptions, createPatchBench, runBody } from "./apply-patch-bench.js";

const BEFORE = { a: "1\r\n", b: "1\n", c: "1\n", d: "1\n", e: "1" };
/** Touches every file in every way: three writes, a rename and a write, a rename, a removal. */
const PATCH = [
  "*** Update File: a\n@@\n-1\n+2",
  "*** Add File: x/new\n+1",
  "*** Add File: b\n+2",
  "*** Update File: c\n*** Move to: x/c\n@@\n-1\n+2",
  "*** Delete File: d",
  "*** Update File: e\n*** Move to: a2",
].join("\n");
const AFTER = { a: "2\r\n", a2: "1", b: "2\n", "x/c": "2\n", "x/new": "1\n" };
const STEPS = [
  "write x/new",
  "write a",
  "write b",
  "rename c x/c",
  "write x/c",
  "rename e a2",
  "remove d",
];

const failAt = (failing: number, error: () => Error): BenchOptions => ({
  before(_step, count) {
    if (count === failing) throw error();
  },
});

/** Only the documented four methods. */
function toSmallBridge({ stat, readFile, mkdirp, writeFile }: FsBridge): FsBridge {
  return { stat, readFile, mkdirp, writeFile };
}

describe("a step that fails", () => {
  it("is one of seven in the patch of these tests", async () => {
    const bench = createPatchBench(BEFORE);
    const run = await runBody(bench.bridge, PATCH);
    expect(run.text).toContain("Success.");
    expect(bench.steps).toEqual(STEPS);
    expect(bench.read()).toEqual(AFTER);
  });

  it.each(STEPS.map((step, index) => ({ step, index })))(
    "at $step takes back what was written before it",
    async ({ index }) => {
      let isBroken = true;
      const bench = createPatchBench(BEFORE, {
        before(_step, count) {
          if (count !== index || !isBroken) return;
          isBroken = false;
          throw new ToolError("failed", "The disk is full.", { reason: "enospc" });
        },
      });
      const run = await runBody(bench.bridge, PATCH);
      expect(run.details).toMatchObject({ code: "failed", reason: "enospc" });
      expect(run.details.error).toContain("The disk is full.");
      expect(run.details.rolledBack).toBe(index === 0 ? undefined : true);
      expect(bench.read()).toEqual(BEFORE);
    },
  );

  it("with an error of no known kind is a failure that names it", async () => {
    const bench = createPatchBench(
      BEFORE,
      failAt(0, () => new Error("EIO: broken")),
    );
    const run = await runBody(bench.bridge, PATCH);
    expect(run.details).toMatchObject({ code: "failed", reason: "write_failed" });
    expect(run.details.error).toContain("EIO: broken. Nothing was written.");
  });

  it("half done is put back too", async () => {
    const bench = createPatchBench(BEFORE);
    let isTorn = false;
    const bridge: FsBridge = {
      ...bench.bridge,
      async writeFile(request) {
        if (request.filePath !== "b" || isTorn) return bench.bridge.writeFile(request);
        isTorn = true;
        await bench.bridge.writeFile({ ...request, data: "ha" });
        throw new Error("cut off");
      },
    };
    const run = await runBody(bridge, PATCH);
    expect(run.details).toMatchObject({ code: "failed", rolledBack: true });
    expect(bench.read()).toEqual(BEFORE);
  });

  it("and a way back that fails too names the files to look at", async () => {
    const bench = createPatchBench(BEFORE, {
      before(step, count) {
        if (count >= 3 && step !== "write b") throw new Error(`no ${step}`);
      },
    });
    const run = await runBody(bench.bridge, PATCH);
    expect(run.details).toMatchObject({
      code: "failed",
      reason: "rollback_incomplete",
      rolledBack: false,
      left: ["a", "x/new"],
    });
    expect(run.details.error).toContain(
      'no rename c x/c. What had been written before was put back, but not "a", "x/new"',
    );
    expect(bench.read()).toEqual({ ...BEFORE, a: "2\r\n", "x/new": "1\n" });
  });
});

it("a move to another file system is refused, and what was written before is put back", async () => {
  const bench = createPatchBench(BEFORE, {
    before(step) {
      if (!step.startsWith("rename")) return;
      throw new ToolError("failed", "another file system", { reason: "exdev" });
    },
  });
  const run = await runBody(bench.bridge, PATCH);
  expect(run.details).toMatchObject({ reason: "exdev", rolledBack: true });
  expect(bench.read()).toEqual(BEFORE);
});

describe("a bridge of four methods", () => {
  it("adds and updates", async () => {
    const bench = createPatchBench(BEFORE);
    const run = await runBody(
      toSmallBridge(bench.bridge),
      "*** Update File: a\n@@\n-1\n+2\n*** Add File: new\n+1\n*** Update File: b\n*** Move to: ./b\n@@\n-1\n+2",
    );
    expect(run.text).toContain("Success.");
    expect(bench.read()).toMatchObject({ a: "2\r\n", b: "2\n", new: "1\n" });
    // What it could not take away again comes last.
    expect(bench.steps).toEqual(["write a", "write b", "write new"]);
  });

  it.each([
    ["delete", "*** Delete File: d", "remove_unavailable", "cannot delete files: it has no remove"],
    [
      "move",
      "*** Update File: d\n*** Move to: e",
      "rename_unavailable",
      "cannot move files: it has no rename",
    ],
  ])("says that it cannot %s before anything is written", async (_, part, reason, words) => {
    const bench = createPatchBench(BEFORE);
    const patch = `*** Update File: a\n@@\n-1\n+2\n${part}`;
    const run = await runBody(toSmallBridge(bench.bridge), patch);
    expect(run.details).toMatchObject({ code: "unavailable", reason });
    expect(run.details.error).toContain(words);
    expect(bench.steps).toEqual([]);
  });

  it("that has remove moves by writing and removing", async () => {
    const bench = createPatchBench(BEFORE);
    const { remove } = bench.bridge;
    const bridge = { ...toSmallBridge(bench.bridge), remove };
    await runBody(bridge, "*** Update File: c\n*** Move to: x/c\n@@\n-1\n+2");
    expect(bench.steps).toEqual(["write x/c", "remove c"]);
    expect(bench.read()).toMatchObject({ "x/c": "2\n" });
  });

  it("that fails at its third write has its old files back", async () => {
    const bench = createPatchBench(BEFORE);
    const files = ["a", "b", "c"].map((path) => `*** Update File: ${path}\n@@\n-1\n+2`);
    let writes = 0;
    const bridge: FsBridge = {
      ...toSmallBridge(bench.bridge),
      async writeFile(request) {
        writes++;
        if (writes === 3) throw new Error("full");
        await bench.bridge.writeFile(request);
      },
    };
    const run = await runBody(bridge, files.join("\n"));
    expect(run.details).toMatchObject({ code: "failed", rolledBack: true });
    expect(bench.read()).toEqual(BEFORE);
    expect(writes).toBe(5);
  });

  it("says what it had to leave when it cannot take new files away", async () => {
    const bench = createPatchBench(
      BEFORE,
      failAt(2, () => new Error("full")),
    );
    const patch = "*** Update File: a\n@@\n-1\n+2\n*** Add File: one\n+1\n*** Add File: two\n+1";
    const run = await runBody(toSmallBridge(bench.bridge), patch);
    expect(run.details).toMatchObject({ reason: "rollback_incomplete", left: ["one", "a"] });
    expect(run.details.error).toContain('The bridge has no remove, so "one" stays.');
  });
});

describe("an abort", () => {
  it.each(STEPS.map((step, index) => ({ step, index })))(
    "during $step leaves everything as it was, or all done when it was the last",
    async ({ index }) => {
      const controller = new AbortController();
      const bench = createPatchBench(BEFORE, {
        before(_step, count) {
          if (count === index) controller.abort();
        },
      });
      const isLast = index === STEPS.length - 1;
      await expect(runBody(bench.bridge, PATCH, controller.signal)).rejects.toMatchObject({
        name: "AbortError",
      });
      await settled(bench.bridge);
      expect(bench.read()).toEqual(isLast ? AFTER : BEFORE);
    },
  );

  it("before the first step writes nothing", async () => {
    const controller = new AbortController();
    const bench = createPatchBench(BEFORE);
    const bridge: FsBridge = {
      ...bench.bridge,
      async readFile(path) {
        controller.abort();
        return bench.bridge.readFile(path);
      },
    };
    await expect(runBody(bridge, PATCH, controller.signal)).rejects.toMatchObject({
      name: "AbortError",
    });
    await settled(bridge);
    expect(bench.steps).toEqual([]);
  });
});

describe("a file that changes meanwhile", () => {
  it("under another name of the same patch is a conflict, and nothing remains", async () => {
    const bench = createPatchBench({ real: "1\n2\n" });
    const follow = <T extends { filePath: string }>(path: T): T => ({
      ...path,
      filePath: path.filePath === "link" ? "real" : path.filePath,
    });
    const bridge: FsBridge = {
      stat: (path) => bench.bridge.stat(follow(path)),
      readFile: (path) => bench.bridge.readFile(follow(path)),
      mkdirp: bench.bridge.mkdirp,
      writeFile: (path) => bench.bridge.writeFile(follow(path)),
    };
    const patch = "*** Update File: link\n@@\n-1\n+one\n*** Update File: real\n@@\n-2\n+two";
    const run = await runBody(bridge, patch);
    expect(run.details).toMatchObject({ code: "conflict", reason: "path_changed" });
    expect(bench.read()).toEqual({ real: "1\n2\n" });
  });

  it("by another hand keeps what that hand wrote", async () => {
    const bench = createPatchBench({ a: "1\n", b: "1\n" });
    const bridge: FsBridge = {
      ...bench.bridge,
      async writeFile(request) {
        await bench.bridge.writeFile(request);
        if (request.filePath === "a")
          await bench.bridge.writeFile({ filePath: "b", data: "theirs\n" });
      },
    };
    const patch = "*** Update File: a\n@@\n-1\n+2\n*** Update File: b\n@@\n-1\n+2";
    const run = await runBody(bridge, patch);
    expect(run.details).toMatchObject({ code: "conflict", reason: "path_changed" });
    expect(bench.read()).toEqual({ a: "1\n", b: "theirs\n" });
  });
});

it("ten patches of one file at once lose none of their changes", async () => {
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);
  const bench = createPatchBench({ f: `${lines.join("\n")}\n` });
  const runs = lines.map((line) =>
    runBody(bench.bridge, `*** Update File: f\n@@\n-${line}\n+${line} changed`),
  );
  for (const run of await Promise.all(runs)) expect(run.text).toContain("M f");
  expect(bench.read().f).toBe(lines.map((line) => `${line} changed\n`).join(""));
});

/** Waits until whoever holds the files of the patch has let them go. */
async function settled(bridge: FsBridge): Promise<void> {
  const paths = ["a", "a2", "b", "c", "d", "e", "x/c", "x/new"];
  await withFiles(
    bridge,
    paths.map((filePath) => ({ filePath, cwd: "/project" })),
    async () => undefined,
  );
}
