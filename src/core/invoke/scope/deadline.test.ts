// The limits of one call, with a clock that a test moves by hand.

import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../../test/fakes/manual-clock.js";
import { ToolError } from "../../errors.js";
import { type CallScopeOptions, createCallScope, readingLimit, toolDeadline } from "../scope.js";

const never = () => new Promise<never>(() => undefined);

function start(options: Partial<CallScopeOptions> = {}) {
  const clock = createManualClock();
  const scope = createCallScope({ clock, signal: undefined, ...options });
  return { clock, scope };
}

describe("a wait within a limit", () => {
  it("gives back what the work gives and leaves no timer", async () => {
    const { clock, scope } = start();
    expect(await scope.within(toolDeadline(5), async () => 7)).toBe(7);
    expect(clock.pending()).toBe(0);
  });

  it("sets no timer for work that has its answer at once", async () => {
    const { clock, scope } = start();
    const answer = scope.within(toolDeadline(5), () => 7);
    expect(clock.pending()).toBe(0);
    expect(await answer).toBe(7);
  });

  it("rejects with what the work throws, at once or later", async () => {
    const { clock, scope } = start();
    const throwing = () => {
      throw new Error("at once");
    };
    await expect(scope.within(toolDeadline(5), throwing)).rejects.toThrow("at once");
    const later = scope.within(toolDeadline(5), () => Promise.reject(new Error("later")));
    await expect(later).rejects.toThrow("later");
    expect(clock.pending()).toBe(0);
    expect(scope.signal.aborted).toBe(false);
  });

  it("ends work that never ends, and tells it", async () => {
    const { clock, scope } = start();
    const run = scope.within(toolDeadline(2_000), never);
    clock.advance(2_000);
    await expect(run).rejects.toMatchObject({
      code: "timeout",
      reason: "deadline_passed",
      message: expect.stringContaining("2 seconds"),
    });
    expect(scope.signal.aborted).toBe(true);
  });

  it("has the words of its own limit", async () => {
    const { clock, scope } = start();
    const run = scope.within(readingLimit(3_000), never);
    clock.advance(3_000);
    await expect(run).rejects.toMatchObject({
      code: "timeout",
      reason: "arguments_timeout",
      message: expect.stringContaining("it was not run"),
    });
  });

  it("answers with the limit, not with what the work throws when it is told", async () => {
    const { clock, scope } = start();
    const run = scope.within(
      toolDeadline(10),
      () =>
        new Promise((_resolve, reject) => {
          scope.signal.addEventListener("abort", () => reject(new Error("stopped half way")));
        }),
    );
    clock.advance(10);
    await expect(run).rejects.toMatchObject({ reason: "deadline_passed" });
  });

  it("waits as long as a timer can where the limit is longer", async () => {
    const { clock, scope } = start();
    const run = scope.within(toolDeadline(Number.POSITIVE_INFINITY), never);
    clock.advance(2 ** 31 - 2);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    await expect(run).rejects.toMatchObject({ code: "timeout" });
  });

  it("begins nothing once the call has ended", async () => {
    const { clock, scope } = start();
    const run = scope.within(toolDeadline(10), never);
    clock.advance(10);
    await expect(run).rejects.toMatchObject({ code: "timeout" });
    let begun = false;
    const next = scope.within(toolDeadline(10), () => {
      begun = true;
    });
    await expect(next).rejects.toMatchObject({ code: "timeout" });
    expect(begun).toBe(false);
    expect(() => scope.assertGoing()).toThrow("took longer than 0.01 seconds");
  });
});

describe("an end from outside", () => {
  it("by the caller's abort ends work that ignores it", async () => {
    const controller = new AbortController();
    const { clock, scope } = start({ signal: controller.signal });
    const run = scope.within(toolDeadline(5), never);
    controller.abort(new Error("user left"));
    await expect(run).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
    expect(clock.pending()).toBe(0);
  });

  it("by the work itself, which aborts its caller and never ends, ends the call", async () => {
    const controller = new AbortController();
    const { clock, scope } = start({ signal: controller.signal });
    const run = scope.within(toolDeadline(5), () => {
      controller.abort();
      return never();
    });
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    expect(clock.pending()).toBe(0);
  });

  it("by closing has the words of whoever closed", async () => {
    const closing = new AbortController();
    const { scope } = start({ closing: closing.signal });
    const run = scope.within(toolDeadline(5), never);
    closing.abort(new ToolError("unavailable", "The shop is shut.", { reason: "shut" }));
    await expect(run).rejects.toMatchObject({ reason: "shut" });
  });

  it("before the beginning lets nothing begin", async () => {
    expect(() => start({ signal: AbortSignal.abort() }).scope.assertGoing()).toThrow("aborted");
    const closing = AbortSignal.abort(new ToolError("unavailable", "shut"));
    const { scope } = start({ closing });
    await expect(scope.within(toolDeadline(5), never)).rejects.toThrow("shut");
  });

  it("while nobody waits is told to whoever waits next, and troubles nobody else", async () => {
    const controller = new AbortController();
    const { scope } = start({ signal: controller.signal });
    controller.abort();
    await Promise.resolve();
    await expect(scope.within(toolDeadline(5), never)).rejects.toMatchObject({ code: "aborted" });
  });

  it("is no longer listened to when the call is closed", async () => {
    const [controller, closing] = [new AbortController(), new AbortController()];
    const { scope } = start({ signal: controller.signal, closing: closing.signal });
    scope.close();
    controller.abort();
    closing.abort();
    expect(scope.signal.aborted).toBe(false);
  });
});
