// apply_patch through the front door, on a real folder: several files and hunks, permissions, links,
// calls at the same time, and nothing left behind when something fails.

import {
  chmodSync,
  existsSync,
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
import { createClawtools, createNodeBridge, createToolkit, type Toolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const EXECUTABLE = 0o755;
const PERMISSION_BITS = 0o777;

let place: string;
let root: string;
let toolkit: Toolkit;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "apply-patch-")));
  root = join(place, "root");
  mkdirSync(root);
  toolkit = createToolkit({ root, stateDir: join(place, "state") });
});

afterEach(async () => {
  await toolkit.close();
  rmSync(place, { recursive: true, force: true });
});

const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const read = (name: string) => readFileSync(join(root, name), "utf8");
const modeOf = (name: string) => statSync(join(root, name)).mode & PERMISSION_BITS;

async function invoke(id: string, ...lines: string[]) {
  const input = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const result = await toolkit.invoke({ id, name: "apply_patch", arguments: { input } });
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

describe("apply_patch in a folder", () => {
  it.runIf(existsSync("/dev/shm"))("refuses to move a file to another file system", async () => {
    const other = mkdtempSync("/dev/shm/apply-patch-");
    try {
      put("run.sh", "#!/bin/sh\n");
      const bridge = createNodeBridge(root, { allowOutside: true });
      const { tools } = createClawtools({ catalog: "all" });
      const tool = tools.resolve("apply_patch", { root, bridge });
      const to = join(other, "bin/run.sh");
      const input = `*** Begin Patch\n*** Update File: run.sh\n*** Move to: ${to}\n*** End Patch`;
      const result = await tool?.execute("call_1", { input });
      expect(result?.details).toMatchObject({ code: "failed", reason: "exdev" });
      expect([readdirSync(root), readdirSync(other)]).toEqual([["run.sh"], []]);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it("185 · apply_patch: several files, several hunks", async () => {
    put("a.py", "import os\n\ndef one():\n    return 1\n\ndef two():\n    return 2\n");
    put("b.txt", "x\r\ny\r\n");
    put("c.txt", "gone\n");
    const { text } = await invoke(
      "call_1",
      "*** Update File: a.py",
      "@@ def one():",
      "-    return 1",
      "+    return 11",
      "@@ def two():",
      "-    return 2",
      "+    return 22",
      "*** Update File: b.txt",
      "*** Move to: deep/er/b.txt",
      "@@",
      " x",
      "-y",
      "+z",
      "*** Add File: new/d.txt",
      "+made",
      "*** Delete File: c.txt",
    );
    expect(text).toBe(
      "Success. Updated the following files:\nA new/d.txt\nM a.py\nM deep/er/b.txt\nD c.txt",
    );
    expect(read("a.py")).toBe(
      "import os\n\ndef one():\n    return 11\n\ndef two():\n    return 22\n",
    );
    expect(read("deep/er/b.txt")).toBe("x\r\nz\r\n");
    expect(read("new/d.txt")).toBe("made\n");
    expect(readdirSync(root).sort()).toEqual(["a.py", "deep", "new"]);
  });

  it("keeps permissions when a file is changed, moved, or both", async () => {
    for (const name of ["changed", "moved", "both"]) {
      put(name, "1\n");
      chmodSync(join(root, name), EXECUTABLE);
    }
    const change = ["@@", "-1", "+2"];
    await invoke(
      "call_1",
      ...["*** Update File: changed", ...change],
      ...["*** Update File: moved", "*** Move to: moved-2"],
      ...["*** Update File: both", "*** Move to: both-2", ...change],
    );
    expect(readdirSync(root).sort()).toEqual(["both-2", "changed", "moved-2"]);
    for (const name of readdirSync(root)) expect(modeOf(name), name).toBe(EXECUTABLE);
    expect([read("changed"), read("moved-2"), read("both-2")]).toEqual(["2\n", "1\n", "2\n"]);
  });

  it("leaves nothing of a patch whose last file may not be changed", async () => {
    put("a", "1\n");
    put("b", "1\n");
    const { isError, details } = await invoke(
      "call_1",
      ...["*** Update File: a", "@@", "-1", "+2"],
      ...["*** Update File: b", "*** Move to: c", "@@", "-1", "+2"],
      ...["*** Add File: .git/config", "+[core]"],
    );
    expect(isError).toBe(true);
    expect(details).toMatchObject({ code: "denied", reason: "path_protected" });
    expect(readdirSync(root).sort()).toEqual(["a", "b"]);
    expect([read("a"), read("b")]).toEqual(["1\n", "1\n"]);
  });

  it("loses no change of twenty calls at once, whatever name they use for the file", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index};`);
    put("f", `${lines.join("\n")}\n`);
    symlinkSync("f", join(root, "link"));
    const calls = lines.map((line, index) => {
      const path = index % 2 === 0 ? "f" : "link";
      if (index % 3 === 0) {
        const edit = { path, oldText: line, newText: `${line} done` };
        return toolkit.invoke({ id: `call_${index}`, name: "edit", arguments: edit });
      }
      return invoke(`call_${index}`, `*** Update File: ${path}`, "@@", `-${line}`, `+${line} done`);
    });
    for (const { isError } of await Promise.all(calls)) expect(isError).toBe(false);
    expect(read("f")).toBe(lines.map((line) => `${line} done\n`).join(""));
  });
});
