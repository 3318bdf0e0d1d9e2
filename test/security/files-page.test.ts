// docs/files.md and docs/file-bridge.md have the limits, the protected names, the methods and samples
// of the code.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClawtools, createNodeBridge } from "clawtools";
import { createMemoryBridge } from "clawtools/testing";
import { describe, expect, it } from "vitest";
import { PROTECTED_NAMES } from "../../src/core/files/index.js";
import { DEFAULT_MAX_WAIT_MS } from "../../src/drivers/fs/turns.js";
import { resolveTool } from "../fakes/resolve-tool.js";

const page = ["files.md", "file-bridge.md"]
  .map((name) => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8"))
  .join("\n");

describe("the pages about files", () => {
  it("has the limits of waiting and listing", async () => {
    const seconds = DEFAULT_MAX_WAIT_MS / 1_000;
    expect(page).toContain(`than ${seconds} seconds fails with \`file_busy\``);
    expect(page).toContain(`another call has had the file for ${seconds} seconds`);
    const limit = Number(/whole number from 0 to (\d+)/.exec(page)?.[1]);
    const bridge = createMemoryBridge();
    expect(await bridge.list({ filePath: ".", limit })).toEqual([]);
    await expect(bridge.list({ filePath: ".", limit: limit + 1 })).rejects.toMatchObject({
      reason: "limit_invalid",
    });
  });

  it("names everything that is protected by name, and every method", () => {
    const rows = page.split("\n").filter((line) => line.includes("| at any depth"));
    const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)]);
    expect(names.map(([, name]) => name)).toEqual(PROTECTED_NAMES);
    const bridge = createNodeBridge(".");
    const further = [...page.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name);
    const all = ["stat", "readFile", "mkdirp", "writeFile", ...further];
    expect(all.sort()).toEqual(Object.keys(bridge).sort());
    expect(further).toHaveLength(6);
    expect(page).toContain("and six more that it may offer");
  });

  it("shows the sample that is tested here", () => {
    const [, sample = ""] = /```ts\n([^`]*counter\.txt[^`]*)```/.exec(page) ?? [];
    const own = readFileSync(import.meta.filename, "utf8").replaceAll(/^ +/gm, "");
    const lines = sample.split("\n").filter((line) => line.startsWith("  "));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(own).toContain(line.trim());
  });

  it("counts without loss in the way of its sample", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "files-page-")));
    try {
      const bridge = createNodeBridge(root);
      const counter = { filePath: "counter.txt" };
      const count = () =>
        bridge.exclusive([counter], async (own) => {
          const isThere = (await own.stat(counter)) !== null;
          const before = isThere ? Number(await own.readFile(counter)) : 0;
          await own.writeFile({ ...counter, data: String(before + 1) });
        });
      await Promise.all(Array.from({ length: 5 }, count));
      expect(readFileSync(join(root, "counter.txt"), "utf8")).toBe("5");
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it.each(["/project", "/any/other/root"])("a memory bridge serves tools at %s", async (root) => {
    const bridge = createMemoryBridge({ "notes/a.txt": "hello" });
    const registry = createClawtools().tools;
    const tool = resolveTool({ registry, name: "read", ctx: { root, bridge } });
    for (const path of ["notes/a.txt", `${root}/notes/a.txt`]) {
      const { content } = await tool.execute("call-1", { path });
      expect(content).toEqual([{ type: "text", text: "hello" }]);
    }
    await expect(bridge.stat({ filePath: "/elsewhere/x" })).rejects.toMatchObject({
      reason: "path_outside_root",
    });
  });
});
