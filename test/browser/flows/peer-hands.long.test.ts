// The benchmark's other side: a task of ours, carried out by @playwright/mcp with the same script.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import { createPageServer } from "../pages/page-server.js";
import { createPeerHands } from "./hands/peer-hands.js";
import { runTask } from "./run-task.js";
import { TASK_FILES, TEN_TASKS } from "./tasks/ten-tasks.js";

test("a task runs with another's tool, and its calls and characters are counted", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "claw-peer-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(TASK_FILES)) await writeFile(join(root, name), text);
  const server = await createPageServer();
  onTestFinished(() => server.close());
  const path = await findBrowser(undefined);
  const hands = await createPeerHands({ root, executablePath: path });
  onTestFinished(() => hands.close());
  const task = TEN_TASKS.find(({ name }) => name === "upload and check");
  if (task === undefined) throw new Error("The task is gone.");
  await runTask(task, { hands, base: server.base, root });
  const { calls, sentChars, gotChars } = hands.spent();
  expect(calls).toBe(5);
  expect(Math.min(sentChars, gotChars)).toBeGreaterThan(100);
});
