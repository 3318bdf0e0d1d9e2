// Turns: never more at once than may be, in the order they came, and nobody waits without end.

import { describe, expect, it } from "vitest";
import { createSlots } from "./off-thread.js";

const { signal } = new AbortController();
const patient = { maxWaitMs: 60_000, signal };
const BUSY = { code: "unavailable", reason: "page_busy" };

/** A job that ends when it is told to. */
function createJob() {
  let end: (value: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

/** Until all that can go on has gone on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  it("run two jobs at once, and the others in their order", async () => {
    const slots = createSlots({ maxRunning: 2, maxWaiting: 10 });
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map(() => createJob());
    const answers = jobs.map((job, index) =>
      slots.run(() => {
        begun.push(index);
        return job.run();
      }, patient),
    );
    await settle();
    expect(begun).toEqual([0, 1]);
    jobs[1]?.end("one");
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const job of jobs) job.end("done");
    expect(await Promise.all(answers)).toEqual(["done", "one", "done", "done"]);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await slots.run(async () => "later", patient)).toBe("later");
  });

  it("refuse whoever would wait behind too many, and whoever has waited long enough", async () => {
    const slots = createSlots({ maxRunning: 1, maxWaiting: 1 });
    const first = createJob();
    const running = slots.run(first.run, patient);
    const hasty = slots.run(async () => "never", { maxWaitMs: 1, signal });
    await expect(slots.run(async () => "never", patient)).rejects.toMatchObject(BUSY);
    await expect(hasty).rejects.toMatchObject(BUSY);
    const next = slots.run(async () => "next", patient);
    first.end("first");
    expect(await Promise.all([running, next])).toEqual(["first", "next"]);
  });

  it("let whoever gives up go, and pass the place of a failed job on", async () => {
    const slots = createSlots({ maxRunning: 1, maxWaiting: 5 });
    const first = createJob();
    const running = slots.run(async () => {
      await first.run();
      throw new Error("broke");
    }, patient);
    const caller = new AbortController();
    const left = slots.run(async () => "never", { maxWaitMs: 60_000, signal: caller.signal });
    const next = slots.run(async () => "next", patient);
    caller.abort();
    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    first.end("");
    await expect(running).rejects.toThrow("broke");
    expect(await next).toBe("next");
    const ended = { maxWaitMs: 1, signal: caller.signal };
    await expect(slots.run(async () => "never", ended)).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
