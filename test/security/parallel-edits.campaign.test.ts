// Ten edits of one file at once, through two bridges and by several spellings: none is lost, round
// after round; without the queue some are.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge, type FsBridge } from "clawtools";
import { createMemoryBridge } from "clawtools/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withFiles } from "../../src/core/files/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";

const ROUNDS = campaignSize({ slice: 15, campaign: 1_000 });
const EDITS = 10;
const TITLE =
  "ten edits of one file at once are all there, through two bridges and by any spelling";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "parallel-edits-")));
  mkdirSync(join(root, "dir"));
  symlinkSync("../a.txt", join(root, "dir/link"));
  symlinkSync("dir", join(root, "folder"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const LINES = Array.from({ length: EDITS }, (_, index) => `[ ] edit ${index}\n`);
const START = LINES.join("");
const isDone = (text: string) => text === START.replaceAll("[ ]", "[x]");

interface Edit {
  readonly bridge: FsBridge;
  readonly filePath: string;
  readonly index: number;
}

async function tick({ bridge, filePath, index }: Edit): Promise<void> {
  const before = String(await bridge.readFile({ filePath }));
  const data = before.replace(`[ ] edit ${index}\n`, `[x] edit ${index}\n`);
  await bridge.writeFile({ filePath, data });
}

const tickInTurn = (edit: Edit) =>
  withFiles(edit.bridge, [{ filePath: edit.filePath }], (bridge) => tick({ ...edit, bridge }));

it(TITLE, async () => {
  const random = seededRandom(campaignSeed());
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };
  const bridges = [createNodeBridge(root), createNodeBridge(join(root, "dir/.."))];
  const spellings = ["a.txt", "dir/link", "folder/link", "./dir/../a.txt", join(root, "a.txt")];
  let lostByNaive = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const edits = LINES.map((_, index) => ({
      bridge: pick(bridges),
      filePath: pick(spellings),
      index,
    }));
    writeFileSync(join(root, "a.txt"), START);
    await Promise.all(edits.map(tickInTurn));
    const text = readFileSync(join(root, "a.txt"), "utf8");
    expect(isDone(text), `round ${round}, seed ${campaignSeed()}:\n${text}`).toBe(true);
    writeFileSync(join(root, "a.txt"), START);
    await Promise.all(edits.map(tick));
    if (!isDone(readFileSync(join(root, "a.txt"), "utf8"))) lostByNaive++;
  }
  expect(lostByNaive).toBeGreaterThan(0);
  reportCampaign({
    title: TITLE,
    size: ROUNDS,
    detail: `no edit lost of ${ROUNDS * EDITS}; without the queue ${lostByNaive} rounds lost some`,
  });
});

it("ten edits at once are all there in memory, and through a bridge of four methods", async () => {
  const memory = createMemoryBridge({ "a.txt": START });
  const { stat, readFile, mkdirp, writeFile } = createNodeBridge(root);
  writeFileSync(join(root, "a.txt"), START);
  for (const bridge of [memory, { stat, readFile, mkdirp, writeFile }]) {
    const edits = LINES.map((_, index) => ({ bridge, filePath: "a.txt", index }));
    await Promise.all(edits.map(tickInTurn));
    expect(isDone(String(await bridge.readFile({ filePath: "a.txt" })))).toBe(true);
  }
});
