// 9: many jobs that are due within a minute, each claimed in the store: how late the claims are
// committed, beside as many plain timers.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importSource } from "./measure/bundle-source.mjs";
import { sized } from "./measure/size.mjs";

const JOBS = sized(10_000, 20);
const SPREAD_MS = sized(60_000, 200);
const MAX_P99_MS = 10;
const SETTLE_MS = 2_000;

export const ids = ["9"];

export async function rows() {
  const plain = await measureTimers();
  const ours = await measureCron();
  const p99 = percentile(ours, 0.99);
  return [
    {
      id: "9",
      work: `${JOBS} jobs due within ${SPREAD_MS / 1_000} s, p99 late (raw = timers)`,
      raw: `${percentile(plain, 0.99).toFixed(1)} ms`,
      ours: `${p99.toFixed(1)} ms`,
      ratio: `median ${percentile(ours, 0.5).toFixed(1)} ms`,
      target: `<= ${MAX_P99_MS} ms`,
      met: p99 <= MAX_P99_MS,
    },
  ];
}

async function measureTimers() {
  const startMs = Date.now();
  return await new Promise((resolve) => {
    const late = [];
    for (let index = 0; index < JOBS; index++) {
      const delayMs = (index * SPREAD_MS) / JOBS;
      setTimeout(() => {
        late.push(Math.max(0, Date.now() - startMs - delayMs));
        if (late.length === JOBS) resolve(late);
      }, delayMs);
    }
  });
}

async function measureCron() {
  const folder = mkdtempSync(join(tmpdir(), "bench-cron-"));
  const { createSqliteStore } = await importSource("src/drivers/store/index.ts");
  const { createCron } = await importSource("src/gateway/cron/engine.ts");
  const clock = {
    now: () => Date.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const random = { hex: (byteCount) => randomBytes(byteCount).toString("hex") };
  const store = createSqliteStore({ folder, clock, random });
  const late = [];
  let finish;
  const done = new Promise((resolve) => {
    finish = resolve;
  });
  // The jobs are written first, so that only claims are measured.
  const firstMs = Date.now() + SETTLE_MS + JOBS;
  for (let index = 0; index < JOBS; index++) {
    const id = `job-${index}`;
    const atMs = Math.floor(firstMs + (index * SPREAD_MS) / JOBS);
    const times = { createdAtMs: firstMs, updatedAtMs: firstMs };
    const payload = { kind: "systemEvent", text: "x" };
    const target = { sessionTarget: "main", wakeMode: "next-heartbeat", enabled: true };
    const schedule = { kind: "at", atMs };
    const state = { nextRunAtMs: atMs };
    const value = { id, name: id, schedule, payload, ...target, ...times, state };
    await store.kv.put({ space: "cron:jobs", key: id, value });
  }
  const cron = await createCron({
    ...{ store, clock, random, isEnabled: () => true },
    dispatch: { prepare: async () => [], outcome: async () => ({ status: "ok" }) },
    emit({ action, runAtMs }) {
      if (action !== "started") return;
      late.push(Date.now() - runAtMs);
      if (late.length === JOBS) finish();
    },
    report: (message) => console.error(message),
  });
  await done;
  await cron.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return late;
}

function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
