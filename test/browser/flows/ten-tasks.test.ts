// Ten tasks as people have them, by our tool, from roles and names alone. The benchmark runs the same
// scripts beside those of another tool.
import { beforeAll, expect, test } from "vitest";
import { useFlow } from "./flow-setting.js";
import { runTask } from "./run-task.js";
import { TEN_TASKS } from "./tasks/ten-tasks.js";

/** What a task may cost at most: the characters of a page that one can read through. */
const MAX_CHARS = 25_000;
const MAX_CALLS = 12;

const flow = useFlow();
beforeAll(async () => {
  await flow.call({ action: "start" });
});

const place = () => ({ hands: flow.hands, base: flow.server.base, root: flow.root });

test.each(TEN_TASKS)("a reader of the page can $name", async (task) => {
  flow.hands.resetSpent();
  await runTask(task, place());
  const { calls, sentChars, gotChars } = flow.hands.spent();
  expect(calls).toBeLessThanOrEqual(MAX_CALLS);
  expect(sentChars + gotChars).toBeLessThanOrEqual(MAX_CHARS);
});

test("a task whose page does not say what is expected fails at that step", async () => {
  const steps = [{ open: "/login" }, { click: { role: "button", name: "No such button" } }];
  const task = { name: "press what is not there", steps };
  await expect(runTask(task, place())).rejects.toThrow(
    /press what is not there, step 2: .*No button "No such button"/,
  );
});
