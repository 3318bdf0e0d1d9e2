// 1a: importing the library in a fresh process, beside an empty process.

import { spawnSync } from "node:child_process";
import { summarize, toRow } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = sized(21);
const MAX_RATIO = 1.5;
const MAX_RSS_MB = 55;

const door = new URL("../dist/index.js", import.meta.url).href;
const EMPTY = ["-e", "0"];
const IMPORT = ["--input-type=module", "-e", `import ${JSON.stringify(door)};`];
const PRINT_RSS = "console.log(process.memoryUsage().rss)";

export const ids = ["1a"];

export async function rows() {
  const empty = [];
  const imported = [];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(timeProcess(EMPTY));
    imported.push(timeProcess(IMPORT));
  }
  const [raw, ours] = [summarize(empty), summarize(imported)];
  return [toRow({ id: "1a", work: "import clawtools", raw, ours, maxRatio: MAX_RATIO }), rssRow()];
}

function timeProcess(words) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, words);
  if (status !== 0) throw new Error(String(stderr));
  return Number(process.hrtime.bigint() - start);
}

function rssRow() {
  const raw = readRss(["-e", PRINT_RSS]);
  const ours = readRss([
    "--input-type=module",
    "-e",
    `import ${JSON.stringify(door)}; ${PRINT_RSS}`,
  ]);
  return {
    id: "1a",
    work: "memory after the import",
    raw: `${raw.toFixed(0)} MB`,
    ours: `${ours.toFixed(0)} MB`,
    ratio: `${(ours / raw).toFixed(2)}x`,
    target: `<= ${MAX_RSS_MB} MB`,
    met: ours <= MAX_RSS_MB,
  };
}

function readRss(words) {
  const samples = Array.from({ length: sized(5) }, () =>
    Number(spawnSync(process.execPath, words).stdout),
  );
  return summarize(samples).median / 1024 / 1024;
}
