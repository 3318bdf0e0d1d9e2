// A process whose toolkit changes a file and takes changes back is killed at random moments. The next
// toolkit finds the file whole, removes what was left, tells what was interrupted, and can undo.

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
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createToolkit, type Toolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useProgram } from "../contract/store/processes.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { contentOf, versionOf } from "./apply-patch-content.js";
import { chooseKill, readProgress, runAndKill } from "./run-and-kill.js";
import { FILE_PATH } from "./toolkit-steps.js";

const KILLS = campaignSize({ slice: 4, campaign: 1_000 });
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const STEPS_BACK = 5;
const TITLE =
  "after every kill -9 of a toolkit the file is whole, nothing is left, interrupted calls are reported and the last call is undone";

const entry = fileURLToPath(new URL("./toolkit-loop.ts", import.meta.url));
const program = useProgram(
  `import { change } from ${JSON.stringify(entry)}; await change(process.argv.slice(2));`,
);

let place: string;
let root: string;
let stateDir: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "toolkit-kill-")));
  [root, stateDir] = [join(place, "root"), join(place, "state")];
  mkdirSync(dirname(join(root, FILE_PATH)), { recursive: true });
  writeFileSync(join(root, FILE_PATH), contentOf(0));
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const read = () => readFileSync(join(root, FILE_PATH), "utf8");
const listNames = () => readdirSync(dirname(join(root, FILE_PATH)));

/** A toolkit that has looked after what was left, with what it told. */
async function startNext() {
  const toolkit = createToolkit({ root, stateDir });
  const notices: string[] = [];
  toolkit.on("notice", ({ message }) => notices.push(message));
  const interrupted = await toolkit.interrupted();
  return { toolkit, notices, interrupted };
}

async function undoAndRedo(toolkit: Toolkit, version: number): Promise<boolean> {
  const { undoId } = await toolkit.undo(`call-${version}`);
  const wasBack = read() === contentOf(version - 1);
  await toolkit.undo(undoId);
  return wasBack && read() === contentOf(version);
}

describe("kill -9 of a process with a toolkit", () => {
  it(
    TITLE,
    async () => {
      const random = seededRandom(campaignSeed());
      const tally = { cut: 0, left: 0, told: 0 };
      let version = 0;
      for (let kills = 0; kills < KILLS; kills++) {
        const hint = `kill ${kills}, seed ${campaignSeed()}`;
        const watched = [dirname(join(root, FILE_PATH))];
        const args = [root, stateDir, String(version + 1)];
        const kill = chooseKill(random);
        const said = await runAndKill({ program: program(), args, watched, kill });
        const { begun, done } = readProgress(said, version);
        const found = versionOf(read()) ?? -1;
        expect([done - 1, done, begun], hint).toContain(found);
        tally.left += listNames().length - 1;
        const { toolkit, notices, interrupted } = await startNext();
        expect(listNames(), hint).toEqual(["victim.txt"]);
        const told = interrupted.slice(0, notices.length);
        expect(told.length, hint).toBeLessThanOrEqual(1);
        for (const { toolCallId, toolName } of told) {
          const wanted = toolName === "undo" ? /^(undo_[0-9a-f]+|call-\d+)$/ : /^call-\d+$/;
          expect(toolCallId, hint).toMatch(wanted);
          if (toolName !== "undo") expect([begun, done]).toContain(Number(toolCallId.slice(5)));
        }
        tally.told += told.length;
        if (begun > done) tally.cut++;
        version = found;
        if (version > 0) expect(await undoAndRedo(toolkit, version), hint).toBe(true);
        await toolkit.close();
      }
      expect(await undoBack(version)).toEqual(versionsBefore(version));
      // Kills that hit nothing would prove nothing.
      expect(version).toBeGreaterThan(0);
      // The few of a slice may all fall between two calls.
      if (IS_CAMPAIGN) expect(Math.min(tally.told, tally.left)).toBeGreaterThan(0);
      reportCampaign({
        title: TITLE,
        size: KILLS,
        detail: `${tally.cut} during a call, ${tally.told} reported as interrupted, ${tally.left} temporary files left and removed, ${version} versions`,
      });
    },
    60_000 + KILLS * 10_000,
  );
});

/** The versions that the last calls go back to, one after the other. */
async function undoBack(version: number): Promise<(number | undefined)[]> {
  const { toolkit } = await startNext();
  const found: (number | undefined)[] = [];
  for (let back = version; back > Math.max(0, version - STEPS_BACK); back--) {
    await toolkit.undo(`call-${back}`);
    found.push(versionOf(read()));
  }
  await toolkit.close();
  return found;
}

function versionsBefore(version: number): number[] {
  const count = Math.min(version, STEPS_BACK);
  return Array.from({ length: count }, (_, index) => version - 1 - index);
}
