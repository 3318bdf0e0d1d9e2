// Waits for the lock of another connection without holding up the event loop.

import type { Clock, RandomSource } from "../../../core/index.js";
import { isBusy, storeBusy } from "./sqlite-errors.js";

/** After that long a write or read that found the database locked is given up. */
export const MAX_BUSY_WAIT_MS = 5_000;

/** For this long after a timeout, other calls wait less, because such a lock is rarely released soon. */
export const OUTAGE_MS = 30_000;
export const MAX_OUTAGE_WAIT_MS = 100;

/** A write of another process takes microseconds, so the first tries come at once. */
const IMMEDIATE_TRIES = 3;
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 32;
const BYTE_VALUES = 256;
const HEX = 16;

/** How long to wait, which is what all waits of one connection have learned. */
export interface Patience {
  maxWaitMs(): number;
  /** A wait was in vain. */
  lose(): void;
  /** A write was let through; that a read was says nothing, because none waits for a writer. */
  regain(): void;
}

export function createPatience(clock: Clock): Patience {
  let lostAtMs = Number.NEGATIVE_INFINITY;
  return {
    maxWaitMs: () => (clock.now() - lostAtMs < OUTAGE_MS ? MAX_OUTAGE_WAIT_MS : MAX_BUSY_WAIT_MS),
    lose() {
      lostAtMs = clock.now();
    },
    regain() {
      lostAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

export interface BusyPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly file: string;
  readonly patience: Patience;
}

/** `work` must have done nothing when it throws because of the lock. */
export async function retryWhileBusy<Value>(
  work: () => Value | Promise<Value>,
  ports: BusyPorts,
): Promise<Value> {
  const beganMs = ports.clock.now();
  const { patience } = ports;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitedMs = ports.clock.now() - beganMs;
      if (waitedMs >= patience.maxWaitMs()) {
        patience.lose();
        throw storeBusy(ports.file, waitedMs);
      }
    }
    await pause(tries, ports);
  }
}

function pause(tries: number, { clock, random }: BusyPorts): Promise<void> {
  if (tries < IMMEDIATE_TRIES) return new Promise((resolve) => setImmediate(resolve));
  const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - IMMEDIATE_TRIES), MAX_PAUSE_MS);
  // Two that wait must not wake together for ever.
  const share = (Number.parseInt(random.hex(1), HEX) + 1) / BYTE_VALUES;
  return new Promise((resolve) => {
    clock.after(Math.ceil(longestMs * share), resolve);
  });
}
