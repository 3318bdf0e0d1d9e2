// A process that adds grants is killed at random moments: the list is always whole, has every grant
// that was told as done, and the next writer goes on.

import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { buildProgram, chooseKill, readProgress, runAndKill } from "../faults/run-and-kill.js";

const KILLS = campaignSize({ slice: 8, campaign: 1_000 });
const TITLE = "the list of approvals is whole after every kill -9, and no confirmed grant is lost";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "approvals-kill-")));
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

/** None before the first grant; a list that is not whole throws. */
function readPatterns(path: string): string[] {
  if (!existsSync(path)) return [];
  const { agents } = JSON.parse(readFileSync(path, "utf8"));
  return agents.main.allowlist.map((entry: { readonly pattern: string }) => entry.pattern);
}

describe("a killed writer of grants", () => {
  it(TITLE, { timeout: KILLS * 10_000 + 60_000 }, async () => {
    const random = seededRandom(campaignSeed());
    const program = join(place, "writer.mjs");
    await buildProgram(new URL("./approvals-writer.ts", import.meta.url), program);
    const folder = realpathSync(mkdtempSync(join(place, "state-")));
    const path = join(folder, "exec-approvals.json");
    let present = 0;
    let inTheMiddle = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const lines = await runAndKill({
        program,
        args: [path, "grant", `${present + 1}`],
        watched: [folder],
        kill: chooseKill(random),
      });
      const { begun, done } = readProgress(lines, present);
      const patterns = readPatterns(path);
      expect(patterns).toEqual(patterns.map((_, index) => `/bin/grant-${index + 1}`));
      expect(patterns.length).toBeGreaterThanOrEqual(done);
      expect(patterns.length).toBeLessThanOrEqual(begun);
      if (begun > done) inTheMiddle++;
      present = patterns.length;
    }
    expect(present).toBeGreaterThan(0);
    expect(inTheMiddle).toBeGreaterThan(0);
    const left = readdirSync(folder).filter(
      (name) => !/^exec-approvals\.json(\.lock|\.new)?$/.test(name),
    );
    expect(left.filter((name) => !name.startsWith("exec-approvals.json.lock."))).toEqual([]);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${inTheMiddle} in the middle of a change`,
    });
  });
});
