// The pipes of commands where the machine has little left for them.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../fakes/run-node.js";

const run = promisify(execFile);
const TIMEOUT_MS = 240_000;

/** What comes of so many commands at once, in a program that begins with these words of a shell. */
async function runMany(words: string, count: number): Promise<unknown> {
  await assertBuilt();
  const folder = mkdtempSync(join(tmpdir(), "pipes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `
    import fs from "node:fs";
    import { createToolkit } from ${JSON.stringify(join(PROJECT_DIR, "dist/index.js"))};
    const [root, stateDir] = ["root", "state"].map((name) => ${JSON.stringify(folder)} + "/" + name);
    fs.mkdirSync(root);
    const config = { tools: { exec: { sandbox: "none", security: "full", ask: "off" } } };
    const toolkit = createToolkit({ root, stateDir, config });
    const call = (_, index) => toolkit.invoke({ id: "c" + index, name: "exec", arguments: { command: "echo " + index } });
    const answers = await Promise.all(Array.from({ length: ${count} }, call));
    await toolkit.close();
    console.log(JSON.stringify([...new Set(answers.map(({ isError, content }) => isError ? content[0].text : "ok"))]));
  `;
  const script = `${words} && exec "$0" --input-type=module -e "$1"`;
  const args = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script];
  const { stdout } = await run("unshare", [...args, process.execPath, program], {
    timeout: TIMEOUT_MS,
  });
  return JSON.parse(stdout);
}

it("are made for 40 commands at once where 160 files may be open", async () => {
  expect(await runMany("ulimit -n 160", 40)).toEqual(["ok"]);
});

it("are made elsewhere when the memory has room for their folder alone", async () => {
  expect(await runMany("mount -t tmpfs -o nr_inodes=4 none /dev/shm", 2)).toEqual(["ok"]);
});
