// 3a and 3d, the part of the file bridge: reading and writing one file three folders deep, beside the
// same work with plain Node. The write beside ours makes the same syncs.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge } from "../dist/index.js";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { writePlainly } from "./measure/plain-write.mjs";

/** Each way has its own folder: ours looks around in one that somebody else changes. */
const RAW_FOLDER = "one/two/raw";
const OUR_FOLDER = "one/two/ours";
const KIBIBYTE = 1024;
const READ = { id: "3a", maxRatio: 2, rounds: 40, callsPerRound: 200 };
const WRITES = [
  { id: "3d", size: KIBIBYTE, name: "1 KB", maxRatio: 1.1, rounds: 40, callsPerRound: 10 },
  { id: "3d", size: KIBIBYTE ** 2, name: "1 MB", maxRatio: 1.1, rounds: 40, callsPerRound: 3 },
];

export const ids = ["3a", "3d"];

export async function rows({ isWanted }) {
  const root = mkdtempSync(join(tmpdir(), "bench-files-"));
  try {
    for (const folder of [RAW_FOLDER, OUR_FOLDER])
      mkdirSync(join(root, folder), { recursive: true });
    const made = [];
    if (isWanted("3a")) made.push(await measureRead(root));
    if (isWanted("3d")) for (const write of WRITES) made.push(await measureWrite(root, write));
    return made;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measureRead(root) {
  const filePath = `${OUR_FOLDER}/read.txt`;
  writeFileSync(join(root, filePath), "x".repeat(KIBIBYTE));
  const bridge = createNodeBridge(root);
  const works = [() => readFile(join(root, filePath)), () => bridge.readFile({ filePath })];
  const [raw, ours] = await timeByTurns(works, READ);
  const { id, maxRatio } = READ;
  return toRowWithBest({ id, work: "bridge: read 1 KB", raw, ours, maxRatio });
}

async function measureWrite(root, { id, size, name, maxRatio, ...turns }) {
  const bridge = createNodeBridge(root);
  const data = Buffer.alloc(size, "x");
  const works = [
    () => writePlainly({ folder: join(root, RAW_FOLDER), name: `file-${size}`, data }),
    () => bridge.writeFile({ filePath: `${OUR_FOLDER}/file-${size}`, data }),
  ];
  const [raw, ours] = await timeByTurns(works, turns);
  return toRowWithBest({ id, work: `bridge: write ${name}`, raw, ours, maxRatio });
}
