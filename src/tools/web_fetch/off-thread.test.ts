// Slots: never more jobs at once than allowed, in the order they came.

import { describe, expect, it } from "vitest";
import { createSlots } from "./off-thread.js";

const { signal } = new AbortController();

/** A job that ends when `end` is called. */
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
    const run = createSlots(2);
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map(() => createJob());
    const answers = jobs.map((job, index) =>
      run(() => {
        begun.push(index);
        return job.run();
      }, signal),
    );
    await settle();
    expect(begun).toEqual([0, 1]);
    jobs[1]?.end("one");
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const job of jobs) job.end("done");
    expect(await Promise.all(answers)).toEqual(["done", "one", "done", "done"]);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await run(async () => "later", signal)).toBe("later");
  });

  it("pass the slot of a failed job on, and skip a job whose caller gave up", async () => {
    const run = createSlots(1);
    const first = createJob();
    const running = run(async () => {
      await first.run();
      throw new Error("broke");
    }, signal);
    const caller = new AbortController();
    const left = run(async () => "never", caller.signal);
    const next = run(async () => "next", signal);
    caller.abort();
    first.end("");
    await expect(running).rejects.toThrow("broke");
    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    expect(await next).toBe("next");
  });
});
