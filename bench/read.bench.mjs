// 3a, 3b, 3c: read through the toolkit, beside the least that plain Node does for the same bytes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../dist/index.js";
import { summarize, toRow } from "./measure/side-by-side.mjs";

const WARM_UP_ROUNDS = 3;
const FOLDER = "one/two/three";
const SMALL_FILES = 200;
const SMALL_BYTES = 1024;
const LARGE_BYTES = 50 * 1024 * 1024;
const HEAD_BYTES = 50 * 1024;
const SCAN_BYTES = 1024 * 1024;
const OFFSET_SHARE = 0.9;
const LINE_FEED = 10;

export const ids = ["3a", "3b", "3c"];

export async function rows({ isWanted }) {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  // The same few calls over and over are a loop, and would be stopped.
  const config = { tools: { loopDetection: { enabled: false } } };
  const toolkit = createToolkit({ root, stateDir: join(root, "state"), config });
  try {
    const bench = { root, invoke: createInvoke(toolkit), ...makeFiles(root) };
    const made = [];
    if (isWanted("3a")) made.push(await readSmall(bench));
    if (isWanted("3b")) made.push(await readHead(bench));
    if (isWanted("3c")) made.push(await readFarLine(bench));
    return made;
  } finally {
    await toolkit.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function createInvoke(toolkit) {
  let count = 0;
  return async (params) => {
    const answer = await toolkit.invoke({ id: `call_${count++}`, name: "read", arguments: params });
    if (answer.isError) throw new Error(answer.content[0].text);
    return answer;
  };
}

/** Small files with text of their own, and one large one with lines of 20 to 120 characters. */
function makeFiles(root) {
  mkdirSync(join(root, FOLDER), { recursive: true });
  const small = Array.from({ length: SMALL_FILES }, (_, index) => `${FOLDER}/small-${index}.txt`);
  for (const [index, name] of small.entries()) {
    writeFileSync(join(root, name), `${index} ${"some words\n".repeat(100)}`.slice(0, SMALL_BYTES));
  }
  const lines = [];
  for (let bytes = 0, index = 0; bytes < LARGE_BYTES; index++) {
    const line = `${index} ${"word ".repeat(4 + ((index * 7) % 20))}\n`;
    lines.push(line);
    bytes += line.length;
  }
  const large = `${FOLDER}/large.txt`;
  writeFileSync(join(root, large), lines.join(""));
  return { small, large, farLine: Math.floor(lines.length * OFFSET_SHARE) };
}

async function readSmall({ root, small, invoke }) {
  const [raw, ours] = await timeByTurns(
    [
      (call) => readFile(join(root, small[call % SMALL_FILES]), "utf8"),
      (call) => invoke({ path: small[call % SMALL_FILES] }),
    ],
    { rounds: 25, callsPerRound: 200 },
  );
  return toRowWithBest({ id: "3a", work: "read 1 KB (raw = readFile)", raw, ours, maxRatio: 2 });
}

async function readHead({ root, large, invoke }) {
  const readStart = async () => {
    const file = await open(join(root, large));
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(HEAD_BYTES),
        0,
        HEAD_BYTES,
        0,
      );
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  };
  const [raw, ours] = await timeByTurns([readStart, () => invoke({ path: large })], {
    rounds: 25,
    callsPerRound: 100,
  });
  const work = "read the head of 50 MB (raw = read 50 KB)";
  return toRowWithBest({ id: "3b", work, raw, ours, maxRatio: 3 });
}

async function readFarLine({ root, large, farLine, invoke }) {
  const buffer = Buffer.allocUnsafe(SCAN_BYTES);
  const scan = async () => {
    const file = await open(join(root, large));
    try {
      for (let position = 0, line = 1; ; position += SCAN_BYTES) {
        const { bytesRead } = await file.read(buffer, 0, SCAN_BYTES, position);
        const part = buffer.subarray(0, bytesRead);
        for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) {
          if (++line === farLine) return position + at + 1;
        }
      }
    } finally {
      await file.close();
    }
  };
  const [raw, ours] = await timeByTurns([scan, () => invoke({ path: large, offset: farLine })], {
    rounds: 25,
    callsPerRound: 1,
  });
  const work = "read at 90 % of 50 MB (raw = newline scan up to there)";
  return toRowWithBest({ id: "3c", work, raw, ours, maxRatio: 1.2 });
}

/** Nanoseconds of one call of each, taken by turns. */
async function timeByTurns(works, { rounds, callsPerRound }) {
  const samples = works.map(() => []);
  let call = 0;
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.hrtime.bigint();
      for (let left = callsPerRound; left > 0; left--) await work(call++);
      const spent = Number(process.hrtime.bigint() - start) / callsPerRound;
      if (round >= WARM_UP_ROUNDS) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
}

/** The best of all turns beside the median: on a busy machine it is the steadier figure. */
function toRowWithBest(figures) {
  const row = toRow(figures);
  const best = figures.ours.minimum / figures.raw.minimum;
  return { ...row, ratio: `${row.ratio}, best ${best.toFixed(2)}x` };
}
