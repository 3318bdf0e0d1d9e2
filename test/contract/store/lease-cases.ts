// Leases: what every store holds.

import { expect, it } from "vitest";
import { refusalOf, type StoreDriver, useStore } from "./driver.js";

export function describeLease(driver: StoreDriver): void {
  const bench = useStore(driver);
  const wanted = { name: "lease", holder: "first", ttlMs: 1_000 };

  it("is held by one, who is named to the others, until it is released", async () => {
    const { store, clock } = bench();
    const lease = await store.lease.acquire(wanted);
    expect(lease).toMatchObject({
      name: "lease",
      holder: "first",
      expiresAtMs: clock.now() + 1_000,
    });
    const other = store.lease.acquire({ ...wanted, holder: "second" });
    await expect(other).rejects.toMatchObject({
      code: "conflict",
      reason: "lease_held",
      details: { holder: "first", expiresAtMs: lease.expiresAtMs },
    });
    expect(await refusalOf(store.lease.acquire(wanted))).toBe("conflict/lease_held");
    expect(await store.lease.read("lease")).toEqual(lease);
    expect(await store.lease.release(lease)).toBe(true);
    expect(await store.lease.read("lease")).toBeUndefined();
    expect(await store.lease.release(lease)).toBe(false);
    await store.lease.acquire({ ...wanted, holder: "second" });
  });

  it("goes to exactly one of many who want it at once", async () => {
    const { store } = bench();
    const tries = Array.from({ length: 16 }, (_, index) =>
      store.lease.acquire({ ...wanted, holder: `holder ${index}` }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("ends by itself when it is not renewed", async () => {
    const { store, clock } = bench();
    const lease = await store.lease.acquire(wanted);
    clock.advance(999);
    expect(await store.lease.read("lease")).toEqual(lease);
    clock.advance(1);
    expect(await store.lease.read("lease")).toBeUndefined();
    expect(await refusalOf(store.lease.renew({ ...lease, ttlMs: 1 }))).toBe("conflict/lease_lost");
    expect(await store.lease.release(lease)).toBe(false);
  });

  it("lasts on when it is renewed, under the same token", async () => {
    const { store, clock } = bench();
    const lease = await store.lease.acquire(wanted);
    clock.advance(900);
    const renewed = await store.lease.renew({ ...lease, ttlMs: 1_000 });
    expect(renewed).toEqual({ ...lease, expiresAtMs: clock.now() + 1_000 });
    clock.advance(900);
    expect(await store.lease.read("lease")).toEqual(renewed);
  });

  it("gives tokens that only grow, over release, expiry and other names", async () => {
    const { store, clock } = bench();
    const tokens: number[] = [];
    for (let round = 0; round < 5; round++) {
      const lease = await store.lease.acquire(wanted);
      const other = await store.lease.acquire({ ...wanted, name: `other ${round}` });
      tokens.push(lease.token, other.token);
      if (round % 2 === 0) await store.lease.release(lease);
      else clock.advance(1_000);
      await store.sweep();
    }
    const sorted = [...new Set(tokens)].sort((left, right) => left - right);
    expect(tokens).toEqual(sorted);
  });

  it("is lost to the earlier holder when another has it", async () => {
    const { store, clock } = bench();
    const old = await store.lease.acquire(wanted);
    clock.advance(1_000);
    const current = await store.lease.acquire({ ...wanted, holder: "second" });
    expect(await refusalOf(store.lease.renew({ ...old, ttlMs: 1 }))).toBe("conflict/lease_lost");
    expect(await store.lease.release(old)).toBe(false);
    expect(await store.lease.read("lease")).toEqual(current);
  });

  it("fences the writes of a holder that has lost it", async () => {
    const { store, clock } = bench();
    const place = { space: "space", key: "key" };
    const writeAs = (token: number, value: string) =>
      store.transact([
        { kind: "lease.check", name: "lease", token },
        { kind: "kv.put", ...place, value },
      ]);
    const old = await store.lease.acquire(wanted);
    await writeAs(old.token, "old");
    clock.advance(1_000);
    expect(await refusalOf(writeAs(old.token, "expired"))).toBe("conflict/lease_lost");
    const current = await store.lease.acquire({ ...wanted, holder: "second" });
    expect(await refusalOf(writeAs(old.token, "stale"))).toBe("conflict/lease_lost");
    expect((await store.kv.get(place))?.value).toBe("old");
    await writeAs(current.token, "new");
    expect((await store.kv.get(place))?.value).toBe("new");
  });
}
