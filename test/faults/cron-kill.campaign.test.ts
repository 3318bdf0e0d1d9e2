// A process with a scheduler is killed at random moments. No slot runs twice, and each one that did not
// run is in the log.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { createSlots, type Schedule } from "../../src/gateway/cron/schedule.js";
import { useProgram } from "../contract/store/processes.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { EFFECTS, EVERY_MS } from "./cron-program.js";
import { runAndKill } from "./run-and-kill.js";

const KILLS = campaignSize({ slice: 5, campaign: 500 });
const MAX_LIFE_MS = 600;
const TITLE = "after every kill -9 no slot has run twice, and none is missing from the log";
const PAGE = 1_000;

const entry = fileURLToPath(new URL("./cron-program.ts", import.meta.url));
const program = useProgram(
  `import { runCron } from ${JSON.stringify(entry)}; await runCron(process.argv.slice(2));`,
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cron-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function killOften(mode: string, kills: number): Promise<Tally> {
  const random = seededRandom(campaignSeed());
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = { after: 1, delayMs: random() * MAX_LIFE_MS };
    await runAndKill({ program: program(), args: [folder, mode], watched: [], kill: moment });
  }
  const store = createSqliteStore({
    folder,
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
  try {
    return await countSlots(store);
  } finally {
    await store.close();
  }
}

interface Tally {
  readonly slots: number;
  readonly ran: number;
  readonly skipped: number;
  readonly doubled: number;
}

async function readAll(store: Store, stream: string): Promise<Record<string, unknown>[]> {
  const values: Record<string, unknown>[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.log.read({ stream, after, limit: PAGE });
    // Written by the program and the scheduler.
    values.push(...page.records.map(({ value }) => value as Record<string, unknown>));
    after = page.next;
  }
  return values;
}

/** Every slot of a job lies between its first one and the one that comes next. */
async function countSlots(store: Store): Promise<Tally> {
  const effects = (await readAll(store, EFFECTS)).map(({ jobId, slotMs }) => `${jobId} ${slotMs}`);
  const { entries } = await store.kv.list({ space: "cron:jobs", limit: PAGE });
  let slots = 0;
  let skipped = 0;
  for (const { key, value } of entries) {
    const { schedule, state, createdAtMs } = value as {
      createdAtMs: number;
      schedule: Schedule;
      state: { nextRunAtMs: number };
    };
    const firstMs = createSlots(schedule).after(createdAtMs) ?? Number.NaN;
    slots += (state.nextRunAtMs - firstMs) / EVERY_MS;
    for (const { missed } of await readAll(store, `cron:runs:${key}`))
      skipped += Number(missed ?? 0);
  }
  const ran = new Set(effects).size;
  return { slots, ran, skipped, doubled: effects.length - ran };
}

describe("kill -9 of a scheduler", () => {
  it(
    TITLE,
    async () => {
      const { slots, ran, skipped, doubled } = await killOften("whole", KILLS);
      expect(doubled).toBe(0);
      expect(ran).toBeGreaterThan(0);
      expect(ran + skipped).toBe(slots);
      reportCampaign({
        title: TITLE,
        size: KILLS,
        detail: `${slots} slots, ${ran} ran, ${skipped} skipped`,
      });
    },
    KILLS * 20_000,
  );

  it(
    "a scheduler that writes the effect apart from the claim doubles some",
    async () => {
      expect((await killOften("naive", KILLS)).doubled).toBeGreaterThan(0);
    },
    KILLS * 20_000,
  );
});
