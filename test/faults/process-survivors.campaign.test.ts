// What is left of a command: after its exit, its deadline, a kill, a close, and after kill -9 of the
// process that started it, at any moment of the start.

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createProcessSetting, startOf } from "./process-setting.js";
import {
  createToken,
  findSurvivors,
  killAll,
  leavingCommand,
  WAYS_OUT,
} from "./process-survivors.js";
import { buildProgram } from "./run-and-kill.js";

const MAX_KILL_DELAY_MS = 20;
const MAX_LATE_DELAY_MS = 150;
const GONE_WITHIN_MS = 2_000;
const WAY_COUNT = Object.keys(WAYS_OUT).length;
const signal = new AbortController().signal;

let tokens = 0;
const nextToken = () => createToken(tokens++);
const settings: ReturnType<typeof createProcessSetting>[] = [];

afterEach(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

const ENDINGS = ["exit", "timeout", "kill", "close"] as const;

async function endRun(
  ending: (typeof ENDINGS)[number],
  containment: "bwrap" | "namespace" | "group",
) {
  const setting = createProcessSetting({ containment });
  settings.push(setting);
  const { processes } = setting;
  const token = nextToken();
  const stay = ending === "exit" ? "" : "wait; sleep 60";
  // Mostly all children are there when the command says so, or ends.
  const command = `${leavingCommand(token)}\nsleep 0.15; echo up; ${stay}`;
  const run = await processes.start(
    startOf(command, ending === "timeout" ? { timeoutMs: 400 } : {}),
  );
  if (ending !== "exit") await run.waitForChange({ timeoutMs: 10_000, signal });
  // On a busy machine some of them are late; a deadline does not wait for them.
  if (ending === "kill" || ending === "close") {
    await expect.poll(() => findSurvivors(token).length).toBeGreaterThanOrEqual(WAY_COUNT);
  }
  const before = ending === "exit" ? WAY_COUNT : findSurvivors(token).length;
  if (ending === "kill") await run.kill();
  if (ending === "close") await processes.close();
  const end = await run.ended;
  return { token, before, end };
}

describe.each(["bwrap", "namespace"] as const)("in %s", (containment) => {
  it.each(ENDINGS)("nothing is left after %s", async (ending) => {
    const { token, before } = await endRun(ending, containment);
    expect(before).toBeGreaterThanOrEqual(WAY_COUNT);
    expect(findSurvivors(token)).toEqual([]);
  });
});

describe("in a mere group", () => {
  it.each(ENDINGS)(
    "at most what has left it and emptied its environment outlives %s",
    async (ending) => {
      const { token, before } = await endRun(ending, "group");
      const left = findSurvivors(token);
      killAll(left);
      expect(before).toBeGreaterThanOrEqual(WAY_COUNT);
      expect(left.length).toBeLessThanOrEqual(1);
    },
  );
});

describe("kill -9 of the process that starts commands", () => {
  const folder = mkdtempSync(join(tmpdir(), "survivors-"));
  const program = join(folder, "program.mjs");

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    await buildProgram(new URL("./process-start-program.ts", import.meta.url), program);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts four commands at once and is killed so long after it began to. */
  function startAndKill(
    way: string,
    when: number | "begun",
  ): Promise<{ token: string; said: string }> {
    const token = nextToken();
    const child = spawn(process.execPath, [program, way, token, leavingCommand(token), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    return new Promise((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (said === "" && when !== "begun") setTimeout(() => child.kill("SIGKILL"), when);
        said += text;
        if (when === "begun" && said.includes("begun")) child.kill("SIGKILL");
      });
      child.once("error", reject);
      child.once("close", (_code, name) => {
        if (name === "SIGKILL") resolve({ token, said });
        else reject(new Error(`the program ended by itself: ${said}`));
      });
    });
  }

  async function countLeft(token: string): Promise<number> {
    const until = performance.now() + GONE_WITHIN_MS;
    let left = findSurvivors(token);
    while (left.length > 0 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 10));
      left = findSurvivors(token);
    }
    killAll(left);
    return left.length;
  }

  const title = "at any moment of the start leaves nothing in a namespace";
  it(
    title,
    async () => {
      const size = campaignSize({ slice: 5, campaign: 500 });
      const random = seededRandom(campaignSeed());
      let left = 0;
      let begun = 0;
      for (let count = 0; count < size; count++) {
        const way = count % 2 === 0 ? "bwrap" : "namespace";
        // On a busy machine the word to go comes later, and is a moment to try too.
        const maxDelayMs = count % 4 < 3 ? MAX_KILL_DELAY_MS : MAX_LATE_DELAY_MS;
        const { token, said } = await startAndKill(way, random() * maxDelayMs);
        left += await countLeft(token);
        begun += said.split("begun").length - 1;
      }
      reportCampaign({ title, size, detail: `${left} left; ${begun} commands had begun` });
      expect(left).toBe(0);
    },
    campaignSize({ slice: 60_000, campaign: 1_800_000 }),
  );

  it("leaves children of a plain spawn, so that the test would see them", async () => {
    const { token } = await startAndKill("plain", 300);
    expect(await countLeft(token)).toBeGreaterThan(0);
  });

  it("leaves nothing of commands that run already", async () => {
    for (const way of ["bwrap", "namespace"]) {
      const { token } = await startAndKill(way, "begun");
      expect(await countLeft(token)).toBe(0);
    }
  });
});
