// What the parts of the store work through: reads, writes in groups, and the time of now.

import type { Clock } from "../../../core/index.js";
import { storeClosed } from "../refusals.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { sweepExpired } from "./tables/sweep.js";
import type { WriteRequest, Writer } from "./writer.js";

/** Writes look for expired records at most so often, unless there were some the last time. */
const SWEEP_INTERVAL_MS = 60_000;

export interface Access {
  read<Value>(work: (database: Database) => Value): Promise<Value>;
  write: Writer["write"];
  /** Repeats a write that does a part of its work and says how much, until it says 0. */
  writeInParts(work: (database: Database) => number, request: WriteRequest): Promise<number>;
  now(): Now;
}

export interface Now {
  readonly nowMs: number;
}

export interface AccessDeps {
  readonly connection: Connection;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly isClosed: () => boolean;
}

export function createAccess({ connection, writer, clock, isClosed }: AccessDeps): Access {
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const now = () => ({ nowMs: Math.floor(clock.now()) });

  /** A write of its own: a sweep that fails must not take another write with it. */
  function sweepNowAndThen(): void {
    const { nowMs } = now();
    if (nowMs - sweptAtMs < SWEEP_INTERVAL_MS) return;
    sweptAtMs = nowMs;
    writer
      .write((database) => sweepExpired(database, { nowMs }), {})
      .then(
        (count) => {
          if (count > 0) sweptAtMs = Number.NEGATIVE_INFINITY;
        },
        // What is in the way is reported to anyone who writes next; expired records are not seen anyway.
        () => undefined,
      );
  }

  return {
    async read(work) {
      if (isClosed()) throw storeClosed();
      return connection.read(work);
    },
    write(work, request) {
      const done = writer.write(work, request);
      sweepNowAndThen();
      return done;
    },
    async writeInParts(work, request) {
      let total = 0;
      for (;;) {
        const count = await writer.write(work, request);
        if (count === 0) return total;
        total += count;
      }
    },
    now,
  };
}
