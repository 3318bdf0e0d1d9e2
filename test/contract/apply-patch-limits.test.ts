// What a patch may cost: sizes are judged before memory is taken, and no patch, however odd, makes
// the search for its hunks long.

import { describe, expect, it } from "vitest";
import type { FsBridge } from "../../src/core/index.js";
import { createPatchBench, patchFile, runBody } from "./apply-patch-bench.js";

const MIB = 1024 * 1024;
/** Far above what is needed, far below what a search that is not linear takes. */
const MAX_MS = 10_000;

/** Files of one size, of which nothing is on a disk. */
function createHugeBridge(
  size: number,
  content = Buffer.alloc(size),
): FsBridge & { reads: number } {
  const bench = createPatchBench({});
  const bridge = {
    ...bench.bridge,
    reads: 0,
    stat: async () => ({ type: "file", size, mtimeMs: 0 }) as const,
    async readFile() {
      bridge.reads++;
      return content;
    },
  };
  return bridge;
}

describe("a limit is kept", () => {
  it("for the size of a file, before it is read", async () => {
    const bridge = createHugeBridge(64 * MIB + 1, Buffer.alloc(0));
    const run = await runBody(bridge, "*** Update File: f\n@@\n-a\n+b");
    expect(run.details).toMatchObject({ code: "limit", reason: "file_too_large" });
    expect(bridge.reads).toBe(0);
  });

  it("for the size of a file that is larger than the bridge said", async () => {
    const bridge = createHugeBridge(10, Buffer.alloc(64 * MIB + 1));
    const run = await runBody(bridge, "*** Delete File: f");
    expect(run.details).toMatchObject({ code: "limit", reason: "file_too_large" });
  });

  it("for all files together", async () => {
    const bridge = createHugeBridge(60 * MIB);
    const names = ["a", "b", "c", "d", "e"];
    const run = await runBody(bridge, names.map((name) => `*** Delete File: ${name}`).join("\n"));
    expect(run.details).toMatchObject({ code: "limit", reason: "patch_files_too_large" });
    expect(bridge.reads).toBe(5);
  });

  it("for the lines of a file", async () => {
    const run = await patchFile("\n".repeat(2_000_001), "@@\n-a\n+b");
    expect(run.details).toMatchObject({ code: "limit", reason: "file_too_long" });
    expect(run.steps).toEqual([]);
  });
});

describe("a search stays short", () => {
  const within = async (work: () => Promise<unknown>) => {
    const startMs = performance.now();
    await work();
    expect(performance.now() - startMs).toBeLessThan(MAX_MS);
  };
  const repeat = (count: number, text: string) => text.repeat(count);

  it("for 10,000 hunks of the same line that all fit", async () => {
    await within(async () => {
      const run = await patchFile(repeat(10_000, "x\n"), repeat(10_000, "@@\n-x\n+y\n"));
      expect(run.after).toBe(repeat(10_000, "y\n"));
    });
  });

  it("for 10,000 hunks of the same line of which one does not fit", async () => {
    await within(async () => {
      const run = await patchFile(repeat(9_999, "x\n"), repeat(10_000, "@@\n-x\n+y\n"));
      expect(run.details).toMatchObject({ reason: "hunk_not_found", hunk: 10_000 });
    });
  });

  it("for thousands of hunks that fit loosely, each behind its own line", async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => index);
    const before = numbers.map((number) => `part ${number}\n  item ${number}\n`).join("");
    const hunks = numbers.map((number) => `@@ part ${number}\n-item ${number}\n+x`).join("\n");
    await within(async () => {
      const run = await patchFile(before, hunks);
      expect(run.after).toBe(numbers.map((number) => `part ${number}\nx\n`).join(""));
    });
  });

  it("for hunks that almost fit everywhere: it is given up", async () => {
    const before = `${repeat(1_000, "a \nb\n")}${repeat(100_000, "a\n")}z\n${repeat(100_000, "b\n")}`;
    await within(async () => {
      const run = await patchFile(before, repeat(1_000, "@@\n-a\n-b\n+c\n"));
      expect(run.details).toMatchObject({ code: "limit", reason: "patch_too_costly" });
      expect(run.after).toBe(before);
    });
  });

  it("for a long hunk of one line in a file of that line", async () => {
    const before = repeat(200_000, "a\n");
    await within(async () => {
      const run = await patchFile(before, `@@\n${repeat(20_000, "-a\n")}-b\n+c`);
      expect(run.details).toMatchObject({ reason: "hunk_not_found" });
    });
  });

  it("for a line of 10 MiB", async () => {
    const long = repeat(10 * MIB, " ");
    await within(async () => {
      const run = await patchFile(`${long}x\n`, `@@\n-${long}y\n+z`);
      expect(run.details).toMatchObject({ reason: "hunk_not_found" });
    });
  });

  it("for a patch of blank lines, stars, marks and half headers", async () => {
    const odd = ["\n", "*** \n", "@@\n", "*** Add File:\n", "+\n", " \n", "\\\n"];
    for (const text of odd) {
      await within(async () => {
        const run = await patchFile("a\n", `@@\n-a\n+b\n${repeat(200_000, text)}`);
        expect(JSON.stringify(run.result.content).length).toBeLessThan(5_000);
      });
    }
  });
});
