// Keyed values: what every store holds.

import { describe, expect, it } from "vitest";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  2 ** 53,
  "",
  "text with \" ' \\ \n and \u0000",
  "\u{1F600} \uD800 half",
  [],
  {},
  [[1, [2, [3]]], { a: { b: null } }],
  { "": 1, __proto__x: 2, "a.b": 3, ключ: "значение" },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  "x".repeat(1_000_000),
];

export function describeKv(driver: StoreDriver): void {
  const bench = useStore(driver);
  const place = { space: "space", key: "key" };

  it.each(VALUES.map((value, index) => [index, value]))(
    "gives value %i back equal",
    async (_, value) => {
      const { store } = bench();
      await store.kv.put({ ...place, value });
      expect((await store.kv.get(place))?.value).toEqual(value);
    },
  );

  it("leaves properties out that are undefined", async () => {
    const { store } = bench();
    await store.kv.put({ ...place, value: { a: 1, b: undefined } });
    expect((await store.kv.get(place))?.value).toStrictEqual({ a: 1 });
  });

  it("knows nothing of what was never put", async () => {
    const { store } = bench();
    await store.kv.put({ ...place, value: 1 });
    expect(await store.kv.get({ space: "space", key: "KEY" })).toBeUndefined();
    expect(await store.kv.get({ space: "other", key: "key" })).toBeUndefined();
  });

  it("replaces a value under a larger revision", async () => {
    const { store } = bench();
    const first = await store.kv.put({ ...place, value: 1 });
    const second = await store.kv.put({ ...place, value: 2 });
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(await store.kv.get(place)).toEqual({
      key: "key",
      value: 2,
      revision: second.revision,
      expiresAtMs: undefined,
    });
  });

  it("writes only over the revision that is expected", async () => {
    const { store } = bench();
    const { revision } = await store.kv.put({ ...place, value: 1, expectRevision: 0 });
    const stale = [0, revision - 1, revision + 1].filter((value) => value >= 0);
    for (const expectRevision of stale) {
      const refused = store.kv.put({ ...place, value: "lost", expectRevision });
      expect(await refusalOf(refused)).toBe("conflict/revision_mismatch");
      const kept = store.kv.delete({ ...place, expectRevision });
      expect(await refusalOf(kept)).toBe("conflict/revision_mismatch");
    }
    await store.kv.put({ ...place, value: 2, expectRevision: revision });
    expect((await store.kv.get(place))?.value).toBe(2);
  });

  it("says in a refusal which revision is there", async () => {
    const { store } = bench();
    const { revision } = await store.kv.put({ ...place, value: 1 });
    await expect(store.kv.put({ ...place, value: 2, expectRevision: 0 })).rejects.toMatchObject({
      details: { revision },
    });
  });

  it("deletes, tells whether something was there, and never uses a revision again", async () => {
    const { store } = bench();
    const { revision } = await store.kv.put({ ...place, value: 1 });
    expect(await store.kv.delete({ ...place, expectRevision: revision })).toBe(true);
    expect(await store.kv.delete(place)).toBe(false);
    expect(await store.kv.get(place)).toBeUndefined();
    const again = await store.kv.put({ ...place, value: 1, expectRevision: 0 });
    expect(again.revision).toBeGreaterThan(revision);
  });

  it("lets exactly one of many writers win over one revision", async () => {
    const { store } = bench();
    let { revision } = await store.kv.put({ ...place, value: 0 });
    for (let round = 1; round <= 10; round++) {
      const tries = Array.from({ length: 16 }, (_, writer) =>
        store.kv.put({ ...place, value: { round, writer }, expectRevision: revision }),
      );
      const outcomes = await Promise.allSettled(tries);
      const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
      expect(won).toHaveLength(1);
      revision = won[0]?.value.revision ?? 0;
    }
  });

  describe("list", () => {
    const KEYS = [
      "a",
      "a/",
      "a/1",
      "a/10",
      "a/2",
      "b",
      "a\u{10FFFF}",
      "a\u{10FFFF}z",
      "\uFF5E",
      "😀",
    ];

    it("gives all keys in the order of their code points", async () => {
      const { store } = bench();
      for (const key of KEYS) await store.kv.put({ space: "space", key, value: key });
      await store.kv.put({ space: "spac", key: "a", value: "other space" });
      const { entries, next } = await store.kv.list({ space: "space" });
      const sorted = [...KEYS].sort((left, right) =>
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      );
      expect(entries.map(({ key }) => key)).toEqual(sorted);
      expect(entries.map(({ value }) => value)).toEqual(sorted);
      expect(next).toBeUndefined();
    });

    it.each(["a/", "a/1", "a", "a\u{10FFFF}", "\u{10FFFF}", "zzz", "%", "_"])(
      "gives the keys that begin with %j and no others",
      async (prefix) => {
        const { store } = bench();
        for (const key of KEYS) await store.kv.put({ space: "space", key, value: null });
        const { entries } = await store.kv.list({ space: "space", prefix });
        const wanted = KEYS.filter((key) => key.startsWith(prefix));
        expect(entries.map(({ key }) => key).sort()).toEqual(wanted.sort());
      },
    );

    it.each([1, 2, 3, 7, 25, 26])("pages by %i and misses none", async (limit) => {
      const { store } = bench();
      const keys = Array.from({ length: 25 }, (_, index) => `p/${String(index).padStart(3, "0")}`);
      for (const key of [...keys, "o", "q"]) await store.kv.put({ space: "space", key, value: 1 });
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await store.kv.list({ space: "space", prefix: "p/", limit, after });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        seen.push(...page.entries.map(({ key }) => key));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(keys);
    });

    it("ends a page early rather than make it huge, and goes on from there", async () => {
      const { store } = bench();
      const value = "x".repeat(12 * 1024 * 1024);
      for (const key of ["1", "2", "3"]) await store.kv.put({ space: "space", key, value });
      const first = await store.kv.list({ space: "space" });
      const rest =
        first.next === undefined
          ? []
          : (await store.kv.list({ space: "space", after: first.next })).entries;
      expect([...first.entries, ...rest].map(({ key }) => key)).toEqual(["1", "2", "3"]);
    });
  });

  describe("expiry", () => {
    it("keeps a value until its time is over, not longer", async () => {
      const { store, clock } = bench();
      await store.kv.put({ ...place, value: 1, ttlMs: 1_000 });
      clock.advance(999);
      expect(await store.kv.get(place)).toMatchObject({ expiresAtMs: clock.now() + 1 });
      clock.advance(1);
      expect(await store.kv.get(place)).toBeUndefined();
      expect((await store.kv.list({ space: "space" })).entries).toEqual([]);
      expect(await store.kv.delete(place)).toBe(false);
    });

    it("takes the place of what has expired as free", async () => {
      const { store, clock } = bench();
      const { revision } = await store.kv.put({ ...place, value: 1, ttlMs: 10 });
      clock.advance(10);
      const stale = store.kv.put({ ...place, value: 2, expectRevision: revision });
      expect(await refusalOf(stale)).toBe("conflict/revision_mismatch");
      const again = await store.kv.put({ ...place, value: 3, expectRevision: 0 });
      expect(again.revision).toBeGreaterThan(revision);
    });

    it("forgets an earlier time when a value is put without one", async () => {
      const { store, clock } = bench();
      await store.kv.put({ ...place, value: 1, ttlMs: 10 });
      await store.kv.put({ ...place, value: 2 });
      clock.advance(100);
      expect((await store.kv.get(place))?.value).toBe(2);
    });
  });
}
