// 2e: what the audit costs a call, beside the same call without it; and its rows brought to the disk,
// beside as many plain appends with one fdatasync.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, defineTool, t } from "../dist/index.js";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";

const ROUNDS = 40;
const CALLS_PER_ROUND = 500;
const ROWS_AT_ONCE = 64;
/** About the length of a row. */
const LINE = `${"x".repeat(620)}\n`;
const ROW = {
  atMs: 1_700_000_000_000,
  durationMs: 3,
  toolCallId: "toolu_01A09q90qw90lq917835lq9",
  toolName: "read",
  agentId: "main",
  sessionKey: "agent:main:main",
  owner: true,
  entryPoint: "library",
  stage: "answer",
  outcome: "ok",
  taintedBy: [],
};
const CONTENT = {
  arguments: { path: "src/index.ts" },
  result: [{ type: "text", text: "x".repeat(1_000) }],
};

export const ids = ["2e"];

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
  try {
    return [await measureCalls(folder), await measureRows(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCalls(folder) {
  const without = createNoopToolkit({ stateDir: false });
  const kept = createNoopToolkit({ stateDir: join(folder, "state") });
  const works = [without, kept].map(({ invoke }) => async (call) => {
    await invoke({ id: `call_${call}`, name: "noop", arguments: { text: `${call}` } });
  });
  const [raw, ours] = await timeByTurns(works, { rounds: ROUNDS, callsPerRound: CALLS_PER_ROUND });
  await Promise.all([without.close(), kept.close()]);
  const work = "invoke a no-op with the audit on the disk (raw = without)";
  return toRowWithBest({ id: "2e", work, raw, ours, maxRatio: 2 });
}

/** Its answer differs from call to call: the same one over and over would be a loop. */
function createNoopToolkit(options) {
  const noop = defineTool({
    name: "noop",
    description: "Does nothing.",
    parameters: t.object({ text: t.string({ description: "Given back." }) }),
    readOnly: true,
    execute: async ({ params }) => ({ content: [{ type: "text", text: params.text }] }),
  });
  return createToolkit({ root: ".", tools: [noop], ...options });
}

async function measureRows(folder) {
  const { createAuditFile } = await importSource("src/audit/index.ts");
  const audit = createAuditFile({
    folder: join(folder, "rows"),
    clock: { now: () => Date.now(), after: (ms, work) => clearLater(setTimeout(work, ms)) },
    random: { hex: (byteCount) => randomBytes(byteCount).toString("hex") },
    owners: { own: `${process.pid}`, isDead: () => false },
    report: ({ message }) => {
      throw new Error(message);
    },
  });
  const file = join(folder, "raw.jsonl");
  const handle = await open(file, "a");
  const raw = async () => {
    for (let left = ROWS_AT_ONCE; left > 0; left--) await appendFile(file, LINE);
    await handle.datasync();
  };
  const ours = async () => {
    for (let left = ROWS_AT_ONCE; left > 0; left--) audit.append(ROW, CONTENT);
    await audit.flush();
  };
  const [rawTime, ourTime] = await timeByTurns([raw, ours], { rounds: ROUNDS });
  await handle.close();
  await audit.close();
  const work = `${ROWS_AT_ONCE} audit rows on the disk (raw = appendFile each, one fdatasync)`;
  return toRowWithBest({ id: "2e", work, raw: rawTime, ours: ourTime, maxRatio: 1 });
}

function clearLater(timer) {
  return () => clearTimeout(timer);
}
