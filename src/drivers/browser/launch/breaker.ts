// Stops trying to start a browser that does not start: after some failures in a row the cause is
// answered at once, for a while.

import { type Clock, ToolError } from "../../../core/index.js";

export const MAX_FAILURES = 3;
export const OPEN_MS = 30_000;
const SECOND_MS = 1_000;

export interface Breaker {
  /** Throws `unavailable` / `browser_start_failed` while starts are not tried. */
  assertClosed(): void;
  noteFailure(error: unknown): void;
  noteSuccess(): void;
}

export function createBreaker(clock: Pick<Clock, "now">): Breaker {
  let failures = 0;
  let failedAtMs = 0;
  let cause: unknown;

  return {
    assertClosed() {
      const leftMs = failedAtMs + OPEN_MS - clock.now();
      if (failures < MAX_FAILURES || leftMs <= 0) return;
      const seconds = Math.ceil(leftMs / SECOND_MS);
      throw new ToolError(
        "unavailable",
        `The browser failed to start ${failures} times and is not tried again for ${seconds} s; the last time: ${toMessage(cause)}`,
        {
          reason: "browser_start_failed",
          cause,
          details: { failures, retryAfterSeconds: seconds },
        },
      );
    },
    noteFailure(error) {
      failures += 1;
      failedAtMs = clock.now();
      cause = error;
    },
    noteSuccess() {
      failures = 0;
      cause = undefined;
    },
  };
}

function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
