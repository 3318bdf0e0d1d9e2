// What holds for a store as a whole: several writes as one, limits, expiry, abort, close.

import { describe, expect, it } from "vitest";
import type { Store, StoreOperation } from "../../../src/core/index.js";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

const MEBIBYTE = 1024 * 1024;
const place = { space: "space", key: "key" };

type Call = (store: Store, name: string) => Promise<unknown>;

/** Every call that takes a name, with the name in its place. */
const NAMED: Readonly<Record<string, Call>> = {
  "kv space": (store, name) => store.kv.get({ space: name, key: "k" }),
  "kv key": (store, name) => store.kv.put({ space: "s", key: name, value: 1 }),
  "kv delete": (store, name) => store.kv.delete({ space: "s", key: name }),
  "kv list": (store, name) => store.kv.list({ space: name }),
  "log stream": (store, name) => store.log.append({ stream: name, records: [1] }),
  "log read": (store, name) => store.log.read({ stream: name }),
  lease: (store, name) => store.lease.acquire({ name, holder: "h", ttlMs: 1 }),
  "lease holder": (store, name) => store.lease.acquire({ name: "n", holder: name, ttlMs: 1 }),
  "lease read": (store, name) => store.lease.read(name),
  queue: (store, name) => store.queue.push({ queue: name, value: 1 }),
  "queue claim": (store, name) => store.queue.claim({ queue: name, visibilityMs: 1 }),
  transact: (store, name) => store.transact([{ kind: "kv.delete", space: name, key: "k" }]),
};

const BAD_NAMES = ["", "a\0b", "\0", "half \uD800", "\uDC00", "x".repeat(1_025), "é".repeat(513)];
const GOOD_NAMES = [
  "..",
  "a/b",
  "CON",
  "' OR 1=1 --",
  "\n",
  "x".repeat(1_024),
  "é".repeat(512),
  "😀",
];

export function describeWhole(driver: StoreDriver): void {
  const bench = useStore(driver);

  describe("transact", () => {
    const operations: readonly StoreOperation[] = [
      { kind: "kv.put", ...place, value: "new" },
      { kind: "log.append", stream: "stream", records: [1, 2] },
      { kind: "queue.push", queue: "queue", value: "job" },
      { kind: "kv.delete", space: "space", key: "gone" },
    ];

    it("gives one outcome for each operation, those of the single calls", async () => {
      const { store } = bench();
      await store.kv.put({ space: "space", key: "gone", value: 1 });
      const [put, append, push, remove] = await store.transact(operations);
      expect(put).toEqual({ revision: (await store.kv.get(place))?.revision });
      expect(append).toEqual({ firstSequence: 1, lastSequence: 2 });
      expect(push?.id).toMatch(/./);
      expect(remove).toEqual({ wasThere: true });
    });

    it("writes nothing when a checked revision is another", async () => {
      const { store } = bench();
      const { revision } = await store.kv.put({ ...place, value: 1 });
      const check = { kind: "kv.check", ...place } as const;
      const append = { kind: "log.append", stream: "checked", records: [1] } as const;
      const other = store.transact([{ ...check, expectRevision: revision + 1 }, append]);
      expect(await refusalOf(other)).toMatch(/revision_mismatch/);
      expect((await store.log.read({ stream: "checked" })).records).toEqual([]);
      await store.transact([{ ...check, expectRevision: revision }, append]);
      expect((await store.log.read({ stream: "checked" })).records).toHaveLength(1);
    });

    it("gives a delivery back to others", async () => {
      const { store } = bench();
      await store.queue.push({ queue: "in", value: "order" });
      const [order] = await store.queue.claim({ queue: "in", visibilityMs: 60_000 });
      const receipt = order?.receipt ?? "";
      await store.transact([{ kind: "queue.release", queue: "in", receipt }]);
      const [again] = await store.queue.claim({ queue: "in", visibilityMs: 1_000 });
      expect(again).toMatchObject({ value: "order", attempt: 2 });
    });

    it("does all its operations", async () => {
      const { store } = bench();
      await store.kv.put({ space: "space", key: "gone", value: 1 });
      await store.queue.push({ queue: "in", value: "order" });
      const [order] = await store.queue.claim({ queue: "in", visibilityMs: 1_000 });
      const { token } = await store.lease.acquire({ name: "lease", holder: "me", ttlMs: 1_000 });
      await store.transact([
        { kind: "lease.check", name: "lease", token },
        ...operations,
        { kind: "queue.acknowledge", queue: "in", receipt: order?.receipt ?? "" },
      ]);
      expect((await store.kv.get(place))?.value).toBe("new");
      expect((await store.log.read({ stream: "stream" })).records).toHaveLength(2);
      expect(await store.queue.claim({ queue: "queue", visibilityMs: 1 })).toHaveLength(1);
      expect(await store.kv.get({ space: "space", key: "gone" })).toBeUndefined();
    });

    const refusing: ReadonlyArray<readonly [string, StoreOperation]> = [
      ["revision_mismatch", { kind: "kv.put", space: "s", key: "k", value: 1, expectRevision: 7 }],
      ["revision_mismatch", { kind: "kv.delete", space: "s", key: "k", expectRevision: 7 }],
      ["sequence_mismatch", { kind: "log.append", stream: "s", records: [1], expectLast: 7 }],
      ["receipt_stale", { kind: "queue.acknowledge", queue: "queue", receipt: "1.1" }],
      ["lease_lost", { kind: "lease.check", name: "lease", token: 7 }],
    ];
    it.each(refusing)("does nothing when one is refused with %s", async (reason, refused) => {
      const { store } = bench();
      await store.kv.put({ space: "space", key: "gone", value: 1 });
      const call = store.transact([...operations, refused]);
      const beside = store.kv.put({ space: "space", key: "beside", value: 1 });
      expect(await refusalOf(call)).toBe(`conflict/${reason}`);
      await beside;
      expect(await store.kv.get(place)).toBeUndefined();
      expect((await store.log.read({ stream: "stream" })).records).toEqual([]);
      expect(await store.queue.claim({ queue: "queue", visibilityMs: 1 })).toEqual([]);
      expect(await store.kv.get({ space: "space", key: "gone" })).toBeDefined();
      expect(await store.kv.get({ space: "space", key: "beside" })).toBeDefined();
      for (const sequence of [1, 2]) {
        const append = await store.log.append({ stream: "stream", records: [sequence] });
        expect(append.firstSequence).toBe(sequence);
      }
      expect((await store.log.read({ stream: "stream" })).records).toHaveLength(2);
    });

    it("sees in a later operation what an earlier one did", async () => {
      const { store } = bench();
      await store.transact([
        { kind: "log.append", stream: "stream", records: [1] },
        { kind: "log.append", stream: "stream", records: [2], expectLast: 1 },
      ]);
      expect((await store.log.read({ stream: "stream" })).records).toHaveLength(2);
    });
  });

  describe("names", () => {
    it.each(Object.entries(NAMED))(
      "of %s are refused when they cannot be kept",
      async (_, call) => {
        const { store } = bench();
        for (const name of BAD_NAMES) {
          expect(await refusalOf(call(store, name))).toBe("invalid_input/name_invalid");
        }
      },
    );

    it.each(GOOD_NAMES.map((name) => [name.slice(0, 20), name]))("may be %j", async (_, name) => {
      const { store } = bench();
      for (const call of Object.values(NAMED)) await call(store, name);
      expect((await store.kv.get({ space: "s", key: name }))?.value).toBeUndefined();
      await store.kv.put({ space: name, key: name, value: name });
      expect((await store.kv.get({ space: name, key: name }))?.value).toBe(name);
    });
  });

  describe("limits", () => {
    const hole: unknown[] = [];
    hole.length = 1;
    const circle: unknown[] = [];
    circle.push(circle);
    const deep: unknown = JSON.parse(`${"[".repeat(257)}${"]".repeat(257)}`);
    const values: ReadonlyArray<readonly [string, unknown]> = [
      ["undefined", undefined],
      ["a function", () => 1],
      ["a symbol", Symbol("s")],
      ["a bigint", 1n],
      ["NaN", Number.NaN],
      ["Infinity", [Number.POSITIVE_INFINITY]],
      ["a date", new Date()],
      ["a map", { map: new Map() }],
      ["bytes", Buffer.from("x")],
      ["a hole", hole],
      ["undefined in a list", [undefined]],
      ["a circle", circle],
      ["deep nesting", deep],
    ];
    it.each(values)("a value that is %s is refused", async (_, value) => {
      const { store } = bench();
      const calls = [
        store.kv.put({ ...place, value }),
        store.log.append({ stream: "s", records: [1, value] }),
        store.queue.push({ queue: "q", value }),
      ];
      for (const call of calls) expect(await refusalOf(call)).toBe("invalid_input/value_not_json");
      expect((await store.log.read({ stream: "s" })).records).toEqual([]);
    });

    it("a record of 16 MiB is taken, a larger one refused", async () => {
      const { store } = bench();
      const value = "x".repeat(16 * MEBIBYTE - 2);
      await store.kv.put({ ...place, value });
      expect((await store.kv.get(place))?.value === value).toBe(true);
      const larger = [`${value}y`, [`${value}`], { [value]: 1 }, "é".repeat(8 * MEBIBYTE)];
      for (const item of larger) {
        const refused = store.kv.put({ ...place, value: item });
        expect(await refusalOf(refused)).toBe("limit/record_too_large");
      }
    });

    it("a write of more than 64 MiB is refused", async () => {
      const { store } = bench();
      const record = "x".repeat(15 * MEBIBYTE);
      const records = Array.from({ length: 5 }, () => record);
      const append = store.log.append({ stream: "s", records });
      expect(await refusalOf(append)).toBe("limit/write_too_large");
      const operations = records.map(
        (value, index): StoreOperation => ({ kind: "kv.put", space: "s", key: `${index}`, value }),
      );
      expect(await refusalOf(store.transact(operations))).toBe("limit/write_too_large");
    });

    const requests: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
      "no records": (store) => store.log.append({ stream: "s", records: [] }),
      "1,001 records": (store) =>
        store.log.append({ stream: "s", records: Array.from({ length: 1_001 }, () => 1) }),
      "no operations": (store) => store.transact([]),
      "a page of 1,001": (store) => store.kv.list({ space: "s", limit: 1_001 }),
      "a page of 0": (store) => store.log.read({ stream: "s", limit: 0 }),
      "a page of half": (store) => store.log.readLast({ stream: "s", limit: 0.5 }),
      "a claim of 101": (store) => store.queue.claim({ queue: "q", visibilityMs: 1, limit: 101 }),
      "no visibility": (store) => store.queue.claim({ queue: "q", visibilityMs: 0 }),
      "a time to live of 0": (store) => store.kv.put({ ...place, value: 1, ttlMs: 0 }),
      "an endless time to live": (store) =>
        store.lease.acquire({ name: "n", holder: "h", ttlMs: Number.POSITIVE_INFINITY }),
      "a delay below 0": (store) => store.queue.push({ queue: "q", value: 1, delayMs: -1 }),
      "a revision below 0": (store) => store.kv.put({ ...place, value: 1, expectRevision: -1 }),
      "a number that is none": (store) => store.log.read({ stream: "s", after: Number.NaN }),
    };
    it.each(Object.entries(requests))("a request with %s is refused", async (_, call) => {
      const refusal = await refusalOf(call(bench().store));
      expect(["invalid_input/number_invalid", "invalid_input/request_invalid"]).toContain(refusal);
    });
  });

  it("sweeps what has expired, and only that", async () => {
    const { store, clock } = bench();
    const puts = Array.from({ length: 1_200 }, (_, index) =>
      store.kv.put({ space: "space", key: `${index}`, value: 1, ttlMs: 10 }),
    );
    await Promise.all(puts);
    await store.kv.put({ ...place, value: 1 });
    await store.queue.push({ queue: "queue", value: 1, ttlMs: 10 });
    await store.queue.push({ queue: "queue", value: 2 });
    await store.lease.acquire({ name: "lease", holder: "me", ttlMs: 10 });
    expect(await store.sweep()).toBe(0);
    clock.advance(10);
    expect(await store.sweep()).toBe(1_202);
    expect(await store.sweep()).toBe(0);
    expect(await store.kv.get(place)).toBeDefined();
    expect(await store.queue.claim({ queue: "queue", visibilityMs: 1 })).toHaveLength(1);
  });

  it("gives a write up whose caller has aborted before", async () => {
    const { store } = bench();
    const signal = AbortSignal.abort();
    const calls = [
      store.kv.put({ ...place, value: 1, signal }),
      store.log.append({ stream: "stream", records: [1], signal }),
      store.transact([{ kind: "kv.put", ...place, value: 1 }], { signal }),
    ];
    for (const call of calls) expect(await refusalOf(call)).toBe("aborted/undefined");
    expect(await store.kv.get(place)).toBeUndefined();
  });

  it("takes both durabilities and no third", async () => {
    const { store } = bench();
    await store.kv.put({ ...place, value: 1, durability: "disk" });
    await store.kv.put({ ...place, value: 2, durability: "process" });
    await store.sync();
    const third: unknown = { ...place, value: 3, durability: "soon" };
    // A caller without types may say anything.
    const refused = store.kv.put(third as Parameters<Store["kv"]["put"]>[0]);
    expect(await refusalOf(refused)).toBe("invalid_input/request_invalid");
    expect((await store.kv.get(place))?.value).toBe(2);
  });

  it("ends what was begun when it is closed, and refuses what comes later", async () => {
    const { store } = bench();
    const begun = [
      store.kv.put({ ...place, value: 1, durability: "disk" }),
      store.log.append({ stream: "stream", records: [1] }),
    ];
    await store.close();
    await Promise.all(begun);
    const calls = [
      store.kv.get(place),
      store.kv.put({ ...place, value: 2 }),
      store.kv.list({ space: "space" }),
      store.log.append({ stream: "stream", records: [1] }),
      store.log.read({ stream: "stream" }),
      store.lease.read("lease"),
      store.queue.claim({ queue: "queue", visibilityMs: 1 }),
      store.transact([{ kind: "kv.delete", ...place }]),
      store.sweep(),
      store.sync(),
    ];
    for (const call of calls) expect(await refusalOf(call)).toBe("unavailable/store_closed");
    await store.close();
  });
}
