// Append-only logs: what every store holds.

import { expect, it } from "vitest";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

const valuesOf = (records: readonly { readonly value: unknown }[]) =>
  records.map(({ value }) => value);
const sequencesOf = (records: readonly { readonly sequence: number }[]) =>
  records.map(({ sequence }) => sequence);
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

export function describeLog(driver: StoreDriver): void {
  const bench = useStore(driver);
  const stream = "stream";

  it("numbers records from 1 on, without gaps, each stream by itself", async () => {
    const { store } = bench();
    expect(await store.log.append({ stream, records: ["a"] })).toEqual({
      firstSequence: 1,
      lastSequence: 1,
    });
    await store.log.append({ stream: "other", records: [1, 2] });
    expect(await store.log.append({ stream, records: ["b", "c"] })).toEqual({
      firstSequence: 2,
      lastSequence: 3,
    });
    const { records, next } = await store.log.read({ stream });
    expect(valuesOf(records)).toEqual(["a", "b", "c"]);
    expect(sequencesOf(records)).toEqual([1, 2, 3]);
    expect(next).toBeUndefined();
    expect(valuesOf((await store.log.read({ stream: "other" })).records)).toEqual([1, 2]);
  });

  it("notes when a record was appended", async () => {
    const { store, clock } = bench();
    await store.log.append({ stream, records: [1] });
    clock.advance(5);
    await store.log.append({ stream, records: [2] });
    const { records } = await store.log.read({ stream });
    expect(records.map(({ atMs }) => atMs)).toEqual([clock.now() - 5, clock.now()]);
  });

  it("has nothing in a stream that was never written", async () => {
    const { store } = bench();
    expect(await store.log.read({ stream })).toEqual({ records: [], next: undefined });
    expect(await store.log.readLast({ stream })).toEqual({ records: [], next: undefined });
    expect(await store.log.trim({ stream, keepLast: 0 })).toBe(0);
  });

  it("reads on behind a number, oldest first", async () => {
    const { store } = bench();
    await store.log.append({ stream, records: numbers(1, 10) });
    await store.log.append({ stream: "zz", records: ["not this"] });
    const first = await store.log.read({ stream, after: 2, limit: 3 });
    expect(valuesOf(first.records)).toEqual([3, 4, 5]);
    const second = await store.log.read({ stream, after: first.next, limit: 5 });
    expect(valuesOf(second.records)).toEqual([6, 7, 8, 9, 10]);
    expect(second.next).toBeUndefined();
    for (const after of [10, 11, 2 ** 40, 2 ** 41, Number.MAX_SAFE_INTEGER]) {
      expect((await store.log.read({ stream, after })).records).toEqual([]);
    }
  });

  it("reads back from the end, newest first", async () => {
    const { store } = bench();
    await store.log.append({ stream: "aa", records: ["not this"] });
    await store.log.append({ stream, records: numbers(1, 10) });
    await store.log.append({ stream: "zz", records: ["not this"] });
    const first = await store.log.readLast({ stream, limit: 4 });
    expect(valuesOf(first.records)).toEqual([10, 9, 8, 7]);
    const second = await store.log.readLast({ stream, before: first.next, limit: 100 });
    expect(valuesOf(second.records)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
    expect((await store.log.readLast({ stream, before: 1 })).records).toEqual([]);
    const whole = await store.log.readLast({ stream, before: Number.MAX_SAFE_INTEGER });
    expect(whole.records).toHaveLength(10);
  });

  it("keeps the order of appends that are made at once", async () => {
    const { store } = bench();
    await Promise.all(
      numbers(1, 200).map((value) => store.log.append({ stream, records: [value] })),
    );
    const { records } = await store.log.read({ stream, limit: 1_000 });
    expect(valuesOf(records)).toEqual(numbers(1, 200));
    expect(sequencesOf(records)).toEqual(numbers(1, 200));
  });

  it("appends only behind the number that is expected", async () => {
    const { store } = bench();
    await store.log.append({ stream, records: [1], expectLast: 0 });
    const stale = store.log.append({ stream, records: ["lost"], expectLast: 0 });
    expect(await refusalOf(stale)).toBe("conflict/sequence_mismatch");
    await store.log.append({ stream, records: [2], expectLast: 1 });
    const tries = numbers(1, 8).map((value) =>
      store.log.append({ stream, records: [value], expectLast: 2 }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await store.log.read({ stream })).records).toHaveLength(3);
  });

  it("trims up to a number, and never uses a number again", async () => {
    const { store } = bench();
    await store.log.append({ stream: "other", records: numbers(1, 5) });
    await store.log.append({ stream, records: numbers(1, 5) });
    expect(await store.log.trim({ stream, through: 3 })).toBe(3);
    expect(sequencesOf((await store.log.read({ stream })).records)).toEqual([4, 5]);
    expect(await store.log.trim({ stream, through: 3 })).toBe(0);
    expect(await store.log.trim({ stream, through: 1_000 })).toBe(2);
    const { firstSequence } = await store.log.append({ stream, records: ["next"], expectLast: 5 });
    expect(firstSequence).toBe(6);
    expect((await store.log.read({ stream: "other" })).records).toHaveLength(5);
  });

  it("trims by number of records", async () => {
    const { store } = bench();
    await store.log.append({ stream, records: numbers(1, 10) });
    expect(await store.log.trim({ stream, keepLast: 10 })).toBe(0);
    expect(await store.log.trim({ stream, keepLast: 4 })).toBe(6);
    expect(sequencesOf((await store.log.read({ stream })).records)).toEqual([7, 8, 9, 10]);
    expect(await store.log.trim({ stream, keepLast: 0 })).toBe(4);
    expect((await store.log.append({ stream, records: [1] })).firstSequence).toBe(11);
  });

  it("trims by age", async () => {
    const { store, clock } = bench();
    await store.log.append({ stream, records: [1] });
    clock.advance(100);
    await store.log.append({ stream, records: [2] });
    clock.advance(100);
    await store.log.append({ stream, records: [3] });
    expect(await store.log.trim({ stream, maxAgeMs: 200 })).toBe(0);
    expect(await store.log.trim({ stream, maxAgeMs: 100 })).toBe(1);
    clock.advance(1_000);
    expect(await store.log.trim({ stream, maxAgeMs: 1 })).toBe(2);
  });

  it("trims what any of several bounds covers, also many records", async () => {
    const { store } = bench();
    for (let count = 0; count < 5; count++) {
      await store.log.append({ stream, records: numbers(1, 1_000) });
    }
    expect(await store.log.trim({ stream, through: 10, keepLast: 7, maxAgeMs: 1_000 })).toBe(4_993);
    expect((await store.log.read({ stream })).records).toHaveLength(7);
    expect(await store.log.trim({ stream })).toBe(0);
  });
}
