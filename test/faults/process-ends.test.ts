// Ends that take their time: an input that is closed behind bytes nobody reads, and a deadline whose
// command does not go when it is asked to.

import { afterAll, expect, it } from "vitest";
import { explainFailure } from "../../src/tools/exec/show-end.js";
import { createProcessSetting, startOf } from "./process-setting.js";

const settings: ReturnType<typeof createProcessSetting>[] = [];
afterAll(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

function open() {
  const setting = createProcessSetting();
  settings.push(setting);
  return setting;
}

// Both take seconds: they are waited for side by side.
it.concurrent("the end of an input does not wait for a program that never reads", async () => {
  const { processes } = open();
  const run = await processes.start(startOf("exec sleep 60", { input: "open" }));
  await run.write(Buffer.alloc(1_000_000));
  const startMs = performance.now();
  await run.endInput();
  expect(performance.now() - startMs).toBeLessThan(30_000);
  expect(run.canWrite).toBe(false);
  await run.kill();
});

it.concurrent("a deadline is told as it was, not as long as it took to end the command", async () => {
  const { processes } = open();
  const command = "trap '' TERM; while :; do sleep 0.1; done";
  const run = await processes.start(startOf(command, { timeoutMs: 1_000 }));
  const end = await run.ended;
  const tookMs = end.endedAtMs - run.startedAtMs;
  expect(tookMs).toBeGreaterThan(2_500);
  const failure = explainFailure(end, run);
  const [, seconds] = /timed out after ([\d.]+) seconds?\b/.exec(failure?.text ?? "") ?? [];
  expect(Number(seconds)).toBeLessThan((tookMs - 1_000) / 1_000);
});

it.each([
  [1, "0.001 seconds"],
  [34, "0.03 seconds"],
  [250, "0.3 seconds"],
  [1_000, "1 second"],
  [12_400, "12 seconds"],
])("a deadline of %d ms is told as %s", (timedOutAtMs, told) => {
  const ended = { exitCode: undefined, exitSignal: "SIGKILL", endedAtMs: 60_000 };
  const failure = explainFailure({ ...ended, reason: "timeout", timedOutAtMs }, { startedAtMs: 0 });
  expect(failure?.text).toContain(`timed out after ${told} and`);
});
