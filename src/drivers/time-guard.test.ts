// The time guard against real patterns that backtrack. The guard allows 50 ms; the tests give room for
// a machine ten times slower.
import { describe, expect, it } from "vitest";
import { isToolError } from "../core/index.js";
import { createTimeGuard } from "./time-guard.js";

const LIMIT_MS = 50;
const ROOM_MS = 15_000;
/** For work that ends by itself: the limit is not what is tested. */
const AMPLE_MS = 2_000;

const HOSTILE: [name: string, pattern: RegExp, text: string][] = [
  ["nested repeats", /^(a+)+$/, `${"a".repeat(40)}!`],
  ["a repeated any-match", /(.*)*x/, "a".repeat(5_000)],
  ["words with optional spaces", /(\w+\s?)*$/, `${"a".repeat(40)}!`],
  ["trailing spaces, quadratic", /\s+$/, `${" ".repeat(50_000)}x`],
];

function timed(work: () => void): { thrown: unknown; tookMs: number } {
  const startedMs = performance.now();
  try {
    work();
    return { thrown: undefined, tookMs: performance.now() - startedMs };
  } catch (thrown) {
    return { thrown, tookMs: performance.now() - startedMs };
  }
}

describe("the time guard", () => {
  it.each(HOSTILE)("stops %s", (_name, pattern, text) => {
    const guard = createTimeGuard();
    const { thrown, tookMs } = timed(() => guard.run(() => pattern.test(text), LIMIT_MS));
    expect(thrown).toMatchObject({ code: "limit", reason: "pattern_timeout" });
    expect(isToolError(thrown)).toBe(true);
    expect(tookMs).toBeLessThan(ROOM_MS);
  });

  it("stops a loop that catches everything", () => {
    const guard = createTimeGuard();
    let caught = 0;
    const { thrown } = timed(() =>
      guard.run(() => {
        for (;;) {
          try {
            for (;;);
          } catch {
            caught += 1;
          }
        }
      }, LIMIT_MS),
    );
    expect(thrown).toMatchObject({ reason: "pattern_timeout" });
    expect(caught).toBe(0);
  });

  it("gives back the value of the work, and works again after a stop", () => {
    const guard = createTimeGuard();
    timed(() => guard.run(() => /^(a+)+$/.test(`${"a".repeat(40)}!`), LIMIT_MS));
    const value = { some: "thing" };
    expect(guard.run(() => value, AMPLE_MS)).toBe(value);
    expect(guard.run(() => undefined, AMPLE_MS)).toBeUndefined();
  });

  it("passes on what the work throws, even an error that looks like a timeout", () => {
    const guard = createTimeGuard();
    const plain = new TypeError("of the work");
    const alike = Object.assign(new Error("mine"), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
    for (const error of [plain, alike, "a text", undefined]) {
      const { thrown } = timed(() =>
        guard.run(() => {
          throw error;
        }, AMPLE_MS),
      );
      expect(thrown).toBe(error);
    }
  });

  it("begins starved work again: a wait for the processor is not a slow pattern", () => {
    const guard = createTimeGuard();
    const gate = new Int32Array(new SharedArrayBuffer(4));
    let begun = 0;
    const value = guard.run(() => {
      begun += 1;
      // A thread that waits uses no processor, as one that has not got its turn.
      if (begun === 1) Atomics.wait(gate, 0, 0, AMPLE_MS);
      return "done";
    }, LIMIT_MS);
    expect(value).toBe("done");
    expect(begun).toBe(2);
  });

  it("can be used inside itself: the shorter limit ends its own work only", () => {
    const guard = createTimeGuard();
    const answer = guard.run(() => {
      const inner = timed(() =>
        guard.run(() => {
          for (;;);
        }, 20),
      );
      return inner.thrown;
    }, AMPLE_MS);
    expect(answer).toMatchObject({ reason: "pattern_timeout" });
    expect(guard.run(() => 1, AMPLE_MS)).toBe(1);
  });

  it("ends the outer work too when the outer limit is the shorter one", () => {
    const guard = createTimeGuard();
    const { thrown, tookMs } = timed(() =>
      guard.run(
        () =>
          guard.run(() => {
            for (;;);
          }, 5_000),
        20,
      ),
    );
    expect(thrown).toMatchObject({ reason: "pattern_timeout" });
    expect(tookMs).toBeLessThan(2_000);
    expect(guard.run(() => 1, AMPLE_MS)).toBe(1);
  });
});
