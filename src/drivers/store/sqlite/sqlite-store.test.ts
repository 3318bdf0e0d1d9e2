// The store in SQLite beyond what every store holds: its files, what it refuses to open, locks of
// others, files that vanish.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { random } from "../../../../test/contract/store/sqlite-driver.js";
import { createManualClock } from "../../../../test/fakes/manual-clock.js";
import type { Store } from "../../../core/index.js";
import { createSystemClock } from "../../clock.js";
import { createSqliteStore } from "../index.js";
import { APPLICATION_ID, MIGRATIONS } from "./database.js";
import { MAX_BUSY_WAIT_MS } from "./sqlite-errors.js";

const place = { space: "space", key: "key" };
const turn = () => new Promise((resolve) => setImmediate(resolve));

let home: string;
let folder: string;
let file: string;
let stores: Store[];

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "sqlite-store-")));
  folder = join(home, "a", "state");
  file = join(folder, "state.db");
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(home, { recursive: true, force: true });
});

function open(
  options: { clock?: Parameters<typeof createSqliteStore>[0]["clock"]; maxBytes?: number } = {},
) {
  const store = createSqliteStore({ folder, clock: createSystemClock(), random, ...options });
  stores.push(store);
  return store;
}

/** A database as another program leaves it. */
function makeDatabase(sql: string): Buffer {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return readFileSync(file);
}

const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(home) ? [path] : [];
    } catch {
      // The descriptor by which the folder was listed is gone by now.
      return [];
    }
  });

describe("the files of the SQLite store", () => {
  it("are made at the first use, not before, and for this user alone", async () => {
    const store = open();
    await turn();
    expect(existsSync(join(home, "a"))).toBe(false);
    await store.kv.put({ ...place, value: 1 });
    const modes = Object.fromEntries(
      readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
    );
    expect(modes).toEqual({ "state.db": 0o600, "state.db-shm": 0o600, "state.db-wal": 0o600 });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, "a")).mode & 0o777).toBe(0o700);
  });

  it("are made private when they were not", async () => {
    makeDatabase("");
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    await open().kv.put({ ...place, value: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("are one file, and none is open, when the store is closed", async () => {
    const store = open();
    await store.log.append({ stream: "s", records: [1], durability: "disk" });
    await store.kv.list({ space: "s" });
    await store.queue.claim({ queue: "q", visibilityMs: 1 });
    expect(openFiles().length).toBeGreaterThan(2);
    await store.close();
    expect(openFiles()).toEqual([]);
    expect(readdirSync(folder)).toEqual(["state.db"]);
  });

  it("are not touched by a store that was closed without use", async () => {
    const store = open();
    await store.sync();
    await store.close();
    expect(readdirSync(home)).toEqual([]);
  });

  it("say whose they are and of which version", async () => {
    const store = open({ clock: createManualClock() });
    await store.kv.put({ ...place, value: 1 });
    await store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare("PRAGMA application_id").get()).toEqual({
      application_id: APPLICATION_ID,
    });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    expect(database.prepare("SELECT * FROM migrations").all()).toEqual([
      { version: 1, applied_at_ms: 0 },
    ]);
    database.close();
  });

  it("may be behind a link", async () => {
    await open().kv.put({ ...place, value: "behind" });
    for (const store of stores.splice(0)) await store.close();
    const link = join(home, "link");
    mkdirSync(link);
    symlinkSync(file, join(link, "state.db"));
    folder = link;
    const store = open();
    await store.kv.put({ space: "space", key: "more", value: 1, durability: "disk" });
    expect((await store.kv.get(place))?.value).toBe("behind");
    expect(readdirSync(link)).toEqual(["state.db"]);
  });

  it("may lie under any name: a path with quotes and marks works", async () => {
    folder = join(home, 'it\'s "100%" file:x?mode=memory#1');
    await open().kv.put({ ...place, value: 1 });
    expect(existsSync(join(folder, "state.db"))).toBe(true);
  });
});

describe("a database that is not opened", () => {
  it("of a later version is refused and not changed by a byte", async () => {
    const before = makeDatabase(
      `PRAGMA journal_mode = WAL; PRAGMA application_id = ${APPLICATION_ID};
       CREATE TABLE later (x); PRAGMA user_version = ${MIGRATIONS.length + 1}`,
    );
    const store = open();
    for (const call of [store.kv.get(place), store.kv.put({ ...place, value: 1 })]) {
      await expect(call).rejects.toMatchObject({ code: "unavailable", reason: "store_newer" });
    }
    await store.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["state.db"]);
  });

  it("of another program is refused and not changed by a byte", async () => {
    const before = makeDatabase("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    await expect(open().kv.get(place)).rejects.toMatchObject({ reason: "store_foreign" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("is no database at all", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, "these are the notes of somebody\n".repeat(100));
    const store = open();
    await expect(store.kv.get(place)).rejects.toMatchObject({
      code: "failed",
      reason: "store_corrupt",
    });
    expect(readFileSync(file, "utf8")).toContain("the notes of somebody");
    rmSync(file);
    await store.kv.put({ ...place, value: "begun anew" });
    expect(openFiles().filter((path) => path.includes("deleted"))).toEqual([]);
  });

  it("is damaged: the error is typed and the rest can be read", async () => {
    const writer = open();
    const text = "x".repeat(5_000);
    for (let key = 0; key < 200; key++) {
      await writer.kv.put({ space: "space", key: `${key}`, value: text });
    }
    await writer.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 8_192);
    writeFileSync(file, bytes);
    const store = open();
    const reads = Array.from({ length: 200 }, (_, key) =>
      store.kv.get({ space: "space", key: `${key}` }),
    );
    const outcomes = await Promise.allSettled(reads);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.reason] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(["store_corrupt"]));
    expect(reasons.length).toBeLessThan(100);
  });

  it("is damaged everywhere behind its first page: reads and writes say so", async () => {
    const writer = open();
    for (let key = 0; key < 20; key++) await writer.kv.put({ ...place, key: `${key}`, value: 1 });
    await writer.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 4_096));
    const damaged = { code: "failed", reason: "store_corrupt" };
    await expect(open().kv.get(place)).rejects.toMatchObject(damaged);
    await expect(open().kv.list({ space: "space" })).rejects.toMatchObject(damaged);
    await expect(open().kv.put({ ...place, value: 2 })).rejects.toMatchObject(damaged);
    await expect(open().log.append({ stream: "s", records: [1] })).rejects.toMatchObject(damaged);
  });

  it("cannot be there: its folder is a file", async () => {
    writeFileSync(join(home, "a"), "");
    await expect(open().kv.put({ ...place, value: 1 })).rejects.toMatchObject({
      code: "unavailable",
      reason: "store_unreachable",
    });
    rmSync(join(home, "a"));
    await open().kv.put({ ...place, value: 1 });
  });
});

describe("a lock of another process", () => {
  function holdLock() {
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    return () => {
      other.exec("ROLLBACK");
      other.close();
    };
  }

  it("is waited for without holding up anything else", async () => {
    const store = open();
    await store.kv.put({ ...place, value: 1 });
    const release = holdLock();
    let isDone = false;
    const write = store.kv.put({ ...place, value: 2 }).then(() => {
      isDone = true;
    });
    for (let turns = 0; turns < 50; turns++) await turn();
    expect(isDone).toBe(false);
    expect((await store.kv.get(place))?.value).toBe(1);
    release();
    await write;
    expect((await store.kv.get(place))?.value).toBe(2);
  });

  it(`is given up after ${MAX_BUSY_WAIT_MS} ms, and the store goes on afterwards`, async () => {
    const clock = createManualClock();
    const store = open({ clock });
    await store.kv.put({ ...place, value: 1 });
    const release = holdLock();
    let outcome = "";
    const write = store.kv.put({ ...place, value: 2 }).then(
      () => "done",
      (error: { reason: string }) => {
        outcome = error.reason;
      },
    );
    while (outcome === "" && clock.now() < 2 * MAX_BUSY_WAIT_MS) {
      await turn();
      clock.advance(10);
    }
    await write;
    expect(outcome).toBe("store_busy");
    expect(clock.now()).toBeGreaterThanOrEqual(MAX_BUSY_WAIT_MS);
    release();
    await store.kv.put({ ...place, value: 3 });
    expect((await store.kv.get(place))?.value).toBe(3);
  });

  it("is not waited for so long again while it lasts, though reads go through", async () => {
    const clock = createManualClock();
    const store = open({ clock });
    await store.kv.put({ ...place, value: 1 });
    let release = holdLock();
    const waits: number[] = [];
    const giveUp = async () => {
      const beganMs = clock.now();
      let isOver = false;
      const write = expect(store.kv.put({ ...place, value: 2 }))
        .rejects.toMatchObject({ reason: "store_busy" })
        .finally(() => {
          isOver = true;
        });
      while (!isOver) {
        await turn();
        clock.advance(10);
      }
      await write;
      expect((await store.kv.get(place))?.value).toBe(1);
      waits.push(clock.now() - beganMs);
    };
    await giveUp();
    await giveUp();
    await giveUp();
    expect(Math.max(...waits.slice(1))).toBeLessThan(MAX_BUSY_WAIT_MS / 10);
    release();
    await store.kv.put({ ...place, value: 1 });
    release = holdLock();
    await giveUp();
    expect(waits.at(-1)).toBeGreaterThanOrEqual(MAX_BUSY_WAIT_MS);
    release();
  });
});

describe("files that vanish under the store", () => {
  it("are made anew, and what is acknowledged afterwards is in them", async () => {
    const store = open();
    await store.kv.put({ ...place, value: "gone with its folder" });
    rmSync(folder, { recursive: true });
    await store.kv.put({ ...place, value: "kept", durability: "disk" });
    await store.log.append({ stream: "s", records: [1] });
    await store.close();
    const again = open();
    expect((await again.kv.get(place))?.value).toBe("kept");
    expect((await again.log.read({ stream: "s" })).records).toHaveLength(1);
  });

  it("may be only the write-ahead log: nothing acknowledged is lost then", async () => {
    const store = open();
    await store.kv.put({ ...place, value: "before" });
    rmSync(`${file}-wal`);
    await store.kv.put({ space: "space", key: "after", value: "after" });
    await store.close();
    const again = open();
    expect((await again.kv.get(place))?.value).toBe("before");
    expect((await again.kv.get({ space: "space", key: "after" }))?.value).toBe("after");
  });
});

describe("a store with a limit of its own", () => {
  it("refuses what is too much, keeps what is there and takes what fits", async () => {
    const store = open({ maxBytes: 400_000 });
    await store.kv.put({ ...place, value: "small" });
    const large = "x".repeat(1_000_000);
    const outcomes = await Promise.allSettled([
      store.kv.put({ space: "space", key: "fits", value: 1 }),
      store.kv.put({ space: "space", key: "large", value: large }),
      store.kv.put({ space: "space", key: "fits too", value: 2 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "unavailable", reason: "store_full" } });
    expect((await store.kv.list({ space: "space" })).entries).toHaveLength(3);
  });
});

describe("the write-ahead log", () => {
  it("is folded into the database as it grows, and synced writes are in either", async () => {
    const store = open();
    const records = ["x".repeat(100_000)];
    for (let count = 0; count < 100; count++) {
      const durability = count % 10 === 0 ? "disk" : "process";
      await store.log.append({ stream: "s", records, durability });
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(9_000_000);
    expect(statSync(file).size).toBeGreaterThan(4_000_000);
    // Read by another connection, and again after a checkpoint by it.
    const other = new DatabaseSync(file);
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    await store.log.append({ stream: "s", records, durability: "disk" });
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(100_000);
    expect((await store.log.readLast({ stream: "s", limit: 1 })).records[0]?.sequence).toBe(101);
  });
});
