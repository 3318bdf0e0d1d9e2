// Rounds of start, use and end, each end of another kind: afterwards there is no process, no open port
// and no temporary folder of the browser. A browser that is only left to itself is found by the same
// look, so the look can fail.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../../fakes/campaign.js";
import {
  createLifeSetting,
  findProcesses,
  findScratch,
  holdsSoon,
  type LifeSetting,
  type OwnTemp,
  type PageServer,
  scope,
  servePages,
  useOwnTemp,
} from "./life-setting.js";
import { buildHolder, type HolderProgram } from "./other-process.js";

const ROUNDS = campaignSize({ slice: 3, campaign: 100 });
const ROUND_MS = 15_000;
const TITLE = "leaves no process, port or temporary folder, however each round ends";
const ENDS = ["stop", "kill browser", "kill renderer", "kill parent", "kill starter"] as const;
const MAX_GONE_MS = 10_000;

let setting: LifeSetting;
let pages: PageServer;
let program: HolderProgram;
let temp: OwnTemp;
/** Between the kill of a process and the end of its browser. */
let slowestMs = 0;

beforeAll(async () => {
  temp = await useOwnTemp();
  [setting, pages, program] = await Promise.all([
    createLifeSetting({ browser: { port: true } }),
    servePages(),
    buildHolder(),
  ]);
});
afterAll(async () => {
  await setting.close();
  await pages.close();
  program.remove();
  await temp.remove();
});

const isGone = () => findProcesses(setting.stateDir).length === 0;

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** The control: the look must see a browser that nobody ends. */
async function seeOneThatIsLeft(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "claw-left-"));
  const path = await findBrowser(undefined);
  const args = [
    "--headless",
    "--no-sandbox",
    `--user-data-dir=${folder}`,
    "--remote-debugging-port=0",
  ];
  const left = spawn(path, args, { stdio: "ignore" });
  const ended = once(left, "close");
  try {
    expect(await holdsSoon(() => findProcesses(folder).length > 1)).toBe(true);
  } finally {
    left.kill("SIGKILL");
    await ended;
    await holdsSoon(() => findProcesses(folder).length === 0);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Another process starts the browser and is killed, when it has it or on the way. */
async function playParent(when: "later" | "early"): Promise<void> {
  const { folder, stateDir } = setting;
  const place = { folder, stateDir, url: `${pages.url}/` };
  const holder = when === "later" ? await program.start(place) : program.begin(place);
  if (when === "early") {
    const isStarting = () => findProcesses(`--user-data-dir=${stateDir}`).length > 0;
    expect(await holdsSoon(isStarting, ROUND_MS)).toBe(true);
  }
  await holder.kill();
  const killedMs = performance.now();
  expect(await holdsSoon(isGone, MAX_GONE_MS)).toBe(true);
  slowestMs = Math.max(slowestMs, performance.now() - killedMs);
  // What the killed one could not remove, the next start does.
  await setting.browsers.start(scope());
  expect(findScratch(holder.pid)).toEqual([]);
}

/** The port that the browser had. */
async function play(end: (typeof ENDS)[number]): Promise<number> {
  const { browsers, stateDir } = setting;
  if (end === "kill parent") await playParent("later");
  if (end === "kill starter") await playParent("early");
  await browsers.open({ ...scope(), url: `${pages.url}/` });
  const { pid = 0, cdpPort = 0 } = await browsers.status(scope());
  if (end === "kill browser") process.kill(pid, "SIGKILL");
  if (end === "kill renderer") {
    const own = findProcesses(stateDir);
    for (const one of findProcesses("--type=renderer")) {
      if (own.includes(one)) process.kill(one, "SIGKILL");
    }
  }
  await browsers.stop(scope());
  return cdpPort;
}

describe("many lives of a browser", () => {
  it(TITLE, { timeout: ROUNDS * ROUND_MS + 30_000 }, async () => {
    await seeOneThatIsLeft();
    const random = seededRandom(campaignSeed());
    const before = temp.list();
    for (let round = 0; round < ROUNDS; round++) {
      const end = ENDS[(round + Math.floor(random() * ENDS.length)) % ENDS.length] ?? "stop";
      const port = await play(round < ENDS.length ? (ENDS[round] ?? "stop") : end);
      expect(port).toBeGreaterThan(0);
      expect(await holdsSoon(isGone)).toBe(true);
      expect(await isOpen(port)).toBe(false);
      expect(findScratch()).toEqual([]);
      expect(existsSync(join(setting.stateDir, "browser/chrome/running.json"))).toBe(false);
    }
    expect(temp.list()).toEqual(before);
    const detail = `a browser was gone at most ${Math.round(slowestMs)} ms after the kill of its process`;
    reportCampaign({ title: TITLE, size: ROUNDS, detail });
  });
});
