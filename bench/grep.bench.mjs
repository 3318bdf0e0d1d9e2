// 3i: grep over many small files, beside ripgrep where it is installed, else a plain walk with Node.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { withFileToolkit } from "./measure/file-toolkit.mjs";
import { sized } from "./measure/size.mjs";

const FOLDERS = sized(100, 2);
const FILES_EACH = 20;
const LINES = 100;

export const ids = ["3i"];

export function rows({ isWanted }) {
  if (!isWanted("3i")) return [];
  return withFileToolkit(async ({ root, invoke }) => {
    const folder = join(root, "project");
    makeProject(folder);
    const raw = hasRipgrep() ? ripgrep : plainWalk;
    const works = [
      () => raw(folder),
      () =>
        invoke("grep", { pattern: "needle [0-9]+", path: "project", output: "files", limit: 1000 }),
    ];
    const [peer, ours] = await timeByTurns(works, { rounds: 10 });
    const work = `grep ${FOLDERS * FILES_EACH} files (raw = ${raw.name})`;
    return [toRowWithBest({ id: "3i", work, raw: peer, ours, maxRatio: 20 })];
  });
}

function makeProject(folder) {
  const filler = "some words of a source file\n".repeat(LINES);
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(folder, `d${at}`), { recursive: true });
    for (let file = 0; file < FILES_EACH; file++) {
      const hit = file === 0 ? `needle ${at}\n` : "";
      writeFileSync(join(folder, `d${at}`, `f${file}.txt`), filler + hit);
    }
  }
}

function hasRipgrep() {
  try {
    execFileSync("rg", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function ripgrep(folder) {
  return execFileSync("rg", ["--files-with-matches", "--sort=path", "needle [0-9]+", folder]);
}

function plainWalk(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) =>
      /needle [0-9]+/.test(readFileSync(join(entry.parentPath, entry.name), "utf8")),
    );
}
