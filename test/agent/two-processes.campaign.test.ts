// Two processes over one store, both killed at random: each message between sessions and each sub-agent
// is answered exactly once, and each step of an exchange happens exactly once.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { buildInPieces, runAndKill } from "../faults/run-and-kill.js";

const KILLS = campaignSize({ slice: 4, campaign: 1_000 });
const CONTROL_KILLS = campaignSize({ slice: 0, campaign: 100 });
/** Each start looks at all that is in the store. */
const KILLS_PER_STORE = 50;
const MAX_LINES = 4;
const MAX_DELAY_MS = 150;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const LONG_MS = 6 * 60 * 60_000;
const TITLE = "two killed processes lose or double no reply, completion or step of an exchange";

interface RunLine {
  readonly type: "run";
  readonly runId: string;
  readonly record: {
    readonly kind: "send" | "spawn" | "input";
    readonly state: string;
    readonly notify: string;
    readonly requester?: { readonly sessionKey: string };
  };
}

interface RecordLine {
  readonly type: "record";
  readonly key: string;
  readonly record: {
    readonly type: string;
    readonly about?: readonly string[];
    readonly content?: readonly { readonly text?: string }[];
  };
}

async function killBoth(mode: "work" | "split", kills: number): Promise<(RunLine | RecordLine)[]> {
  const program = await buildInPieces(new URL("./two-processes-program.ts", import.meta.url));
  const lines: (RunLine | RecordLine)[] = [];
  for (let done = 0; done < kills; done += KILLS_PER_STORE) {
    const count = Math.min(KILLS_PER_STORE, kills - done);
    for (const line of await killOverStore({ program, mode, kills: count, seed: done }))
      lines.push(line);
  }
  return lines;
}

async function killOverStore(round: {
  readonly program: string;
  readonly mode: "work" | "split";
  readonly kills: number;
  readonly seed: number;
}): Promise<(RunLine | RecordLine)[]> {
  const { program, mode, kills } = round;
  const folder = mkdtempSync(join(tmpdir(), "clawtools-two-processes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const killOften = async (seed: number) => {
    const random = seededRandom(seed);
    for (let count = 0; count < kills / 2; count += 1) {
      const after = 1 + Math.floor(random() * MAX_LINES);
      const kill = { after, delayMs: random() * MAX_DELAY_MS };
      await runAndKill({ program, args: [folder, mode], watched: [], kill });
    }
  };
  const seed = campaignSeed() + round.seed;
  await Promise.all([killOften(seed), killOften(seed + 1)]);
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, "finish"], {
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function judge(lines: readonly (RunLine | RecordLine)[]) {
  const runs = lines.filter((line) => line.type === "run");
  const records = lines.filter((line) => line.type === "record");
  const taken = new Map<string, number>();
  for (const { record } of records) {
    for (const id of record.about ?? []) taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  /** Completions, and results of the waiting call, by run. */
  const announced = new Map<string, number>();
  for (const { record } of records) {
    const text = (record.content ?? []).map((part) => part.text ?? "").join("\n");
    const ids = [...text.matchAll(/\. Run (\w+), session/g)].map(([, id]) => id);
    const reply = /"runId":\s*"(\w+)"[\s\S]*"status":\s*"(?:ok|error)"/.exec(text)?.[1];
    for (const id of record.type === "result" ? [reply] : record.type === "user" ? ids : []) {
      if (id !== undefined) announced.set(id, (announced.get(id) ?? 0) + 1);
    }
  }
  const asked = runs.filter(({ record }) => record.requester !== undefined);
  const steps = runs.filter(({ runId }) => runId.includes("."));
  const open = runs.filter(({ record }) => ["queued", "running"].includes(record.state));
  return {
    asked: asked.length,
    sends: asked.filter(({ record }) => record.kind === "send").length,
    replies: asked.filter(({ record }) => record.notify === "taken").length,
    steps: steps.length,
    neverEnded: open.length,
    lost: asked.filter(({ runId }) => !announced.has(runId)).length,
    doubled: asked.filter(({ runId }) => (announced.get(runId) ?? 0) > 1).length,
    notTaken: runs.filter(({ runId }) => !taken.has(runId)).length,
    takenTwice: runs.filter(({ runId }) => (taken.get(runId) ?? 0) > 1).length,
  };
}

it(TITLE, { timeout: LONG_MS }, async () => {
  const found = judge(await killBoth("work", KILLS));
  expect(found).toMatchObject({
    ...{ neverEnded: 0, lost: 0, doubled: 0, notTaken: 0, takenTwice: 0 },
  });
  expect(found.asked).toBeGreaterThan(0);
  reportCampaign({ title: TITLE, size: KILLS, detail: JSON.stringify(found) });
});

const CONTROL = "the control that writes in two transactions loses or doubles some";
it.runIf(CONTROL_KILLS > 0)(CONTROL, { timeout: LONG_MS }, async () => {
  const { lost, doubled, neverEnded, takenTwice } = judge(await killBoth("split", CONTROL_KILLS));
  expect(lost + doubled + neverEnded + takenTwice).toBeGreaterThan(0);
  const detail = JSON.stringify({ lost, doubled, neverEnded, takenTwice });
  reportCampaign({ title: CONTROL, size: CONTROL_KILLS, detail });
});
