// What SQLite and the file system answer, as errors that name the database and say what to do.
import {
  type Clock,
  type ErrorCode,
  isToolError,
  type RandomSource,
  ToolError,
} from "../../../core/index.js";
import { isBusy, judgeTrouble, type SqliteTrouble } from "../../sqlite.js";
import { storeClosed } from "../refusals.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { sweepExpired } from "./tables/lease.js";
import type { WriteRequest, Writer } from "./writer.js";

interface Answer {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly text: string;
}

const ANSWERS: Readonly<Partial<Record<SqliteTrouble, Answer>>> = {
  full: {
    code: "unavailable",
    reason: "store_full",
    text: "cannot grow: the disk is full; free some space, it goes on by itself then",
  },
  readonly: {
    code: "unavailable",
    reason: "store_readonly",
    text: "cannot be written; give this user write permission for it and its folder, or choose another state folder",
  },
  io: {
    code: "failed",
    reason: "store_io",
    text: "failed with an input or output error; check the disk",
  },
  damaged: {
    code: "failed",
    reason: "store_corrupt",
    text: "is damaged; restore it from a backup, or move it away to start again",
  },
  not_sqlite: {
    code: "failed",
    reason: "store_corrupt",
    text: "is not a SQLite database; move it away to start again",
  },
  unreachable: {
    code: "unavailable",
    reason: "store_unreachable",
    text: "cannot be opened; check that its folder exists and may be written",
  },
  no_handles: {
    code: "unavailable",
    reason: "store_no_handles",
    text: "cannot be opened: too many files are open; close some and try again",
  },
};

/** Errors of ours pass unchanged. */
export function toStoreError(error: unknown, file: string): ToolError {
  if (isToolError(error)) return error;
  const said = error instanceof Error ? error.message : String(error);
  const { code, reason, text } = ANSWERS[judgeTrouble(error)] ?? {
    code: "internal",
    reason: "store_failed",
    text: `failed: ${said}`,
  };
  return new ToolError(code, `The state file "${file}" ${text}.`, { reason, cause: error });
}

function storeBusy(file: string, waitedMs: number): ToolError {
  return new ToolError(
    "unavailable",
    `The state file "${file}" was locked by another process for ${waitedMs} ms; try again, or end that process.`,
    { reason: "store_busy" },
  );
}

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
interface Patience {
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

interface AccessDeps {
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
