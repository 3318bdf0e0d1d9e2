// A scheduler with many jobs, for tests that kill it. `naive` writes the effect of a run apart from its
// claim, as a control.

import { setTimeout as sleep } from "node:timers/promises";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { createCron } from "../../src/gateway/cron/engine.js";

export const EVERY_MS = 1_000;
export const EFFECTS = "effects";
const JOBS = 50;
const NAIVE_MS = 20;

export async function runCron([folder = "", mode]: readonly string[]): Promise<void> {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const store = createSqliteStore({ folder, clock, random });
  const effect = (jobId: string, slotMs: number) => ({
    stream: EFFECTS,
    records: [{ jobId, slotMs }],
  });
  const cron = await createCron({
    ...{ store, clock, random, isEnabled: () => true },
    dispatch: {
      prepare: async ({ id }, { slotMs }) =>
        mode === "naive" ? [] : [{ kind: "log.append", ...effect(id, slotMs) }],
      async outcome({ id }, { slotMs }) {
        if (mode === "naive") {
          await store.log.append(effect(id, slotMs));
          await sleep(NAIVE_MS);
        }
        return { status: "ok" };
      },
    },
    emit: () => undefined,
    report: (message) => process.stderr.write(`${message}\n`),
  });
  const now = Date.now();
  for (let index = cron.list().length; index < JOBS; index += 1) {
    const anchorMs = now + index * (EVERY_MS / JOBS);
    const schedule = { kind: "every", everyMs: EVERY_MS, anchorMs };
    await cron.add({ name: `job ${index}`, schedule, payload: { text: "x" } });
  }
  process.stdout.write("ready\n");
}
