// Queues: what every store holds.

import { expect, it } from "vitest";
import type { QueueEntry } from "../../../src/core/index.js";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

const valuesOf = (entries: readonly QueueEntry[]) => entries.map(({ value }) => value);

function only(entries: readonly QueueEntry[]): QueueEntry {
  const [entry, ...rest] = entries;
  if (entry === undefined || rest.length > 0) throw new Error(`${entries.length} entries, not one`);
  return entry;
}

export function describeQueue(driver: StoreDriver): void {
  const bench = useStore(driver);
  const queue = "queue";
  const claim = { queue, visibilityMs: 1_000 };

  it("gives entries out in the order in which they came, each to one", async () => {
    const { store } = bench();
    for (const value of ["a", "b", "c"]) await store.queue.push({ queue, value });
    await store.queue.push({ queue: "other", value: "not this" });
    expect(valuesOf(await store.queue.claim(claim))).toEqual(["a"]);
    expect(valuesOf(await store.queue.claim({ ...claim, limit: 10 }))).toEqual(["b", "c"]);
    expect(await store.queue.claim({ ...claim, limit: 10 })).toEqual([]);
  });

  it("gives each entry to one of many who claim at once", async () => {
    const { store } = bench();
    const values = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(values.map((value) => store.queue.push({ queue, value })));
    const claimed = await Promise.all(values.map(() => store.queue.claim({ ...claim, limit: 3 })));
    expect(valuesOf(claimed.flat())).toEqual(values);
  });

  it("tells of an entry what a worker must know", async () => {
    const { store, clock } = bench();
    const pushedAtMs = clock.now();
    const { id } = await store.queue.push({ queue, value: { job: 1 } });
    clock.advance(50);
    expect(only(await store.queue.claim(claim))).toEqual({
      id,
      receipt: expect.any(String),
      value: { job: 1 },
      attempt: 1,
      pushedAtMs,
      visibleAtMs: clock.now() + 1_000,
    });
  });

  it("removes what is acknowledged, once", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: 1 });
    const { receipt } = only(await store.queue.claim(claim));
    await store.queue.acknowledge({ queue, receipt });
    expect(await refusalOf(store.queue.acknowledge({ queue, receipt }))).toBe(
      "conflict/receipt_stale",
    );
    clock.advance(10_000);
    expect(await store.queue.claim(claim)).toEqual([]);
  });

  it("gives out again what is not acknowledged in time, and counts", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "job" });
    const receipts = new Set<string>();
    for (let attempt = 1; attempt <= 4; attempt++) {
      const entry = only(await store.queue.claim(claim));
      expect(entry).toMatchObject({ value: "job", attempt });
      receipts.add(entry.receipt);
      clock.advance(999);
      expect(await store.queue.claim(claim)).toEqual([]);
      clock.advance(1);
    }
    expect(receipts.size).toBe(4);
  });

  it("refuses the receipt of an earlier delivery", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "job" });
    const late = only(await store.queue.claim(claim));
    clock.advance(1_000);
    const current = only(await store.queue.claim(claim));
    for (const call of [store.queue.acknowledge, store.queue.release]) {
      expect(await refusalOf(call({ queue, receipt: late.receipt }))).toBe(
        "conflict/receipt_stale",
      );
    }
    await store.queue.acknowledge({ queue, receipt: current.receipt });
  });

  it("takes a late acknowledgement while nobody else has the entry", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "job" });
    const { receipt } = only(await store.queue.claim(claim));
    clock.advance(5_000);
    await store.queue.acknowledge({ queue, receipt });
    expect(await store.queue.claim(claim)).toEqual([]);
  });

  it("hides an entry for longer, for whoever has it", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "job" });
    const { receipt } = only(await store.queue.claim(claim));
    clock.advance(900);
    const extended = await store.queue.extend({ queue, receipt, visibilityMs: 1_000 });
    expect(extended).toEqual({ visibleAtMs: clock.now() + 1_000 });
    clock.advance(999);
    expect(await store.queue.claim(claim)).toEqual([]);
    clock.advance(1);
    const next = only(await store.queue.claim(claim));
    expect(next.attempt).toBe(2);
    const late = store.queue.extend({ queue, receipt, visibilityMs: 1_000 });
    expect(await refusalOf(late)).toBe("conflict/receipt_stale");
    await store.queue.acknowledge({ queue, receipt: next.receipt });
  });

  it("takes a released entry back, at once or after a while, and its receipt is used up", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "job" });
    const first = only(await store.queue.claim(claim));
    await store.queue.release({ queue, receipt: first.receipt });
    expect(await refusalOf(store.queue.acknowledge({ queue, receipt: first.receipt }))).toBe(
      "conflict/receipt_stale",
    );
    const second = only(await store.queue.claim(claim));
    expect(second.attempt).toBe(2);
    await store.queue.release({ queue, receipt: second.receipt, delayMs: 5_000 });
    clock.advance(4_999);
    expect(await store.queue.claim(claim)).toEqual([]);
    clock.advance(1);
    expect(only(await store.queue.claim(claim)).attempt).toBe(3);
  });

  it.each(["", "0.0", "1.1", "1", "99999999999999999999.1", "1.1 OR 1=1", "х.у"])(
    "refuses %j, which is no receipt of an entry",
    async (receipt) => {
      const { store } = bench();
      await store.queue.push({ queue, value: "job" });
      const reason = await refusalOf(store.queue.acknowledge({ queue, receipt }));
      expect(["conflict/receipt_stale", "invalid_input/name_invalid"]).toContain(reason);
      expect(await store.queue.claim(claim)).toHaveLength(1);
    },
  );

  it("refuses a receipt in another queue", async () => {
    const { store } = bench();
    await store.queue.push({ queue, value: "job" });
    const { receipt } = only(await store.queue.claim(claim));
    const refused = store.queue.acknowledge({ queue: "other", receipt });
    expect(await refusalOf(refused)).toBe("conflict/receipt_stale");
  });

  it("holds a delayed entry back, and orders by when entries became available", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "later", delayMs: 100 });
    await store.queue.push({ queue, value: "now" });
    clock.advance(99);
    expect(valuesOf(await store.queue.claim({ ...claim, limit: 5 }))).toEqual(["now"]);
    clock.advance(1);
    expect(valuesOf(await store.queue.claim({ ...claim, limit: 5 }))).toEqual(["later"]);
  });

  it("drops an entry whose time is over, claimed or not", async () => {
    const { store, clock } = bench();
    await store.queue.push({ queue, value: "a", ttlMs: 500 });
    await store.queue.push({ queue, value: "b", ttlMs: 500 });
    const { receipt } = only(await store.queue.claim(claim));
    clock.advance(500);
    expect(await store.queue.claim(claim)).toEqual([]);
    expect(await refusalOf(store.queue.acknowledge({ queue, receipt }))).toBe(
      "conflict/receipt_stale",
    );
  });
}
