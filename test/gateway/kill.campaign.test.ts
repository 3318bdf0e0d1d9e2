// kill -9 of a gateway while methods with idempotency keys run and its config changes: no effect
// twice, no answer that contradicts the store, no config torn or lost.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { buildInPieces, readProgress, runAndKill } from "../faults/run-and-kill.js";
import { openKilled, repeat } from "./kill-loop.js";
import { makeFolder } from "./start-gateway.js";

const TITLE = "a killed gateway repeats no effect and keeps its config";
const KILLS = campaignSize({ slice: 4, campaign: 500 });
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
    const program = await buildInPieces(new URL("./kill-program.ts", import.meta.url));
    const random = seededRandom(campaignSeed());
    /** Calls of earlier lives that were not repeated yet, and whether they were told done. */
    const told = new Map<number, boolean>();
    let next = 0;
    let calls = 0;
    let unknown = 0;
    const judge = (step: number, answer: unknown) => {
      if (answer === "outcome_unknown" && told.get(step) === false) unknown += 1;
      else expect(answer).toEqual({ step, square: step * step });
      told.delete(step);
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const repeated = [...told.keys()].join(",");
      const lines = await runAndKill({
        program,
        args: [place.root, place.stateDir, place.effects, place.configFile, String(next), repeated],
        watched: [],
        kill: { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS },
      });
      for (const line of lines) {
        const [, step, answer] = /^again (\d+) (.+)$/.exec(line) ?? [];
        if (answer !== undefined) judge(Number(step), JSON.parse(answer));
      }
      const { begun, done } = readProgress(lines, next - 1);
      for (let step = next; step <= begun; step++) told.set(step, step <= done);
      const config = lines.findLast((line) => line.startsWith("config "));
      assertConfig(place.configFile, Number(config?.slice("config ".length) ?? 1));
      calls += begun + 1 - next;
      next = begun + 1;
    }
    const gateway = await openKilled(place);
    onTestFinished(() => gateway.close());
    for (const step of [...told.keys()]) judge(step, await repeat(gateway, step));
    const effects = existsSync(place.effects)
      ? readFileSync(place.effects, "utf8").split("\n").filter(Boolean)
      : [];
    expect(new Set(effects).size).toBe(effects.length);
    const detail = `${calls} calls, ${unknown} unknown outcomes`;
    reportCampaign({ title: TITLE, size: KILLS, detail });
  });
});

function assertConfig(file: string, said: number): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain("// Kept.");
  const found = Number(/"timeoutMs": (\d+)/.exec(text)?.[1]);
  expect(found).toBeGreaterThanOrEqual(said);
}
