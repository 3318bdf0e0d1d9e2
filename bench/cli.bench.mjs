// 1b, 1c: short commands of the command line in fresh processes, beside an empty process.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { summarize, toRow } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = sized(21);
const HELP_ROUNDS = sized(9);
const EMPTY = ["-e", "0"];
const CONFIG = `{
  // a config as people write it
  tools: { profile: "coding", deny: ["group:web"], exec: { timeoutSec: 600 } },
  agents: { list: [{ id: "support", tools: { profile: "messaging" } }] },
}
`;

const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));

const WORKS = [
  { id: "1b", words: ["--version"], maxRatio: 1.5 },
  { id: "1b", words: ["tools", "--help"], maxRatio: 1.5 },
  { id: "1c", words: ["config", "get"], maxRatio: 2.5 },
];

/** The help of every group, each with fewer rounds. */
function listHelps() {
  const { stdout } = spawnSync(process.execPath, [bin, "--help"], { encoding: "utf8" });
  const groups = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, group]) => group);
  return groups.slice(0, sized(groups.length)).map((group) => ({
    id: "1b",
    words: [group, "--help"],
    maxRatio: 1.5,
    rounds: HELP_ROUNDS,
  }));
}

export const ids = ["1b", "1c"];

export async function rows({ isWanted }) {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  const config = join(folder, "clawtools.json");
  writeFileSync(config, CONFIG);
  try {
    return [...WORKS, ...listHelps()]
      .filter(({ id }) => isWanted(id))
      .map((work) => measure(work, config));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure({ id, words, maxRatio, rounds = ROUNDS }, config) {
  const empty = [];
  const command = [];
  for (let round = 0; round < rounds; round++) {
    empty.push(timeProcess(EMPTY, config));
    command.push(timeProcess([bin, ...words], config));
  }
  const [raw, ours] = [summarize(empty), summarize(command)];
  return toRow({ id, work: `clawtools ${words.join(" ")}`, raw, ours, maxRatio });
}

function timeProcess(words, config) {
  const env = { ...process.env, CLAWTOOLS_CONFIG_PATH: config };
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, words, { env });
  if (status !== 0) throw new Error(String(stderr));
  return Number(process.hrtime.bigint() - start);
}
