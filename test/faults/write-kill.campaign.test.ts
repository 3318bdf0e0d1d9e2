// A process that writes and edits one file is killed at random moments: the file is always whole, of
// the last finished version or the one begun after it, and what it leaves is gone with the next write.

import {
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
import { buildProgram, type Kill, readProgress, runAndKill } from "./run-and-kill.js";
import { contentOf, FILE_NAME, versionOf } from "./write-content.js";

const KILLS = campaignSize({ slice: 6, campaign: 1_000 });
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const MAX_LINES = 4;
const MAX_DELAY_MS = 20;
const MAX_WATCHED_DELAY_MS = 8;
const TITLE = "a file is whole after every kill -9, and the next write leaves no temporary file";

let place: string;
let root: string;
let program: string;

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "write-kill-")));
  root = realpathSync(mkdtempSync(join(place, "root-")));
  program = join(place, "write-loop.mjs");
  await buildProgram(new URL("./write-loop.ts", import.meta.url), program);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

function chooseKill(random: () => number): Kill {
  const kills: readonly Kill[] = [
    { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS },
    { after: { ending: ".clawtmp" }, delayMs: random() * MAX_WATCHED_DELAY_MS },
    // At once: a write in place would be found half done.
    { after: { ending: FILE_NAME }, delayMs: 0 },
  ];
  return kills[Math.floor(random() * kills.length)] ?? { after: 1, delayMs: 0 };
}

const listTemporaries = () => readdirSync(root).filter((name) => name.endsWith(".clawtmp"));

describe("kill -9 during a write", () => {
  it(TITLE, async () => {
    const random = seededRandom(campaignSeed());
    const bridge = createNodeBridge(root);
    const tally = { cut: 0, left: 0 };
    writeFileSync(join(root, FILE_NAME), contentOf(0));
    let version = 0;
    for (let kills = 0; kills < KILLS; kills++) {
      const said = await runAndKill({
        program,
        args: [root, String(version + 1)],
        watched: [root],
        kill: chooseKill(random),
      });
      const { begun, done } = readProgress(said, version);
      const found = versionOf(readFileSync(join(root, FILE_NAME), "utf8"));
      expect([done, begun], `kill ${kills}, seed ${campaignSeed()}`).toContain(found);
      version = found ?? 0;
      if (begun > done) tally.cut++;
      tally.left += listTemporaries().length;
      await bridge.writeFile({ filePath: "neighbour.txt", data: "x" });
      expect(listTemporaries(), `kill ${kills}, seed ${campaignSeed()}`).toEqual([]);
    }
    // Kills that hit nothing would prove nothing.
    expect(tally.cut).toBeGreaterThan(0);
    if (IS_CAMPAIGN) expect(tally.left).toBeGreaterThan(0);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${tally.cut} during a call, ${tally.left} temporary files left and removed, ${version} versions`,
    });
  });
});
