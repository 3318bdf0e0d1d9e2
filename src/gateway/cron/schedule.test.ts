// When jobs are due: time zones, daylight saving, leap days, pauses and jumps of the clock.
import { describe, expect, it } from "vitest";
import { parseJob } from "./job.js";
import { createSlots, decideDue, type Schedule } from "./schedule.js";

const at = (iso: string) => Date.parse(iso);
const HOUR = 3_600_000;

function slotsBetween(schedule: Schedule, fromMs: number, untilMs: number): string[] {
  const slots = createSlots(schedule);
  const found: string[] = [];
  for (let next = slots.after(fromMs); next !== undefined && next <= untilMs; ) {
    found.push(new Date(next).toISOString());
    next = slots.after(next);
  }
  return found;
}

describe("the slots of a schedule", () => {
  it("has one run a day when clocks go forward over the hour, and when they go back", () => {
    const schedule = { kind: "cron", expr: "30 2 * * *", tz: "America/New_York" } as const;
    const spring = slotsBetween(schedule, at("2026-03-07T00:00Z"), at("2026-03-10T00:00Z"));
    expect(spring.map((time) => time.slice(0, 10))).toEqual([
      "2026-03-07",
      "2026-03-08",
      "2026-03-09",
    ]);
    const autumn = slotsBetween(schedule, at("2026-10-31T00:00Z"), at("2026-11-03T00:00Z"));
    expect(autumn.map((time) => time.slice(0, 10))).toEqual([
      "2026-10-31",
      "2026-11-01",
      "2026-11-02",
    ]);
  });

  it("knows leap days, and refuses a date that never comes", () => {
    const leap = createSlots({ kind: "cron", expr: "0 0 29 2 *", tz: "UTC" });
    expect(leap.after(at("2026-01-01T00:00Z"))).toBe(at("2028-02-29T00:00Z"));
    const job = { payload: { text: "x" }, schedule: { kind: "cron", expr: "0 0 30 2 *" } };
    expect(() => parseJob(job, 0)).toThrow(/never comes/);
  });

  it("keeps `every` on its anchor, whenever it is asked", () => {
    const slots = createSlots({ kind: "every", everyMs: 7_000, anchorMs: 1_000 });
    for (const time of [0, 999, 1_000, 7_999, 8_000, 123_456]) {
      const next = slots.after(time) ?? Number.NaN;
      expect(next).toBeGreaterThan(time);
      expect((next - 1_000) % 7_000).toBe(0);
      expect(next - Math.max(time, 1_000)).toBeLessThanOrEqual(7_000);
    }
  });

  it.each([
    [{ kind: "every", everyMs: 1 }, /shortest interval/],
    [{ kind: "cron", expr: "0 9 * * *", tz: "Mars/Olympus" }, /Unknown time zone "Mars\/Olympus"/],
    [{ kind: "cron", expr: "99 9 * * *" }, /is not a cron expression/],
    [{ kind: "at", at: "2026-02-30T10:00:00Z" }, /is not a time/],
    [{ kind: "at", at: "tomorrow" }, /is not a time/],
    [{ kind: "weekly" }, /schedule\.kind must be/],
  ])("refuses %j with a sentence that says what to do", (schedule, message) => {
    expect(() => parseJob({ schedule, payload: { text: "x" } }, 0)).toThrow(message);
  });
});

describe("a slot that is due", () => {
  /** Looks at random moments, as after pauses and jumps of the clock; every slot must be accounted for. */
  it.each(["skip", "once", "all"] as const)(
    "is run or counted under `%s`, never both",
    (missed) => {
      let seed = 7;
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return seed % below;
      };
      for (let round = 0; round < 40; round += 1) {
        const schedule: Schedule =
          round % 2 === 0
            ? { kind: "every", everyMs: 60_000 + random(HOUR), anchorMs: 0 }
            : { kind: "cron", expr: `${random(60)} */${1 + random(6)} * * *`, tz: "Europe/Berlin" };
        const start = at("2026-03-27T00:00Z") + random(48 * HOUR);
        let slot = createSlots(schedule).after(start);
        let nowMs = start;
        let accounted = 0;
        const runs: number[] = [];
        for (let look = 0; look < 30; look += 1) {
          nowMs += random(2) === 0 ? random(2 * HOUR) : random(60_000);
          while (slot !== undefined && slot <= nowMs) {
            const due = decideDue({ schedule, missed, slotMs: slot, nowMs });
            accounted += due.skipped + (due.run === undefined ? 0 : 1);
            if (due.run !== undefined) runs.push(due.run);
            slot = due.next;
          }
        }
        expect(accounted).toBe(slotsBetween(schedule, start, nowMs).length);
        expect(runs).toEqual([...new Set(runs)].sort((one, other) => one - other));
      }
    },
  );

  it("runs once after a pause of an hour, and not after a longer one", () => {
    const schedule = { kind: "cron", expr: "0 9 * * *", tz: "UTC" } as const;
    const slotMs = at("2026-05-01T09:00Z");
    const due = (nowMs: number, missed: "skip" | "once") =>
      decideDue({ schedule, missed, slotMs, nowMs });
    expect(due(slotMs + HOUR / 2, "once")).toMatchObject({ run: slotMs, skipped: 0 });
    expect(due(slotMs + 2 * HOUR, "once")).toEqual({ next: at("2026-05-02T09:00Z"), skipped: 1 });
    expect(due(slotMs + HOUR / 2, "skip")).toEqual({ next: at("2026-05-02T09:00Z"), skipped: 1 });
  });

  it("delivers a reminder late rather than never", () => {
    const schedule = { kind: "at", atMs: 1_000 } as const;
    const due = decideDue({ schedule, missed: "once", slotMs: 1_000, nowMs: 1_000 + 72 * HOUR });
    expect(due).toEqual({ run: 1_000, skipped: 0 });
  });
});
