// A process that changes a file and takes changes back is killed at random moments: the last change
// that is there can always be undone to the exact old bytes, and that undo can be undone.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNodeBridge } from "clawtools";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { chooseKill, readProgress, runAndKill } from "./run-and-kill.js";
import { openUndoHistory } from "./undo-history.js";
import { contentOf, FILE_NAME, versionOf } from "./write-content.js";

const KILLS = campaignSize({ slice: 8, campaign: 1_000 });
const TITLE = "the last change is undone to the exact old bytes after every kill -9";

let place: string;
let program: string;

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "undo-kill-")));
  // Beside the packages of the project, so that the store finds its own.
  program = join(PROJECT_DIR, ".cache", `undo-loop-${randomBytes(6).toString("hex")}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL("./undo-loop.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    external: ["@photostructure/sqlite"],
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});

afterEach(() => {
  rmSync(place, { recursive: true, force: true });
  rmSync(program, { force: true });
});

describe("kill -9 during changes and undo", () => {
  it(
    TITLE,
    async () => {
      const random = seededRandom(campaignSeed());
      const [root, state] = [join(place, "root"), join(place, "state")];
      for (const folder of [root, state]) mkdirSync(folder);
      const bridge = createNodeBridge(root);
      const read = () => readFileSync(join(root, FILE_NAME), "utf8");
      writeFileSync(join(root, FILE_NAME), contentOf(0));
      let version = 0;
      let cut = 0;
      for (let kills = 0; kills < KILLS; kills++) {
        const args = [root, state, String(version + 1)];
        const watched = [root, state];
        const said = await runAndKill({ program, args, watched, kill: chooseKill(random) });
        const { begun, done } = readProgress(said, version);
        if (begun > done) cut++;
        const hint = `kill ${kills}, seed ${campaignSeed()}`;
        const found = versionOf(read()) ?? -1;
        expect([done - 1, done, begun], hint).toContain(found);
        version = found;
        if (found === 0) continue;
        const hex = (count: number) => randomBytes(count).toString("hex");
        const { history, close } = openUndoHistory({ root, state, hex });
        const { undoId } = await history.undo({ toolCallId: `call-${found}`, bridge });
        expect(read() === contentOf(found - 1), hint).toBe(true);
        await history.undo({ toolCallId: undoId, bridge });
        expect(read() === contentOf(found), hint).toBe(true);
        await close();
      }
      // Kills that hit nothing would prove nothing.
      expect(version).toBeGreaterThan(0);
      reportCampaign({
        title: TITLE,
        size: KILLS,
        detail: `${cut} during a call, ${version} versions`,
      });
    },
    60_000 + KILLS * 10_000,
  );
});
