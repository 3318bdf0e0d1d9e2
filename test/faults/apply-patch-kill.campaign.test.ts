// A process that applies patches to several files is killed at random moments: every file is whole,
// with its content before the patch or behind it, none is lost, and what the process leaves is gone
// with the next write.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import {
  contentOf,
  LASTING_NAMES,
  movedName,
  namesOf,
  PASSING_NAME,
  versionOf,
} from "./apply-patch-content.js";
import { buildProgram, type Kill, readProgress, runAndKill } from "./run-and-kill.js";

const KILLS = campaignSize({ slice: 4, campaign: 1_000 });
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const MAX_LINES = 4;
const MAX_DELAY_MS = 30;
const MAX_WATCHED_DELAY_MS = 10;
const TITLE = "every file of a patch is whole after every kill -9, and no temporary file stays";

let place: string;
let program: string;

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "patch-kill-")));
  program = join(place, "apply-patch-loop.mjs");
  await buildProgram(new URL("./apply-patch-loop.ts", import.meta.url), program);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

function chooseKill(random: () => number): Kill {
  const kills: readonly Kill[] = [
    { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS },
    { after: { ending: ".clawtmp" }, delayMs: random() * MAX_WATCHED_DELAY_MS },
    // At once: between two files of one patch.
    { after: { ending: "changed.txt" }, delayMs: 0 },
    { after: { ending: "replaced.txt" }, delayMs: random() },
  ];
  return kills[Math.floor(random() * kills.length)] ?? { after: 1, delayMs: 0 };
}

const isTemporary = (name: string) => name.endsWith(".clawtmp");

/** Files by name, with the version each has as a whole. */
function readVersions(root: string): Map<string, number | undefined> {
  const names = readdirSync(root).filter((name) => !isTemporary(name));
  return new Map(names.map((name) => [name, versionOf(readFileSync(join(root, name), "utf8"))]));
}

describe("kill -9 during a patch", () => {
  it(TITLE, async () => {
    const random = seededRandom(campaignSeed());
    const tally = { cut: 0, between: 0, left: 0 };
    for (let kills = 0; kills < KILLS; kills++) {
      const where = `kill ${kills}, seed ${campaignSeed()}`;
      const root = join(place, `root-${kills}`);
      mkdirSync(root);
      for (const name of namesOf(0)) writeFileSync(join(root, name), contentOf(0));
      const kill = chooseKill(random);
      const said = await runAndKill({ program, args: [root, "1"], watched: [root], kill });
      const { begun, done } = readProgress(said, 0);
      const found = readVersions(root);
      for (const [name, version] of found)
        expect([done, begun], `${where}, ${name}`).toContain(version);
      for (const name of LASTING_NAMES) expect([...found.keys()], where).toContain(name);
      const known = [...LASTING_NAMES, PASSING_NAME, movedName(0), movedName(1)];
      expect(known, where).toEqual(expect.arrayContaining([...found.keys()]));
      expect(found.has(movedName(0)) !== found.has(movedName(1)), where).toBe(true);
      if (begun > done) tally.cut++;
      if (new Set(found.values()).size > 1) tally.between++;
      tally.left += readdirSync(root).filter(isTemporary).length;
      await createNodeBridge(root).writeFile({ filePath: "neighbour.txt", data: "x" });
      expect(readdirSync(root).filter(isTemporary), where).toEqual([]);
      rmSync(root, { recursive: true });
    }
    // Kills that hit nothing would prove nothing.
    expect(tally.cut).toBeGreaterThan(0);
    if (IS_CAMPAIGN) expect(Math.min(tally.between, tally.left)).toBeGreaterThan(0);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${tally.cut} during a call, ${tally.between} between two files, ${tally.left} temporary files left and removed`,
    });
  });
});
