// A process that writes to the store is killed at random moments: what it was told is done is
// there, each write is there as a whole or not at all, and the store goes on.

import { expect, it } from "vitest";
import type { Store } from "../../../src/core/index.js";
import { createSystemClock } from "../../../src/drivers/clock.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../../fakes/campaign.js";
import type { StoreDriver } from "./driver.js";
import { recordOf, type VictimPlan } from "./kill-records.js";
import { startRole, storeProgram, useProgram } from "./processes.js";

const KILLS = campaignSize({ slice: 12, campaign: 10_000 });
const MAX_RECORD_BYTES = 1024 * 1024;
const FEW_LINES = 8;
const MANY_LINES = 120;
const MAX_DELAY_MS = 6;
const MAX_START_MS = 160;
const PARTS = 3;

interface Kill {
  /** The clock starts after so many lines; 0: with the process. */
  readonly afterLines: number;
  readonly delayMs: number;
}

/** Soon after a line, long after the start (the log is folded into the database), or at the start. */
function chooseKill(random: () => number): Kill {
  const kind = random();
  if (kind < 0.2) return { afterLines: 0, delayMs: random() * MAX_START_MS };
  const lines = kind < 0.3 ? MANY_LINES : FEW_LINES;
  return {
    afterLines: 2 + Math.floor(random() * lines),
    delayMs: random() * MAX_DELAY_MS,
  };
}

async function runAndKill(args: readonly string[], kill: Kill): Promise<readonly string[]> {
  const victim = startRole(args);
  victim.tell("go");
  if (kill.afterLines > 0) await victim.said(kill.afterLines);
  const timer = setTimeout(() => victim.child.kill("SIGKILL"), kill.delayMs);
  try {
    return await victim.end;
  } finally {
    clearTimeout(timer);
    victim.child.kill("SIGKILL");
  }
}

/** The last step that was begun and the last that was acknowledged. */
function readProgress(lines: readonly string[], before: number) {
  const last = (word: string) =>
    lines.reduce(
      (found, line) => (line.startsWith(word) ? Number(line.slice(word.length)) : found),
      before,
    );
  return { begun: last("begin "), done: last("done ") };
}

/** The steps in the log, each whole; throws for anything else. */
async function readSteps(store: Store, plan: VictimPlan): Promise<number> {
  let step = plan.first - 1;
  let after: number | undefined;
  let part = 0;
  do {
    const page = await store.log.read({ stream: "steps", after, limit: 300 });
    for (const { value } of page.records) {
      if (part === 0) step++;
      expect(value).toEqual(part === 0 ? recordOf({ step, plan }) : { step, part: part + 1 });
      part = (part + 1) % PARTS;
    }
    after = page.next;
  } while (after !== undefined);
  expect(part, "a step is there in part").toBe(0);
  return step;
}

async function readQueue(store: Store): Promise<unknown[]> {
  const found: unknown[] = [];
  for (;;) {
    const entries = await store.queue.claim({ queue: "steps", visibilityMs: 60_000, limit: 100 });
    if (entries.length === 0) return found;
    for (const { value, receipt } of entries) {
      found.push(value);
      await store.queue.acknowledge({ queue: "steps", receipt });
    }
  }
}

export function describeKills(driver: StoreDriver, module: string): void {
  const program = useProgram(storeProgram(module));
  const title = `${driver.name}: every acknowledged write is whole and present after every kill -9`;

  it(title, async () => {
    const random = seededRandom(campaignSeed());
    const place = driver.createPlace();
    const tally = { cut: 0, kept: 0, starts: 0 };
    let last = 0;
    try {
      for (let kills = 0; kills < KILLS; kills++) {
        const plan = { first: last + 1, maxBytes: MAX_RECORD_BYTES };
        const args = [program(), "victim", place.path, JSON.stringify(plan)];
        const { begun, done } = readProgress(await runAndKill(args, chooseKill(random)), last);
        const store = place.open(createSystemClock());
        const found = await readSteps(store, plan);
        const hint = `kill ${kills}, seed ${campaignSeed()}`;
        expect([done, begun], hint).toContain(found);
        const entry = await store.kv.get({ space: "steps", key: "last" });
        expect(entry?.value, hint).toEqual(found === 0 ? undefined : { step: found });
        const steps = Array.from({ length: found - last }, (_, index) => ({
          step: last + 1 + index,
        }));
        expect(await readQueue(store), hint).toEqual(steps);
        await store.log.trim({ stream: "steps", keepLast: 0 });
        await store.close();
        if (begun > done) tally.cut++;
        if (found > done) tally.kept++;
        if (begun === last) tally.starts++;
        last = found;
      }
    } finally {
      place.remove();
    }
    // Kills that hit nothing would prove nothing.
    expect(tally.cut).toBeGreaterThan(0);
    reportCampaign({
      title,
      size: KILLS,
      detail: `${tally.cut} during a write, of these ${tally.kept} found written; ${tally.starts} before the first write; ${last} writes`,
    });
  });
}
