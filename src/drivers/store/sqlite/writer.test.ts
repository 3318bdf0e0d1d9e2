// Group commit: which writes share a transaction and a sync, and what becomes of the others when one
// fails.

import { describe, expect, it } from "vitest";
import { ToolError } from "../../../core/index.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { createWriter, MAX_WAITING_BYTES } from "./writer.js";

const full = new ToolError("unavailable", "full", { reason: "store_full" });
const busy = new ToolError("unavailable", "busy", { reason: "store_busy" });

/** A connection that counts; the database is handed on to the work, which does not look at it. */
function createCountingConnection() {
  const counts = { transactions: 0, syncs: 0 };
  const state: { failure?: (transaction: number) => ToolError | undefined } = {};
  const database: Database = {
    statement: () => {
      throw new Error("No statement is made here.");
    },
    transact: (work) => work(),
    attempt: (work) => work(),
    streamIds: new Map(),
    sync: async () => undefined,
    isGone: () => false,
    close: () => undefined,
  };
  function tryWrite(work: (database: Database) => void): boolean {
    counts.transactions++;
    const failure = state.failure?.(counts.transactions);
    if (failure) throw failure;
    work(database);
    return true;
  }
  const connection: Connection = {
    read: async (work) => work(database),
    tryWrite,
    write: async (work) => {
      tryWrite(work);
    },
    async sync() {
      counts.syncs++;
    },
    close: async () => undefined,
  };
  return { connection, counts, state };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("group commit", () => {
  it("puts the writes of one turn into one transaction", async () => {
    const { connection, counts } = createCountingConnection();
    const writer = createWriter(connection);
    const values = await Promise.all(numbers(64).map((value) => writer.write(() => value, {})));
    expect(values).toEqual(numbers(64));
    expect(counts).toEqual({ transactions: 1, syncs: 0 });
  });

  it("counts what comes some steps later in the same turn to it", async () => {
    const { connection, counts } = createCountingConnection();
    const writer = createWriter(connection);
    const later = async (steps: number) => {
      for (let step = 0; step < steps; step++) await undefined;
      return writer.write(() => steps, {});
    };
    expect(await Promise.all([later(0), later(3), later(30)])).toEqual([0, 3, 30]);
    expect(counts.transactions).toBe(1);
    await Promise.all([later(0), new Promise((done) => setImmediate(done)).then(() => later(0))]);
    expect(counts.transactions).toBe(3);
  });

  it("syncs once for all that ask for the disk, and not for others", async () => {
    const { connection, counts } = createCountingConnection();
    const writer = createWriter(connection);
    const durability = "disk";
    await Promise.all(numbers(64).map((value) => writer.write(() => value, { durability })));
    expect(counts).toEqual({ transactions: 1, syncs: 1 });
  });

  it("divides many writes, and large ones, so that none holds up the others for long", async () => {
    const { connection, counts } = createCountingConnection();
    const writer = createWriter(connection);
    await Promise.all(numbers(1_200).map((value) => writer.write(() => value, {})));
    expect(counts.transactions).toBe(3);
    const bytes = 3 * 1024 * 1024;
    await Promise.all(numbers(4).map((value) => writer.write(() => value, { bytes })));
    expect(counts.transactions).toBe(7);
  });

  it("refuses one write and does the others of its group", async () => {
    const { connection, counts } = createCountingConnection();
    const writer = createWriter(connection);
    const refusal = new ToolError("conflict", "no", { reason: "revision_mismatch" });
    const outcomes = await Promise.allSettled([
      writer.write(() => 1, {}),
      writer.write(() => {
        throw refusal;
      }, {}),
      writer.write(() => 3, { durability: "disk" }),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: refusal },
      { status: "fulfilled", value: 3 },
    ]);
    expect(counts.transactions).toBe(1);
  });

  it("tries the writes of a group one by one when the disk is full for all together", async () => {
    const { connection, state, counts } = createCountingConnection();
    // The group, and of its three writes the second.
    state.failure = (transaction) => ([1, 3].includes(transaction) ? full : undefined);
    const writer = createWriter(connection);
    const outcomes = await Promise.allSettled(
      numbers(3).map((value) => writer.write(() => value, {})),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(counts.transactions).toBe(4);
  });

  it("does not let each waiting write wait for a lock that was waited for already", async () => {
    const { connection, state, counts } = createCountingConnection();
    state.failure = () => busy;
    const writer = createWriter(connection);
    const outcomes = await Promise.allSettled(
      numbers(1_200).map((value) => writer.write(() => value, {})),
    );
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(counts.transactions).toBe(1);
    state.failure = () => undefined;
    expect(await writer.write(() => "goes on", {})).toBe("goes on");
  });

  it("waits where it must, in order and with the same outcome", async () => {
    const { connection } = createCountingConnection();
    const writer = createWriter({ ...connection, tryWrite: () => false });
    const order: number[] = [];
    const write = (value: number) => writer.write(() => order.push(value), { bytes: 3_000_000 });
    await Promise.all(numbers(5).map(write));
    expect(order).toEqual(numbers(5));
  });

  it("gives a write up that was aborted before its turn", async () => {
    const { connection } = createCountingConnection();
    const writer = createWriter(connection);
    const controller = new AbortController();
    const { signal } = controller;
    let isDone = false;
    const write = writer.write(
      () => {
        isDone = true;
      },
      { signal },
    );
    controller.abort();
    await expect(write).rejects.toMatchObject({ code: "aborted" });
    expect(isDone).toBe(false);
  });

  it("refuses more than may wait, and takes writes again afterwards", async () => {
    const { connection } = createCountingConnection();
    const writer = createWriter(connection);
    const large = writer.write(() => "large", { bytes: MAX_WAITING_BYTES });
    await expect(writer.write(() => 1, { bytes: 1 })).rejects.toMatchObject({
      code: "unavailable",
      reason: "store_overloaded",
    });
    expect(await large).toBe("large");
    expect(await writer.write(() => 2, { bytes: MAX_WAITING_BYTES })).toBe(2);
  });

  it("tells those who asked for the disk when it cannot be reached", async () => {
    const { connection } = createCountingConnection();
    const failure = new ToolError("failed", "no disk", { reason: "store_io" });
    const writer = createWriter({ ...connection, sync: async () => Promise.reject(failure) });
    const outcomes = await Promise.allSettled([
      writer.write(() => 1, {}),
      writer.write(() => 2, { durability: "disk" }),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: failure },
    ]);
  });
});
