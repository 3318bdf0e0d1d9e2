// More calls at once than files may be open: they wait for each other instead of failing.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../../../../test/fakes/run-node.js";
import {
  MAX_OPEN_FILES,
  MAX_OPEN_WAIT_MS,
  MAX_OPERATION_WAIT_MS,
  MAX_OPERATIONS,
} from "../bridge.js";

const run = promisify(execFile);
const TIMEOUT_MS = 240_000;

/** What a program prints that may have so many files open. */
async function runLimited(program: string, { openFiles }: { openFiles: number }): Promise<string> {
  await assertBuilt();
  const folder = mkdtempSync(join(tmpdir(), "room-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const door = join(PROJECT_DIR, "dist/index.js");
  const begin = `
    import fs from "node:fs";
    import { createToolkit, createNodeBridge } from ${JSON.stringify(door)};
    const root = ${JSON.stringify(join(folder, "root"))};
    fs.mkdirSync(root);
    const stateDir = ${JSON.stringify(join(folder, "state"))};
    const toolkit = createToolkit({ root, stateDir });
    const call = (id, name, args) => toolkit.invoke({ id, name, arguments: args });
    const fillUp = () => { const all = []; for (;;) { try { all.push(fs.openSync("/dev/null")); } catch { return all; } } };
    const reasons = (answers) => JSON.stringify([...new Set(answers.map((answer) => answer.isError ? answer.details.reason : "ok"))]);
  `;
  const script = `ulimit -n ${openFiles}; exec "$0" --input-type=module -e "$1"`;
  const args = ["-c", script, process.execPath, `${begin}${program}\nawait toolkit.close();`];
  return (await run("/bin/sh", args, { timeout: TIMEOUT_MS })).stdout.trim();
}

describe("many calls at once", () => {
  it("write 100 files where 256 may be open", async () => {
    const program = `
      const calls = Array.from({ length: 100 }, (_, index) => call("c" + index, "write", { path: index + ".txt", content: "x" }));
      console.log(reasons(await Promise.all(calls)), fs.readdirSync(root).length);
    `;
    expect(await runLimited(program, { openFiles: 256 })).toBe('["ok"] 100');
  });

  it("read 1000 files where 1024 may be open", async () => {
    const program = `
      for (let index = 0; index < 1000; index++) fs.writeFileSync(root + "/" + index, "x");
      const calls = Array.from({ length: 1000 }, (_, index) => call("c" + index, "read", { path: "" + index }));
      console.log(reasons(await Promise.all(calls)));
    `;
    expect(await runLimited(program, { openFiles: 1024 })).toBe('["ok"]');
  });

  it("wait no longer than a moment for files that a caller never closes", async () => {
    const program = `
      fs.writeFileSync(root + "/a", "x");
      const bridge = createNodeBridge(root);
      const opened = [];
      for (let index = 0; index <= ${MAX_OPEN_FILES}; index++) opened.push(await bridge.openFile({ filePath: "a" }));
      console.log(opened.length, String(await bridge.readFile({ filePath: "a" })));
    `;
    expect(await runLimited(program, { openFiles: 256 })).toBe(`${MAX_OPEN_FILES + 1} x`);
  });
});

it("is written down in docs/files.md with its numbers", () => {
  const page = readFileSync(join(PROJECT_DIR, "docs/files.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(page).toContain(`At most ${MAX_OPERATIONS} operations of a process`);
  expect(page).toContain(`and ${MAX_OPEN_FILES} files that \`openFile\` gave`);
  const waits = [MAX_OPERATION_WAIT_MS, MAX_OPEN_WAIT_MS].map((waitMs) => waitMs / 1_000);
  expect(page).toContain(`${waits[0]} seconds or ${waits[1]} second at most`);
});

describe("the first call of a tool while no file can be opened", () => {
  it.each(["read", "write", "edit", "apply_patch"])(
    "fails by name, and the next one of %s works",
    async (name) => {
      const program = `
      fs.writeFileSync(root + "/a", "x\\n");
      const args = {
        read: { path: "a" },
        write: { path: "a", content: "y" },
        edit: { path: "a", oldText: "x", newText: "y" },
        apply_patch: { input: "*** Begin Patch\\n*** Add File: b\\n+1\\n*** End Patch" },
      }.${name};
      const filling = fillUp();
      const refused = await call("1", "${name}", args);
      for (const descriptor of filling) fs.closeSync(descriptor);
      const { code, reason } = refused.details;
      const shown = JSON.stringify(refused.content);
      console.log(code, reason, shown.includes("dist") || shown.includes("/dev"), reasons([await call("2", "${name}", args)]));
    `;
      expect(await runLimited(program, { openFiles: 128 })).toBe('failed emfile false ["ok"]');
    },
  );
});
