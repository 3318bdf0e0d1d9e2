// A process that writes, moves and removes files is killed at random moments: every file is whole, a
// moved one has one name, and what the process leaves is gone with the next change.

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { readState, stateAfter } from "./move-steps.js";
import { buildProgram, chooseKill, readProgress, runAndKill } from "./run-and-kill.js";

const KILLS = campaignSize({ slice: 8, campaign: 1_000 });
const TITLE = "files are whole and have one name after every kill -9 during writes, moves, removes";

let place: string;
let root: string;
let program: string;

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "move-kill-")));
  root = join(place, "root");
  program = join(place, "move-loop.mjs");
  for (const folder of ["here", "there"]) mkdirSync(join(root, folder), { recursive: true });
  await buildProgram(new URL("./move-loop.ts", import.meta.url), program);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const listTemporaries = () =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".clawtmp"),
  );

describe("kill -9 during a move", () => {
  it(TITLE, async () => {
    const random = seededRandom(campaignSeed());
    const bridge = createNodeBridge(root);
    const tally = { cut: 0, left: 0 };
    let step = -1;
    for (let kills = 0; kills < KILLS; kills++) {
      const said = await runAndKill({
        program,
        args: [root, String(step + 1)],
        watched: [join(root, "here"), join(root, "there")],
        kill: chooseKill(random),
      });
      const { begun, done } = readProgress(said, step);
      const state = readState(root);
      const found = [begun, done].find((one) => isSame(stateAfter(one), state));
      expect(found, `kill ${kills}, seed ${campaignSeed()}: begun ${begun}`).toBeDefined();
      step = found ?? step;
      if (begun > done) tally.cut++;
      tally.left += listTemporaries().length;
      await bridge.writeFile({ filePath: "here/neighbour", data: "x" });
      await bridge.remove({ filePath: "here/neighbour" });
      await bridge.writeFile({ filePath: "there/neighbour", data: "x" });
      await bridge.remove({ filePath: "there/neighbour" });
      expect(listTemporaries(), `kill ${kills}, seed ${campaignSeed()}`).toEqual([]);
    }
    expect(tally.cut).toBeGreaterThan(0);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${tally.cut} during a call, ${tally.left} temporary files left and removed, ${step} steps`,
    });
  });
});

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
