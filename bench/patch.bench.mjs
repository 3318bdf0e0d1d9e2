// 3g: apply_patch with 100 hunks in a file of 1 MB, through the toolkit, beside the least that plain
// Node does for it: read, split, find and replace, join, and a write with the same syncs.

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { withFileToolkit } from "./measure/file-toolkit.mjs";
import { writePlainly } from "./measure/plain-write.mjs";

const TURNS = { rounds: 60, warmUpRounds: 5 };
const FILE_BYTES = 1024 * 1024;
const HUNKS = 100;
const CONTEXT_LINES = 3;
const MAX_RATIO = 1.5;

export const ids = ["3g"];

export function rows() {
  return withFileToolkit(async ({ root, rawFolder, ourFolder, invoke }) => {
    const lines = createLines();
    const changes = createChanges(lines);
    for (const folder of [rawFolder, join(root, ourFolder)]) {
      writeFileSync(join(folder, "file"), lines.join("\n"));
    }
    const works = [
      createPlainWork({ folder: rawFolder, name: "file", changes }),
      createPatchWork({ invoke, path: `${ourFolder}/file`, changes }),
    ];
    const [raw, ours] = await timeByTurns(works, TURNS);
    const work = `apply_patch: ${HUNKS} hunks in 1 MB`;
    return [toRowWithBest({ id: "3g", work, raw, ours, maxRatio: MAX_RATIO })];
  });
}

function createLines() {
  const lines = [];
  for (let bytes = 0; bytes < FILE_BYTES; bytes += lines.at(-1).length + 1) {
    lines.push(`${lines.length} ${"some words of code; ".repeat(1 + (lines.length % 4))}`);
  }
  return lines;
}

/** Evenly over the file; each is there and back again, so that every call changes the file. */
function createChanges(lines) {
  const gap = Math.floor(lines.length / HUNKS);
  return Array.from({ length: HUNKS }, (_, index) => {
    const at = index * gap + CONTEXT_LINES;
    const before = lines.slice(at - CONTEXT_LINES, at);
    const after = lines.slice(at + 1, at + 1 + CONTEXT_LINES);
    return { before, after, texts: [lines[at], `changed ${lines[at]}`] };
  });
}

function createPatchWork({ invoke, path, changes }) {
  const patches = [0, 1].map((from) =>
    [
      `*** Begin Patch\n*** Update File: ${path}`,
      ...changes.flatMap(({ before, after, texts }) => [
        "@@",
        ...before.map((line) => ` ${line}`),
        `-${texts[from]}`,
        `+${texts[1 - from]}`,
        ...after.map((line) => ` ${line}`),
      ]),
      "*** End Patch",
    ].join("\n"),
  );
  return (call) => invoke("apply_patch", { input: patches[call % 2] });
}

function createPlainWork({ folder, name, changes }) {
  const hunks = [0, 1].map((from) =>
    changes.map(({ before, after, texts }) => ({
      old: [...before, texts[from], ...after],
      fresh: [...before, texts[1 - from], ...after],
    })),
  );
  return async (call) => {
    const lines = (await readFile(join(folder, name), "utf8")).split("\n");
    const made = [];
    let from = 0;
    for (const { old, fresh } of hunks[call % 2]) {
      const start = findLines(lines, { old, from });
      for (; from < start; from++) made.push(lines[from]);
      made.push(...fresh);
      from = start + old.length;
    }
    for (; from < lines.length; from++) made.push(lines[from]);
    await writePlainly({ folder, name, data: made.join("\n") });
  };
}

function findLines(lines, { old, from }) {
  for (let start = from; start < lines.length; start++) {
    if (old.every((line, index) => lines[start + index] === line)) return start;
  }
  throw new Error("the plain patch does not fit");
}
