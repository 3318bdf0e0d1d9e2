// 10c: one record appended to a log of the store and brought to the disk, beside a plain append with
// an fdatasync; alone, and 64 at once. 10d: one value read by its key, beside a plain prepared query.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = 40;
const APPENDS_PER_ROUND = 64;
/** The store's log has its full length after so many, and is written over from then on. */
const WARM_UP_APPENDS = sized(2_000);
const READS_PER_ROUND = 2_000;
const KEYS = sized(1_000, 10);
/** About the size of a journal row or a message. */
const RECORD = { role: "assistant", text: "x".repeat(200), atMs: 1_700_000_000_000 };
const LINE = Buffer.from(`${JSON.stringify(RECORD)}\n`);

const DISK = [
  { work: "durable append, one by one (raw = write + fdatasync)", atOnce: 1, maxRatio: 1.2 },
  { work: "durable append, 64 at once (raw = fdatasync each)", atOnce: 64, maxRatio: 1 },
];

export const ids = ["10c", "10d"];

export async function rows({ isWanted }) {
  const folder = mkdtempSync(join(tmpdir(), "bench-store-"));
  const { createSqliteStore } = await importSource("src/drivers/store/index.ts");
  const store = createSqliteStore({
    folder,
    clock: { now: () => Date.now(), after: () => () => undefined },
    random: { hex: (byteCount) => randomBytes(byteCount).toString("hex") },
  });
  try {
    const append = isWanted("10c") ? await measureAppends(store, folder) : [];
    const read = isWanted("10d") ? await measureReads(store, folder) : [];
    return [...append, ...read];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAppends(store, folder) {
  const file = await open(join(folder, "raw.jsonl"), "a");
  const raw = async () => {
    await file.write(LINE);
    await file.datasync();
  };
  const ours = () => store.log.append({ stream: "bench", records: [RECORD], durability: "disk" });
  const grow = { stream: "bench", records: [RECORD] };
  for (let left = WARM_UP_APPENDS; left > 0; left--) await store.log.append(grow);
  const rows = [];
  for (const { work, atOnce, maxRatio } of DISK) {
    const turns = { rounds: ROUNDS, callsPerRound: APPENDS_PER_ROUND / atOnce };
    const works = [raw, ours].map(
      (call) => () => Promise.all(Array.from({ length: atOnce }, call)),
    );
    const [rawTime, ourTime] = await timeByTurns(works, turns);
    rows.push(toRowWithBest({ id: "10c", work, raw: rawTime, ours: ourTime, maxRatio }));
  }
  await file.close();
  return rows;
}

async function measureReads(store, folder) {
  const raw = new DatabaseSync(join(folder, "raw.db"));
  raw.exec("CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT)");
  const insert = raw.prepare("INSERT INTO kv VALUES (?, ?)");
  const keys = Array.from({ length: KEYS }, (_, index) => `key/${index}`);
  raw.exec("BEGIN");
  for (const key of keys) insert.run(key, JSON.stringify(RECORD));
  raw.exec("COMMIT");
  await Promise.all(keys.map((key) => store.kv.put({ space: "bench", key, value: RECORD })));
  const select = raw.prepare("SELECT value FROM kv WHERE key = ?");
  const works = [
    async (call) => JSON.parse(select.get(keys[call % KEYS]).value),
    (call) => store.kv.get({ space: "bench", key: keys[call % KEYS] }),
  ];
  const turns = { rounds: ROUNDS, callsPerRound: READS_PER_ROUND };
  const [rawTime, ourTime] = await timeByTurns(works, turns);
  raw.close();
  const work = "kv get (raw = prepared SELECT + JSON.parse)";
  return [toRowWithBest({ id: "10d", work, raw: rawTime, ours: ourTime, maxRatio: 3 })];
}
