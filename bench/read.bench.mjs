// 3a, 3b, 3c: read through the toolkit, beside the least that plain Node does for the same bytes.

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { withFileToolkit } from "./measure/file-toolkit.mjs";
import { useFile } from "./measure/plain-write.mjs";
import { sized } from "./measure/size.mjs";

const SMALL_FILES = sized(200, 2);
const SMALL_BYTES = 1024;
const LARGE_BYTES = sized(50, 1) * 1024 * 1024;
const HEAD_BYTES = 50 * 1024;
const SCAN_BYTES = 1024 * 1024;
const OFFSET_SHARE = 0.9;
const LINE_FEED = 10;

export const ids = ["3a", "3b", "3c"];

export function rows({ isWanted }) {
  return withFileToolkit(async ({ root, ourFolder, invoke }) => {
    const read = (params) => invoke("read", params);
    const bench = { root, read, ...makeFiles({ root, folder: ourFolder }) };
    const made = [];
    if (isWanted("3a")) made.push(await readSmall(bench));
    if (isWanted("3b")) made.push(await readHead(bench));
    if (isWanted("3c")) made.push(await readFarLine(bench));
    return made;
  });
}

/** Small files with text of their own, and one large one with lines of 20 to 120 characters. */
function makeFiles({ root, folder }) {
  const small = Array.from({ length: SMALL_FILES }, (_, index) => `${folder}/small-${index}.txt`);
  for (const [index, name] of small.entries()) {
    writeFileSync(join(root, name), `${index} ${"some words\n".repeat(100)}`.slice(0, SMALL_BYTES));
  }
  const lines = [];
  for (let bytes = 0, index = 0; bytes < LARGE_BYTES; index++) {
    const line = `${index} ${"word ".repeat(4 + ((index * 7) % 20))}\n`;
    lines.push(line);
    bytes += line.length;
  }
  const large = `${folder}/large.txt`;
  writeFileSync(join(root, large), lines.join(""));
  return { small, large, farLine: Math.floor(lines.length * OFFSET_SHARE) };
}

async function readSmall({ root, small, read }) {
  const [raw, ours] = await timeByTurns(
    [
      (call) => readFile(join(root, small[call % SMALL_FILES]), "utf8"),
      (call) => read({ path: small[call % SMALL_FILES] }),
    ],
    { rounds: 40, callsPerRound: 100 },
  );
  return toRowWithBest({ id: "3a", work: "read 1 KB (raw = readFile)", raw, ours, maxRatio: 2 });
}

async function readHead({ root, large, read }) {
  const readStart = () =>
    useFile({ path: join(root, large), flags: "r" }, async (file) => {
      const into = Buffer.allocUnsafe(HEAD_BYTES);
      const { bytesRead } = await file.read(into, 0, HEAD_BYTES, 0);
      return into.toString("utf8", 0, bytesRead);
    });
  const works = [readStart, () => read({ path: large })];
  const [raw, ours] = await timeByTurns(works, { rounds: 40, callsPerRound: 50 });
  const work = "read the head of 50 MB (raw = read 50 KB)";
  return toRowWithBest({ id: "3b", work, raw, ours, maxRatio: 3 });
}

async function readFarLine({ root, large, farLine, read }) {
  const buffer = Buffer.allocUnsafe(SCAN_BYTES);
  const scan = () =>
    useFile({ path: join(root, large), flags: "r" }, async (file) => {
      for (let position = 0, line = 1; ; position += SCAN_BYTES) {
        const { bytesRead } = await file.read(buffer, 0, SCAN_BYTES, position);
        const part = buffer.subarray(0, bytesRead);
        for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) {
          if (++line === farLine) return position + at + 1;
        }
      }
    });
  const works = [scan, () => read({ path: large, offset: farLine })];
  const [raw, ours] = await timeByTurns(works, { rounds: 25 });
  const work = "read at 90 % of 50 MB (raw = newline scan up to there)";
  return toRowWithBest({ id: "3c", work, raw, ours, maxRatio: 1.2 });
}
