// The limit around every call of the driver library.
import { describe, expect, it } from "vitest";
import { within } from "./within.js";

const never = () => new Promise<never>(() => undefined);
const limit = (over: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  timeoutMs: 1_000,
  signal: new AbortController().signal,
  what: "the moon",
  ...over,
});

describe("within", () => {
  it("gives what the work gives, and throws what it throws", async () => {
    expect(await within(limit(), async () => 5)).toBe(5);
    await expect(within(limit(), () => Promise.reject(new Error("bad")))).rejects.toThrow("bad");
    const throws = () => {
      throw new Error("at once");
    };
    await expect(within(limit(), throws)).rejects.toThrow("at once");
  });

  it("ends work that never ends, and says what was waited for", async () => {
    await expect(within(limit({ timeoutMs: 5 }), never)).rejects.toMatchObject({
      code: "timeout",
      reason: "browser_timeout",
      message: expect.stringContaining("the moon"),
    });
  });

  it("says the same when the library's own clock was first", async () => {
    const own = Object.assign(new Error("Timeout 149ms exceeded."), { name: "TimeoutError" });
    await expect(within(limit(), () => Promise.reject(own))).rejects.toMatchObject({
      code: "timeout",
      reason: "browser_timeout",
      details: { waitedFor: "the moon", timeoutMs: 1_000 },
    });
  });

  it("ends with the signal, before and during the work", async () => {
    const stop = new AbortController();
    const waiting = within(limit({ signal: stop.signal }), never);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    let hasBegun = false;
    const late = within(limit({ signal: stop.signal }), async () => {
      hasBegun = true;
    });
    await expect(late).rejects.toMatchObject({ code: "aborted" });
    expect(hasBegun).toBe(false);
  });

  it("drops an error that comes after the end", async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = () => new Promise<never>((_, reject) => (fail = reject));
    await expect(within(limit({ timeoutMs: 1 }), work)).rejects.toMatchObject({ code: "timeout" });
    fail(new Error("late"));
  });
});
