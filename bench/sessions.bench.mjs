// 10a: the last 50 of 100,000 messages of a session, next to a tail read of a plain file. 10b: the newest
// of 10,000 sessions with one rule of visibility, next to a sort of the same rows in memory.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "../dist/agent.js";
import { createToolkit } from "../dist/index.js";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { sized } from "./measure/size.mjs";

const MESSAGES = sized(100_000, 100);
const SESSIONS = sized(10_000, 20);
const SHOWN = 50;
const PAGE = 1_000;
const TAIL_BYTES = 32_768;
const ROUNDS = 30;

export const ids = ["10a", "10b"];

export async function rows({ isWanted }) {
  const folder = mkdtempSync(join(tmpdir(), "bench-sessions-"));
  try {
    const tail = isWanted("10a") ? [await measureTail(join(folder, "long"))] : [];
    const list = isWanted("10b") ? await measureList(join(folder, "many")) : [];
    return [...tail, ...list];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTail(folder) {
  const clock = { now: () => Date.now(), after: () => () => undefined };
  const random = { hex: (byteCount) => randomBytes(byteCount).toString("hex") };
  const { createSqliteStore } = await importSource("src/drivers/store/index.ts");
  const { createSessionStore } = await importSource("src/sessions/index.ts");
  const store = createSqliteStore({ folder, clock, random });
  const sessions = createSessionStore({ store, clock, random });
  const found = await sessions.entries.open("agent:main:long");
  const path = join(folder, "raw.jsonl");
  const file = await open(path, "a");
  for (let from = 0; from < MESSAGES; from += PAGE) {
    const count = Math.min(PAGE, MESSAGES - from);
    const records = Array.from({ length: count }, (_, index) => toRecord(from + index));
    await store.log.append({ stream: `transcript:${found.entry.sessionId}`, records });
    await file.write(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  await file.close();
  const raw = async () => {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    const length = Math.min(TAIL_BYTES, size);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    await handle.close();
    return buffer
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .slice(-SHOWN)
      .map((line) => JSON.parse(line));
  };
  const ours = () => sessions.history(found, { limit: SHOWN });
  const [plain, own] = await timeByTurns([raw, ours], { rounds: ROUNDS, callsPerRound: 20 });
  await store.close();
  const work = `last ${SHOWN} of ${MESSAGES} messages (raw = tail read of a file)`;
  return toRowWithBest({ id: "10a", work, raw: plain, ours: own, maxRatio: 3 });
}

function toRecord(index) {
  const content = [{ type: "text", text: `Message ${index}: ${"x".repeat(200)}` }];
  const run = `run-${index >> 1}`;
  if (index % 2 === 0) {
    return { type: "user", run, content, about: [run], through: index, kind: "message" };
  }
  const origin = { provider: "debug", api: "debug", model: "echo" };
  return { type: "assistant", run, turn: 1, content, stop: "stop", origin };
}

async function measureList(folder) {
  mkdirSync(folder);
  const toolkit = createToolkit({ root: folder, stateDir: false });
  const agent = createAgent({ toolkit, store: folder, model: "debug/echo" });
  const rows = [];
  for (let index = 0; index < SESSIONS; index++) {
    const key = `agent:main:telegram:dm:${index}`;
    rows.push(await agent.sessionStore.entries.open(key, { updatedAtMs: (index * 7919) % 1e6 }));
  }
  const caller = agent.sessions.as({ sessionKey: "main" });
  const raw = () =>
    [...rows]
      .sort((one, other) => other.entry.updatedAtMs - one.entry.updatedAtMs)
      .slice(0, SHOWN)
      .map(({ key, entry }) => ({ key, ...entry }));
  const ours = () => caller.list({ limit: SHOWN });
  const afterChange = async () => {
    await agent.sessionStore.entries.change(rows[0].key, (entry) => ({ ...entry, usd: 1 }));
    return await ours();
  };
  const [plain, own, changed] = await timeByTurns([raw, ours, afterChange], { rounds: ROUNDS });
  await agent.close();
  await toolkit.close();
  const work = `newest ${SHOWN} of ${SESSIONS} sessions (raw = sort in memory)`;
  return [
    toRowWithBest({ id: "10b", work, raw: plain, ours: own, maxRatio: 2 }),
    toRowWithBest({
      id: "10b",
      work: `${work}, a session changed before`,
      raw: plain,
      ours: changed,
    }),
  ];
}
