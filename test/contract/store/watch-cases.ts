// Hints about changes, and the clock of the store: what every store holds.

import { expect, it, vi } from "vitest";
import type { StoreOperation, StoreTopic } from "../../../src/core/index.js";
import { eventually } from "../../fakes/eventually.js";
import { type StoreDriver, useStore } from "./driver.js";

export function describeWatch(driver: StoreDriver): void {
  const bench = useStore(driver);
  const space = "space";

  it("gives a hint for each topic that a write changes, and none for another", async () => {
    const { store } = bench();
    const heard: string[] = [];
    const watch = (topic: StoreTopic) => store.watch(topic, () => heard.push(topic.kind));
    watch({ kind: "kv", space });
    watch({ kind: "log", stream: "stream" });
    watch({ kind: "queue", queue: "queue" });
    watch({ kind: "lease", name: "lease" });
    // A store that other processes can write hints once at the start, when it has looked.
    if (driver.durable) await eventually(() => expect(heard).toHaveLength(4));
    heard.length = 0;
    await store.kv.put({ space: "other", key: "a", value: 1 });
    await store.kv.put({ space, key: "a", value: 1 });
    await store.log.append({ stream: "stream", records: [1] });
    await store.queue.push({ queue: "queue", value: 1 });
    await store.lease.acquire({ name: "lease", holder: "me", ttlMs: 10 });
    await eventually(() => expect(heard).toEqual(["kv", "log", "queue", "lease"]));
    heard.length = 0;
    const operations: StoreOperation[] = [
      { kind: "kv.put", space, key: "b", value: 1 },
      { kind: "kv.put", space, key: "c", value: 1 },
      { kind: "queue.push", queue: "queue", value: 2 },
    ];
    await store.transact(operations);
    await eventually(() => expect(heard).toEqual(["kv", "queue"]));
  });

  it("gives no hint for a write that is refused, nor after the watch is closed", async () => {
    const { store } = bench();
    const onChange = vi.fn();
    const other = vi.fn();
    const watching = store.watch({ kind: "kv", space }, onChange);
    store.watch({ kind: "kv", space }, other);
    if (driver.durable) await eventually(() => expect(other).toHaveBeenCalled());
    onChange.mockClear();
    const refused = store.kv.put({ space, key: "a", value: 1, expectRevision: 7 });
    await expect(refused).rejects.toThrow();
    expect(onChange).not.toHaveBeenCalled();
    watching.close();
    other.mockClear();
    await store.kv.put({ space, key: "a", value: 1 });
    await eventually(() => expect(other).toHaveBeenCalledOnce());
    expect(onChange).not.toHaveBeenCalled();
  });

  it.runIf(driver.durable)("gives a hint for a write through another connection", async () => {
    const { store, reopen } = bench();
    const onChange = vi.fn();
    store.watch({ kind: "log", stream: "stream" }, onChange);
    await eventually(() => expect(onChange).toHaveBeenCalledOnce());
    await reopen().log.append({ stream: "stream", records: [1] });
    await eventually(() => expect(onChange).toHaveBeenCalledTimes(2));
  });

  it("tells the time by which it counts", async () => {
    const { store, clock } = bench();
    const before = await store.now();
    clock.advance(250);
    expect([before, await store.now()]).toEqual([clock.now() - 250, clock.now()]);
  });
}
