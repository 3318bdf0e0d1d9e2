// kill -9 of a process that runs an agent, at random moments: every message is answered, no call is
// without a result, and nothing that was begun runs twice.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { buildInPieces, runAndKill } from "../faults/run-and-kill.js";

const KILLS = campaignSize({ slice: 5, campaign: 2_000 });
const CONTROL_KILLS = campaignSize({ slice: 0, campaign: 200 });
/** One for each core of a small machine, each with a folder of its own. */
const LANES = 2;
/** A long transcript would make every start slower. */
const KILLS_PER_SESSION = 25;
const MAX_DELAY_MS = 150;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const LONG_MS = 4 * 60 * 60_000;

interface Row {
  readonly type: string;
  readonly call?: string;
  readonly missing?: string;
  readonly isError?: boolean;
  readonly content?: readonly {
    readonly type: string;
    readonly id: string;
    readonly name: string;
    readonly arguments: { readonly text: string };
  }[];
  readonly run?: string;
}

async function killAndFinish(mode: "work" | "rerun", kills: number) {
  const program = await buildInPieces(new URL("./kill-program.ts", import.meta.url));
  const lanes = Array.from({ length: LANES }, (_, lane) => {
    const count = Math.floor(kills / LANES) + (lane < kills % LANES ? 1 : 0);
    return killInLane({ program, mode, kills: count, seed: campaignSeed() + lane });
  });
  const outcomes = await Promise.all(lanes);
  return {
    sent: outcomes.flatMap(({ sent }) => sent),
    records: outcomes.flatMap(({ records }) => records),
    effects: outcomes.flatMap(({ effects }) => effects),
    lost: outcomes.flatMap(({ lost }) => lost),
  };
}

/** One process after the other in a folder of their own; the last one finishes what is left. */
async function killInLane(lane: {
  readonly program: string;
  readonly mode: "work" | "rerun";
  readonly kills: number;
  readonly seed: number;
}) {
  const { program, mode, kills } = lane;
  const folder = mkdtempSync(join(tmpdir(), "clawtools-agent-kill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const random = seededRandom(lane.seed);
  const sent: string[] = [];
  for (let count = 0; count < kills; count += 1) {
    const kill = { after: 1 + Math.floor(random() * 6), delayMs: random() * MAX_DELAY_MS };
    const group = String(Math.floor(count / KILLS_PER_SESSION));
    const lines = await runAndKill({ program, args: [folder, mode, group], watched: [], kill });
    for (const line of lines) if (line.startsWith("sent ")) sent.push(line.slice("sent ".length));
  }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, folder, "finish", ...sent],
    { maxBuffer: MAX_OUTPUT_BYTES },
  );
  const lines = stdout.trim().split("\n");
  const records = lines.flatMap((line): Row[] =>
    line.startsWith("record ") ? [JSON.parse(line.slice(line.indexOf("{")))] : [],
  );
  const effects = readFileSync(join(folder, "effects.log"), "utf8").trim().split("\n");
  return { sent, records, effects, lost: lines.filter((line) => line.startsWith("lost ")) };
}

function judge({
  records,
  effects,
}: {
  readonly records: readonly Row[];
  readonly effects: readonly string[];
}) {
  const calls = records.flatMap(({ type, content = [] }) =>
    type === "assistant" ? content.filter((part) => part.type === "toolCall") : [],
  );
  const results = records.filter(({ type }) => type === "result");
  const answered = new Set(results.map(({ call }) => call));
  const done = new Set(effects);
  const ok = new Set(results.flatMap(({ call, isError }) => (isError ? [] : [call])));
  return {
    orphanCalls: calls.filter(({ id }) => !answered.has(id)).length,
    doubleResults: results.length - answered.size,
    doubleEffects: effects.length - done.size,
    okWithoutEffect: calls.filter(
      ({ id, name, arguments: { text } }) => name === "effect" && ok.has(id) && !done.has(text),
    ).length,
    unknown: results.filter(({ missing }) => missing === "unknown").length,
  };
}

it("a killed agent loses no message, orphans no call and runs none twice", {
  timeout: LONG_MS,
}, async () => {
  const outcome = await killAndFinish("work", KILLS);
  const found = judge(outcome);
  expect(outcome.sent.length).toBeGreaterThan(0);
  expect(outcome.lost).toEqual([]);
  expect(found).toMatchObject({
    orphanCalls: 0,
    doubleResults: 0,
    doubleEffects: 0,
    okWithoutEffect: 0,
  });
  const text = JSON.stringify(outcome.records);
  for (const runId of outcome.sent) expect(text).toContain(runId);
  reportCampaign({
    title: "a killed agent loses no message, orphans no call and runs none twice",
    size: KILLS,
    detail: JSON.stringify(found),
  });
});

it.runIf(CONTROL_KILLS > 0)(
  "the control that reruns begun calls runs some twice",
  { timeout: LONG_MS },
  async () => {
    const found = judge(await killAndFinish("rerun", CONTROL_KILLS));
    expect(found.doubleEffects).toBeGreaterThan(0);
    reportCampaign({
      title: "the control that reruns begun calls runs some twice",
      size: CONTROL_KILLS,
    });
  },
);
