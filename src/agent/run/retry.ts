// Which faults of a model are retried, after how long and how often, and the wait before a retry.

import { RETRYABLE } from "../../connectors/index.js";
import type { ModelFault } from "../../core/connector.js";

const MAX_RETRIES = 4;
const MAX_WAIT_MS = 10 * 60_000;
const FIRST_DELAY_MS = 1_000;

export interface Retries {
  /** Milliseconds to wait before the next try; undefined: do not try again. */
  next(fault: {
    readonly reason: ModelFault;
    readonly retryAfterMs: number | undefined;
  }): number | undefined;
}

export function createRetries(): Retries {
  let tries = 0;
  let waitedMs = 0;
  return {
    next({ reason, retryAfterMs = 0 }) {
      if (reason === "call_malformed") return tries++ === 0 ? 0 : undefined;
      if (!RETRYABLE.has(reason) || tries >= MAX_RETRIES) return undefined;
      const delayMs = Math.max(retryAfterMs, FIRST_DELAY_MS * 2 ** tries);
      tries += 1;
      waitedMs += delayMs;
      return waitedMs > MAX_WAIT_MS ? undefined : delayMs;
    },
  };
}
