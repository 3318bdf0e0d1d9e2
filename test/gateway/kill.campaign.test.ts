// kill -9 of a gateway while methods with idempotency keys run and its config changes: no effect
// twice, no answer that contradicts the store, no config torn or lost.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { buildProgram, readProgress, runAndKill } from "../faults/run-and-kill.js";
import { openKilled } from "./kill-loop.js";
import { makeFolder } from "./start-gateway.js";

const TITLE = "a killed gateway repeats no effect and keeps its config";
const KILLS = campaignSize({ slice: 6, campaign: 500 });
const MAX_LINES = 12;
const MAX_DELAY_MS = 12;

describe("kill -9 of a gateway", () => {
  it(TITLE, async () => {
    const folder = makeFolder();
    const root = join(folder, "root");
    const place = {
      root,
      stateDir: join(folder, "state"),
      effects: join(folder, "effects.txt"),
      configFile: join(folder, "clawtools.json"),
    };
    mkdirSync(root);
    writeFileSync(place.configFile, '{\n  // Kept.\n  "approvals": { "timeoutMs": 1 }\n}\n');
    // Inside the project, where packages are found.
    mkdirSync(join(PROJECT_DIR, ".cache"), { recursive: true });
    const bundle = mkdtempSync(join(PROJECT_DIR, ".cache", "gateway-kill-"));
    onTestFinished(() => rmSync(bundle, { recursive: true, force: true }));
    const program = join(bundle, "kill.mjs");
    await buildProgram(new URL("./kill-loop.ts", import.meta.url), program);
    const random = seededRandom(campaignSeed());
    const told = new Map<number, boolean>();
    let next = 0;
    let unknown = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const lines = await runAndKill({
        program,
        args: [place.root, place.stateDir, place.effects, place.configFile, String(next)],
        watched: [],
        kill: { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS },
      });
      const { begun, done } = readProgress(lines, next - 1);
      for (let step = next; step <= begun; step++) told.set(step, step <= done);
      const config = lines.findLast((line) => line.startsWith("config "));
      assertConfig(place.configFile, Number(config?.slice("config ".length) ?? 1));
      unknown += await repeatAll(place, told);
      next = begun + 1;
    }
    const effects = existsSync(place.effects)
      ? readFileSync(place.effects, "utf8").split("\n").filter(Boolean)
      : [];
    expect(new Set(effects).size).toBe(effects.length);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${told.size} calls, ${unknown} unknown outcomes`,
    });
  });
});

/** Every call again: what was told done gives the same answer, the rest runs once or says unknown. */
async function repeatAll(
  place: Parameters<typeof openKilled>[0],
  told: Map<number, boolean>,
): Promise<number> {
  const gateway = await openKilled(place);
  let unknown = 0;
  try {
    for (const [step, isDone] of told) {
      const call = gateway.call("test.effect", { step, idempotencyKey: `key-${step}` });
      const answer = await call.catch((error: { reason?: string }) => error.reason);
      if (isDone) expect(answer).toEqual({ step, square: step * step });
      else if (answer === "outcome_unknown") unknown++;
      else expect(answer).toEqual({ step, square: step * step });
    }
    told.clear();
  } finally {
    await gateway.close();
  }
  return unknown;
}

function assertConfig(file: string, said: number): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain("// Kept.");
  const found = Number(/"timeoutMs": (\d+)/.exec(text)?.[1]);
  expect(found).toBeGreaterThanOrEqual(said);
}
