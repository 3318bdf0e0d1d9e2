// What a store that outlives its process holds: all is there when it is opened again, and several
// may have it open at once.

import { expect, it } from "vitest";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

const place = { space: "space", key: "key" };

export function describeDurability(driver: StoreDriver): void {
  const bench = useStore(driver);

  it("has everything again after it was closed and opened", async () => {
    const { store, clock, reopen } = bench();
    const { revision } = await store.kv.put({ ...place, value: { a: 1 } });
    await store.log.append({ stream: "stream", records: ["a", "b"] });
    await store.log.trim({ stream: "stream", through: 2 });
    const lease = await store.lease.acquire({ name: "lease", holder: "me", ttlMs: 1_000 });
    await store.queue.push({ queue: "queue", value: "job" });
    const [first] = await store.queue.claim({ queue: "queue", visibilityMs: 1_000 });
    await store.close();

    const again = reopen();
    expect(await again.kv.get(place)).toMatchObject({ value: { a: 1 }, revision });
    expect((await again.log.append({ stream: "stream", records: ["c"] })).firstSequence).toBe(3);
    expect(await again.lease.read("lease")).toEqual(lease);
    expect(await again.queue.claim({ queue: "queue", visibilityMs: 1_000 })).toEqual([]);
    clock.advance(1_000);
    const next = await again.lease.acquire({ name: "lease", holder: "other", ttlMs: 1_000 });
    expect(next.token).toBeGreaterThan(lease.token);
    const [second] = await again.queue.claim({ queue: "queue", visibilityMs: 1_000 });
    expect(second).toMatchObject({ id: first?.id, attempt: 2 });
    const late = again.queue.acknowledge({ queue: "queue", receipt: first?.receipt ?? "" });
    expect(await refusalOf(late)).toBe("conflict/receipt_stale");
  });

  it("shows to each what another has written, at once", async () => {
    const { store, reopen } = bench();
    const other = reopen();
    for (let round = 0; round < 20; round++) {
      await store.kv.put({ ...place, value: round });
      expect((await other.kv.get(place))?.value).toBe(round);
      await other.log.append({ stream: "stream", records: [round] });
      expect((await store.log.readLast({ stream: "stream", limit: 1 })).records[0]?.value).toBe(
        round,
      );
    }
  });

  it("loses nothing when two write at the same time", async () => {
    const { store, reopen } = bench();
    const other = reopen();
    const writers = [store, other].map(async (writer, index) => {
      for (let count = 0; count < 100; count++) {
        await writer.log.append({ stream: "stream", records: [{ index, count }] });
      }
    });
    await Promise.all(writers);
    const { records } = await store.log.read({ stream: "stream", limit: 1_000 });
    expect(records.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });
}
