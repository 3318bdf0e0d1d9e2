// The scheduler on a clock that tests move: claims, skips, failures, restarts.
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/fakes/manual-clock.js";
import { createMemoryStore } from "../../../test/fakes/memory-store.js";
import { type Store, ToolError } from "../../core/index.js";
import { type Cron, type CronDispatch, type CronOptions, createCron } from "./engine.js";
import type { CronOutcome } from "./run-records.js";

const MINUTE = 60_000;
const START_MS = Date.parse("2026-05-01T09:00:00Z");

type Parts = Pick<CronOptions, "store" | "report"> & Pick<CronDispatch, "prepare">;

interface Setting {
  readonly store: Store;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly effects: () => Promise<string[]>;
  readonly start: (outcome?: CronDispatch["outcome"], more?: Partial<Parts>) => Promise<Cron>;
  /** Moves the clock and lets the scheduler work. */
  readonly pass: (ms: number) => Promise<void>;
}

function begin(): Setting {
  const clock = createManualClock();
  clock.advance(START_MS);
  let count = 0;
  const random = { hex: (bytes: number) => String(++count).padStart(bytes * 2, "0") };
  const store = createMemoryStore({ clock });
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return {
    store,
    clock,
    effects: async () =>
      (await store.log.read({ stream: "effects", limit: 1_000 })).records.map(({ value }) =>
        String(value),
      ),
    start: (outcome = async () => ({ status: "ok" }), { prepare, ...more } = {}) =>
      createCron({
        ...{ store, clock, random, isEnabled: () => true },
        dispatch: {
          prepare:
            prepare ??
            (async ({ name }, { slotMs }) => [
              {
                kind: "log.append",
                stream: "effects",
                records: [`${name} ${new Date(slotMs).toISOString().slice(11, 16)}`],
              },
            ]),
          outcome,
        },
        emit: () => undefined,
        report: (message) => {
          throw new Error(message);
        },
        ...more,
      }),
    async pass(ms) {
      clock.advance(ms);
      await settle();
      // A timer that was set for the past fires at the next look.
      clock.advance(0);
      await settle();
    },
  };
}

const every = (minutes: number) => ({ kind: "every", everyMs: minutes * MINUTE });
const tell = (name: string, schedule: object, more: object = {}) => ({
  ...{ name, schedule, payload: { kind: "systemEvent", text: name }, ...more },
});

describe("a schedule", () => {
  it("runs each slot once, and says when the next one is", async () => {
    const { start, pass, effects } = begin();
    const cron = await start();
    const job = await cron.add(tell("tea", every(10)));
    expect(job.state.nextRunAtMs).toBe(START_MS + 10 * MINUTE);
    for (let turn = 0; turn < 3; turn += 1) await pass(10 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:20", "tea 09:30"]);
    expect(cron.get(job.id).state).toMatchObject({
      lastStatus: "ok",
      nextRunAtMs: START_MS + 40 * MINUTE,
    });
    expect(await cron.runs(job.id, 10)).toMatchObject([
      { status: "ok" },
      { status: "ok" },
      { status: "ok" },
    ]);
    await cron.close();
  });

  it("runs once after a pause and says in the log what it skipped", async () => {
    const { start, pass, effects } = begin();
    const cron = await start();
    const { id } = await cron.add(tell("tea", every(10)));
    await pass(35 * MINUTE);
    expect(await effects()).toEqual(["tea 09:30"]);
    expect(await cron.runs(id, 10)).toContainEqual(
      expect.objectContaining({
        action: "skipped",
        missed: 2,
        error: "2 slots skipped: their time had passed",
      }),
    );
    await cron.close();
  });

  it("does not run a slot again when the clock is set back", async () => {
    const { start, pass, effects, clock } = begin();
    const cron = await start();
    await cron.add(tell("tea", every(10)));
    await pass(10 * MINUTE);
    clock.advance(-5 * MINUTE);
    await pass(5 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10"]);
    await pass(10 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:20"]);
    await cron.close();
  });

  it("skips a slot while the run before it goes on", async () => {
    const { start, pass, effects } = begin();
    let end: (() => void) | undefined;
    const cron = await start(
      () => new Promise((resolve) => (end = () => resolve({ status: "ok" }))),
    );
    const { id } = await cron.add(tell("tea", every(10)));
    await pass(10 * MINUTE);
    await pass(10 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10"]);
    end?.();
    await pass(0);
    await pass(10 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:30"]);
    const runs = await cron.runs(id, 10);
    expect(runs.map(({ error }) => error)).toContain(
      "1 slot skipped: the previous run has not ended",
    );
    end?.();
    await cron.close();
  });
});

describe("a job that runs all missed slots", () => {
  const slow = () => {
    const ends: (() => void)[] = [];
    const outcome = () =>
      new Promise<CronOutcome>((resolve) => void ends.push(() => resolve({ status: "ok" })));
    return { ends, outcome };
  };

  it("runs them one after the other, though each takes a while", async () => {
    const { start, pass, effects } = begin();
    const first = await start();
    const { id } = await first.add(tell("tea", every(10), { missed: "all" }));
    await first.close();
    await pass(35 * MINUTE);
    const { ends, outcome } = slow();
    const cron = await start(outcome);
    await pass(0);
    expect(await effects()).toEqual(["tea 09:10"]);
    for (let turn = 0; turn < 3; turn += 1) {
      ends[turn]?.();
      await pass(0);
    }
    expect(await effects()).toEqual(["tea 09:10", "tea 09:20", "tea 09:30"]);
    const runs = await cron.runs(id, 10);
    expect(runs.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    expect(cron.get(id).state.nextRunAtMs).toBe(START_MS + 40 * MINUTE);
    await cron.close();
  });

  it("says in the log which slots became too late while a run went on", async () => {
    const { start, pass, effects } = begin();
    const { ends, outcome } = slow();
    const cron = await start(outcome);
    const limits = { missed: "all", maxLatenessMs: 15 * MINUTE };
    const { id } = await cron.add(tell("tea", every(10), limits));
    await pass(10 * MINUTE);
    for (let turn = 0; turn < 4; turn += 1) await pass(10 * MINUTE);
    ends[0]?.();
    await pass(0);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:40"]);
    expect(await cron.runs(id, 10)).toContainEqual(
      expect.objectContaining({ missed: 2, error: "2 slots skipped: their time had passed" }),
    );
    ends[1]?.();
    await pass(0);
    ends[2]?.();
    await pass(0);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:40", "tea 09:50"]);
    await cron.close();
  });
});

describe("a job that runs once", () => {
  it("is disabled after it ran, or removed when it asks for that", async () => {
    const { start, pass, effects } = begin();
    const cron = await start();
    const schedule = { kind: "at", at: "2026-05-01T09:05:00" };
    const kept = await cron.add(tell("kept", schedule));
    const gone = await cron.add(tell("gone", schedule, { deleteAfterRun: true }));
    await pass(5 * MINUTE);
    expect((await effects()).sort()).toEqual(["gone 09:05", "kept 09:05"]);
    expect(cron.get(kept.id)).toMatchObject({ enabled: false, state: { lastStatus: "ok" } });
    expect(() => cron.get(gone.id)).toThrow(/No cron job/);
    await cron.close();
  });
});

describe("a job that fails", () => {
  it("backs off, and is disabled after ten failures", async () => {
    const { start, pass, effects } = begin();
    const cron = await start(async () => ({ status: "error", error: "no network" }));
    const { id } = await cron.add(tell("tea", every(1)));
    await pass(MINUTE);
    await pass(MINUTE);
    expect(cron.get(id).state).toMatchObject({ consecutiveErrors: 2, lastError: "no network" });
    for (let turn = 0; turn < 12; turn += 1) await pass(61 * MINUTE);
    expect(cron.get(id)).toMatchObject({ enabled: false, state: { consecutiveErrors: 10 } });
    expect(await effects()).toHaveLength(10);
    const errors = (await cron.runs(id, 100)).map(({ error }) => error);
    expect(errors).toContainEqual(
      expect.stringMatching(/slots? skipped: waiting after 5 failures/),
    );
    const fixed = await cron.update(id, { enabled: true });
    expect(fixed.state.consecutiveErrors).toBeUndefined();
    expect(fixed.state.nextRunAtMs).toBeDefined();
    await cron.close();
  });
});

describe("a restart", () => {
  it("goes on with a run that had not ended, and never claims its slot again", async () => {
    const { start, pass, effects } = begin();
    const first = await start(
      (_job, _run, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        ),
    );
    const { id } = await first.add(tell("tea", every(10)));
    await pass(10 * MINUTE);
    await first.close();
    const second = await start(async (_job, { slotMs }) => ({
      status: "ok",
      summary: String(slotMs),
    }));
    await pass(0);
    expect(await effects()).toEqual(["tea 09:10"]);
    expect(await second.runs(id, 10)).toMatchObject([
      { status: "ok", summary: String(START_MS + 10 * MINUTE) },
    ]);
    await second.close();
  });
});

describe("a store that fails for a while", () => {
  it("drops no slot and no end of a run", async () => {
    const setting = begin();
    const { pass, effects, store } = setting;
    let isFull = false;
    const transact: Store["transact"] = async (operations) => {
      if (isFull) throw new ToolError("unavailable", "The disk is full.");
      return await store.transact(operations);
    };
    const reports: string[] = [];
    const cron = await setting.start(undefined, {
      store: { ...store, transact },
      report: (message) => void reports.push(message),
    });
    const { id } = await cron.add(tell("tea", every(10)));
    isFull = true;
    await pass(10 * MINUTE);
    expect(await effects()).toEqual([]);
    expect(reports).toEqual(["cron: The disk is full."]);
    isFull = false;
    await pass(10_000);
    expect(await effects()).toEqual(["tea 09:10"]);
    expect(cron.get(id).state).toMatchObject({ lastStatus: "ok" });
    expect(cron.get(id).state.runningAtMs).toBeUndefined();
    await pass(10 * MINUTE);
    expect(await effects()).toEqual(["tea 09:10", "tea 09:20"]);
    await cron.close();
  });
});

describe("a job that cannot be handed over", () => {
  it("fails in its log with the reason", async () => {
    const { start, pass } = begin();
    const prepare = async () => {
      throw new ToolError("invalid_input", 'Unrecognized model "none".');
    };
    const cron = await start(undefined, { prepare });
    const { id } = await cron.add(tell("tea", every(10)));
    await pass(10 * MINUTE);
    expect(await cron.runs(id, 1)).toMatchObject([
      { status: "error", error: 'Unrecognized model "none".' },
    ]);
    expect(cron.get(id).state).toMatchObject({ consecutiveErrors: 1 });
    await cron.close();
  });
});

describe("a run by hand", () => {
  it("leaves the schedule as it is, and waits for a run that goes on", async () => {
    const { start, pass, effects } = begin();
    const cron = await start();
    const { id } = await cron.add(tell("tea", every(10)));
    expect(await cron.run(id, "due")).toEqual({});
    const { runId } = await cron.run(id, "force");
    await pass(0);
    expect(runId).toMatch(/manual/);
    expect(await effects()).toEqual(["tea 09:00"]);
    expect(cron.get(id).state.nextRunAtMs).toBe(START_MS + 10 * MINUTE);
    await cron.close();
  });
});
