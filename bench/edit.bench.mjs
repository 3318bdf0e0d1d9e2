// 3d, 3e, 3f: write and edit through the toolkit, beside the least that plain Node does for the same
// bytes: read, search, join, and a write with the same syncs.

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { withFileToolkit } from "./measure/file-toolkit.mjs";
import { writePlainly } from "./measure/plain-write.mjs";
import { sized } from "./measure/size.mjs";

const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE ** 2;
const LARGE_BYTES = sized(10 * MEBIBYTE, MEBIBYTE);
/** Every so many lines there is one that fits only loosely. */
const LOOSE_EVERY = 10;
const PLACE_SHARE = 0.95;
/** Journal, audit and undo bring their rows to the disk at most 50 ms behind an answer. */
const PAUSE_MS = 80;

const WRITES = [
  { id: "3d", name: "1 KB", bytes: KIBIBYTE, maxRatio: 2.2, rounds: 100 },
  { id: "3d", name: "1 MB", bytes: MEBIBYTE, maxRatio: 1.8, rounds: 50 },
];
const EDITS = [
  { id: "3e", name: "1 MB", bytes: MEBIBYTE, maxRatio: 1.5, rounds: 60 },
  { id: "3e", name: "10 MB", bytes: LARGE_BYTES, maxRatio: 1.5, rounds: 25 },
  { id: "3f", name: "1 MB, fuzzy", bytes: MEBIBYTE, maxRatio: 3, rounds: 60, isLoose: true },
  { id: "3f", name: "10 MB, fuzzy", bytes: LARGE_BYTES, maxRatio: 3, rounds: 25, isLoose: true },
];

export const ids = ["3d", "3e", "3f"];

export function rows({ isWanted }) {
  return withFileToolkit(async (place) => {
    const made = [];
    for (const row of WRITES.filter(({ id }) => isWanted(id))) {
      made.push(await measure({ ...row, work: `write ${row.name}` }, createWrites(place, row)));
    }
    for (const row of EDITS.filter(({ id }) => isWanted(id))) {
      made.push(await measure({ ...row, work: `edit ${row.name}` }, createEdits(place, row)));
    }
    return made;
  });
}

async function measure({ rounds, ...row }, works) {
  const [raw, ours] = await timeByTurns(works, {
    rounds,
    warmUpRounds: 5,
    pauseMs: PAUSE_MS,
  });
  return toRowWithBest({ ...row, raw, ours });
}

function createWrites({ rawFolder, ourFolder, invoke }, { bytes }) {
  const text = createLines({ bytes, isLoose: false }).join("").slice(0, bytes);
  // Of another size each time, as contents are.
  const contentOf = (call) => `${call}\n${text}${"x".repeat(call % 7)}`;
  return [
    (call) => writePlainly({ folder: rawFolder, name: "file", data: contentOf(call) }),
    (call) => invoke("write", { path: `${ourFolder}/file`, content: contentOf(call) }),
  ];
}

function createEdits({ root, rawFolder, ourFolder, invoke }, { bytes, isLoose }) {
  const lines = createLines({ bytes, isLoose });
  const at = Math.floor((lines.length * PLACE_SHARE) / LOOSE_EVERY) * LOOSE_EVERY;
  const line = lines[at];
  for (const folder of [rawFolder, join(root, ourFolder)]) {
    writeFileSync(join(folder, "file"), lines.join(""));
  }
  const textOf = (call) => (call === 0 ? line : line.replace("value", `changed${call}`));
  return [
    async (call) => {
      const data = await readFile(join(rawFolder, "file"), "utf8");
      const [oldText, newText] = [textOf(call), textOf(call + 1)];
      const place = data.indexOf(oldText);
      if (place === -1) throw new Error("the plain edit does not fit");
      const after = data.slice(0, place) + newText + data.slice(place + oldText.length);
      await writePlainly({ folder: rawFolder, name: "file", data: after });
    },
    (call) => {
      const texts = [textOf(call), textOf(call + 1)];
      const [oldText, newText] = isLoose ? texts.map(toPlain) : texts;
      return invoke("edit", { path: `${ourFolder}/file`, oldText, newText });
    },
  ];
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
