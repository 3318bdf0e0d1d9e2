// 3g: apply_patch with 100 hunks in a file of 1 MB, through the toolkit, beside the least that plain
// Node does for it: read, split, find and replace, join, and a write with the same syncs.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../dist/index.js";
import { summarize, toRow } from "./measure/side-by-side.mjs";

const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;
const FOLDER = "one/two/three";
const FILE_BYTES = 1024 * 1024;
const HUNKS = 100;
const CONTEXT_LINES = 3;
const MAX_RATIO = 1.5;

export const ids = ["3g"];

export async function rows() {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  // The same few calls over and over are a loop, and would be stopped.
  const config = { tools: { loopDetection: { enabled: false } } };
  const toolkit = createToolkit({ root, stateDir: join(root, "state"), config });
  try {
    const lines = createLines();
    const changes = createChanges(lines);
    mkdirSync(join(root, FOLDER), { recursive: true });
    for (const name of ["raw", "ours"]) writeFileSync(join(root, FOLDER, name), lines.join("\n"));
    const works = [
      createPlainWork({ folder: join(root, FOLDER), name: "raw", changes }),
      createPatchWork({ toolkit, path: `${FOLDER}/ours`, changes }),
    ];
    const [raw, ours] = await timeByTurns(works);
    const work = `apply_patch: ${HUNKS} hunks in 1 MB`;
    return [toRow({ id: "3g", work, raw, ours, maxRatio: MAX_RATIO })];
  } finally {
    await toolkit.close();
    rmSync(root, { recursive: true, force: true });
  }
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

function createPatchWork({ toolkit, path, changes }) {
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
  return async (call) => {
    const given = { name: "apply_patch", arguments: { input: patches[call % 2] } };
    const answer = await toolkit.invoke({ id: `call_${call}`, ...given });
    if (answer.isError) throw new Error(answer.content[0].text);
  };
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

/** Temporary file, sync, rename, sync of the folder: what an atomic write takes at least. */
async function writePlainly({ folder, name, data }) {
  const temporary = join(folder, `.${name}.tmp`);
  await useFile({ path: temporary, flags: "w" }, async (handle) => {
    await handle.writeFile(data);
    await handle.sync();
  });
  await rename(temporary, join(folder, name));
  await useFile({ path: folder, flags: "r" }, (handle) => handle.sync());
}

async function useFile({ path, flags }, use) {
  const handle = await open(path, flags);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

/** Nanoseconds of one awaited call of each, taken by turns. */
async function timeByTurns(works) {
  const samples = works.map(() => []);
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.hrtime.bigint();
      await work(round);
      const spent = Number(process.hrtime.bigint() - start);
      if (round >= WARM_UP_ROUNDS) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
}
