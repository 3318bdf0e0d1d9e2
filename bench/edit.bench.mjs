// 3d, 3e, 3f: write and edit through the toolkit, beside the least that plain Node does for the same
// bytes: read, search, join, and a write with the same syncs. Files lie three folders deep.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../dist/index.js";
import { summarize } from "./measure/side-by-side.mjs";

const WARM_UP_ROUNDS = 4;
const FOLDER = "one/two/three";
const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE ** 2;
/** Every so many lines there is one that fits only loosely. */
const LOOSE_EVERY = 10;
const PLACE_SHARE = 0.95;

const WRITES = [
  { id: "3d", name: "1 KB", bytes: KIBIBYTE, maxRatio: 1.3, rounds: 200 },
  { id: "3d", name: "1 MB", bytes: MEBIBYTE, maxRatio: 1.3, rounds: 80 },
];
const EDITS = [
  { id: "3e", name: "1 MB", bytes: MEBIBYTE, maxRatio: 1.5, rounds: 60 },
  { id: "3e", name: "10 MB", bytes: 10 * MEBIBYTE, maxRatio: 1.5, rounds: 25 },
  { id: "3f", name: "1 MB, fuzzy", bytes: MEBIBYTE, maxRatio: 3, rounds: 60, isLoose: true },
  { id: "3f", name: "10 MB, fuzzy", bytes: 10 * MEBIBYTE, maxRatio: 3, rounds: 25, isLoose: true },
];

export const ids = ["3d", "3e", "3f"];

export async function rows({ isWanted }) {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  // The same few calls over and over are a loop, and would be stopped.
  const config = { tools: { loopDetection: { enabled: false } } };
  const toolkit = createToolkit({ root, stateDir: join(root, "state"), config });
  mkdirSync(join(root, FOLDER), { recursive: true });
  try {
    const made = [];
    for (const row of WRITES.filter(({ id }) => isWanted(id))) {
      made.push(await measure({ ...row, work: `write ${row.name}` }, createWrites(row)));
    }
    for (const row of EDITS.filter(({ id }) => isWanted(id))) {
      made.push(await measure({ ...row, work: `edit ${row.name}` }, createEdits(row)));
    }
    return made;
  } finally {
    await toolkit.close();
    rmSync(root, { recursive: true, force: true });
  }

  function createWrites({ bytes }) {
    const text = createLines({ bytes, isLoose: false }).join("").slice(0, bytes);
    // Of another size each time, as contents are.
    const contentOf = (call) => `${call}\n${text}${"x".repeat(call % 7)}`;
    return [
      (call) => writePlainly({ root, name: "raw", data: contentOf(call) }),
      (call) => invoke("write", { path: `${FOLDER}/ours`, content: contentOf(call) }),
    ];
  }

  function createEdits({ bytes, isLoose }) {
    const lines = createLines({ bytes, isLoose });
    const at = Math.floor((lines.length * PLACE_SHARE) / LOOSE_EVERY) * LOOSE_EVERY;
    const line = lines[at];
    for (const name of ["raw", "ours"]) writeFileSync(join(root, FOLDER, name), lines.join(""));
    const texts = [line, line.replace("value", "changed")];
    const change = (call) => [texts[call % 2], texts[1 - (call % 2)]];
    return [
      async (call) => {
        const data = await readFile(join(root, FOLDER, "raw"), "utf8");
        const [oldText, newText] = change(call);
        const place = data.indexOf(oldText);
        if (place === -1) throw new Error("the plain edit does not fit");
        const after = data.slice(0, place) + newText + data.slice(place + oldText.length);
        await writePlainly({ root, name: "raw", data: after });
      },
      (call) => {
        const [oldText, newText] = change(call).map((text) => (isLoose ? toPlain(text) : text));
        return invoke("edit", { path: `${FOLDER}/ours`, oldText, newText });
      },
    ];
  }

  async function invoke(name, args) {
    const answer = await toolkit.invoke({ id: "call", name, arguments: args });
    if (answer.isError) throw new Error(answer.content[0].text);
  }
}

/** Lines of code; with `isLoose` some have curly marks and white space at their ends. */
function createLines({ bytes, isLoose }) {
  const lines = [];
  let size = 0;
  while (size < bytes) {
    const index = lines.length;
    const isOdd = isLoose && index % LOOSE_EVERY === 0;
    const text = isOdd ? "“a text – of some words”" : '"a text of some words"';
    lines.push(`  const value${index} = compute(${index}, ${text});${isOdd ? "  " : ""}\n`);
    size += Buffer.byteLength(lines[index]);
  }
  return lines;
}

function toPlain(text) {
  return text.replace(/[“”]/g, '"').replace("–", "-").replace(/ +$/m, "");
}

/** Temporary file, sync, rename, sync of the folder: what an atomic write takes at least. */
async function writePlainly({ root, name, data }) {
  const folder = join(root, FOLDER);
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

async function measure({ id, work, maxRatio, rounds }, works) {
  const [raw, ours] = await timeByTurns(works, rounds);
  const ratio = ours.median / raw.median;
  return {
    id,
    work,
    raw: formatTimes(raw),
    ours: formatTimes(ours),
    ratio: `${ratio.toFixed(2)}x, best ${(ours.minimum / raw.minimum).toFixed(2)}x`,
    target: `<= ${maxRatio}x`,
    met: ratio <= maxRatio,
  };
}

function formatTimes({ median, minimum }) {
  return `${(median / 1e6).toFixed(2)} ms, best ${(minimum / 1e6).toFixed(2)} ms`;
}

/** Nanoseconds of one awaited call of each, taken by turns. */
async function timeByTurns(works, rounds) {
  const samples = works.map(() => []);
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.hrtime.bigint();
      await work(round);
      const spent = Number(process.hrtime.bigint() - start);
      if (round >= WARM_UP_ROUNDS) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
}
