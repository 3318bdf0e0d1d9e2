// An attacker moves links, files and the root itself while the bridge reads and writes. Nothing
// from outside is ever read, nothing outside ever changes; a naive check in the same run does leak.

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { Worker } from "node:worker_threads";
import { createNodeBridge, type FsBridge } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSize, reportCampaign } from "../fakes/campaign.js";

const READS = campaignSize({ slice: 6_000, campaign: 200_000 });
const WRITES = campaignSize({ slice: 600, campaign: 100_000 });
const ROOT_MOVES = campaignSize({ slice: 2_000, campaign: 50_000 });
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const AT_ONCE = 8;
const SECRET = "from outside";
const REFUSALS: ReadonlySet<unknown> = new Set([
  "path_outside_root",
  "not_regular_file",
  "root_replaced",
  // The name became something else between two looks at it: refused, nothing written.
  "path_changed",
]);

/** Runs in a thread of its own until it is told to stop; counts its rounds. */
const ATTACKS = {
  folderLink: `
    link("real"); rename(at("root/next"), at("root/flip"));
    link(at("outside")); rename(at("root/next"), at("root/flip"));`,
  leaf: `
    fs.writeFileSync(at("root/next"), "inside"); rename(at("root/next"), at("root/leaf"));
    link(at("outside/data")); rename(at("root/next"), at("root/leaf"));
    fs.linkSync(at("pipe"), at("root/next")); rename(at("root/next"), at("root/leaf"));`,
  rootItself: `
    rename(at("root"), at("moved")); fs.symlinkSync(at("outside"), at("root"));
    fs.unlinkSync(at("root")); rename(at("moved"), at("root"));
    rename(at("root"), at("moved")); rename(at("outside"), at("root"));
    rename(at("root"), at("outside")); rename(at("moved"), at("root"));
    for (let pause = 0; pause < 100000; pause++) Atomics.load(control, 0);`,
} as const;

function attackerCode(moves: string): string {
  return `
    const fs = require("node:fs");
    const { parentPort, workerData } = require("node:worker_threads");
    const control = new Int32Array(workerData.control);
    const at = (name) => workerData.place + "/" + name;
    const rename = fs.renameSync;
    const link = (target) => fs.symlinkSync(target, at("root/next"));
    while (Atomics.load(control, 0) === 0) {
      ${moves}
      if (Atomics.add(control, 1, 1) === 0) parentPort.postMessage("begun");
    }`;
}

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fs-race-")));
  layOut(place);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

function layOut(folder: string): void {
  for (const name of ["root/real", "outside"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "root/data"), "inside");
  writeFileSync(join(folder, "root/real/data"), "inside");
  writeFileSync(join(folder, "outside/data"), SECRET);
  symlinkSync("real", join(folder, "root/flip"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
}

/** Runs `work` under attack and gives the number of the attacker's rounds. */
async function underAttack(attack: keyof typeof ATTACKS, work: () => Promise<void>) {
  const control = new SharedArrayBuffer(8);
  const state = new Int32Array(control);
  const worker = new Worker(attackerCode(ATTACKS[attack]), {
    eval: true,
    workerData: { control, place },
  });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => resolve());
  });
  const begun = new Promise((resolve) => worker.once("message", resolve));
  try {
    await Promise.race([
      begun.then(work),
      ended.then(() => Promise.reject(new Error("attacker ended"))),
    ]);
  } finally {
    Atomics.store(state, 0, 1);
    await ended;
  }
  return Atomics.load(state, 1);
}

interface Tally {
  done: number;
  refused: number;
  leaked: number;
  /** Reasons of the refusals. */
  readonly reasons: Set<unknown>;
}

/** `attempt` resolves to true when something from outside came in. */
async function repeat(times: number, attempt: (index: number) => Promise<boolean>): Promise<Tally> {
  const tally: Tally = { done: 0, refused: 0, leaked: 0, reasons: new Set() };
  let next = 0;
  const runner = async () => {
    while (next < times) {
      try {
        if (await attempt(next++)) tally.leaked++;
        tally.done++;
      } catch (error) {
        tally.reasons.add(error instanceof Error ? Reflect.get(error, "reason") : error);
        tally.refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
  return tally;
}

const root = () => join(place, "root");
const isSecret = (bytes: Buffer) => bytes.toString().includes(SECRET);
const readVia = (bridge: FsBridge, filePath: string) => async () =>
  isSecret(await bridge.readFile({ filePath }));
const writeVia = (bridge: FsBridge, folder: string) => async (index: number) => {
  const filePath = index % 3 === 0 ? `${folder}/made-${index}/x` : `${folder}/x-${index % 50}`;
  await bridge.writeFile({ filePath, data: "written" });
  return false;
};

/** What most programs do: look where the path leads, then use the path. */
async function checkNaively(path: string): Promise<string> {
  if (!(await realpath(path)).startsWith(`${root()}${sep}`)) {
    throw Object.assign(new Error("outside"), { code: "OUTSIDE" });
  }
  return path;
}

const readNaively = async () =>
  isSecret(await readFile(await checkNaively(join(root(), "flip/data"))));
const writeNaively = async (index: number) => {
  const path = join(root(), `flip/naive-${index % 50}`);
  await checkNaively(dirname(path));
  await writeFile(path, "written");
  return false;
};

function expectOutsideUntouched(): void {
  expect(readdirSync(join(place, "outside"))).toEqual(["data"]);
  expect(readFileSync(join(place, "outside/data"), "utf8")).toBe(SECRET);
}

function expectSafe(tally: Tally | undefined): asserts tally is Tally {
  expect(tally).toMatchObject({ leaked: 0 });
  const surprising = [...(tally?.reasons ?? [])].filter((reason) => !REFUSALS.has(reason));
  expect(surprising).toEqual([]);
}

function report(title: string, tally: Tally, more: string): void {
  const size = tally.done + tally.refused;
  reportCampaign({
    title,
    size,
    detail: `${tally.leaked} leaks, ${tally.done} done, ${tally.refused} refused; ${more}`,
  });
}

const READ_TITLE = "reading through a folder link that flips never gives what lies outside";
const WRITE_TITLE = "writing through a folder link that flips never changes what lies outside";
const LEAF_TITLE = "a name that is file, link and pipe in turn gives no leak and blocks nothing";
const ROOT_TITLE = "a root that is moved and replaced gives no leak";

describe("a bridge under attack", () => {
  it(READ_TITLE, async () => {
    const bridge = createNodeBridge(root());
    let tally: Tally | undefined;
    let naive: Tally | undefined;
    const rounds = await underAttack("folderLink", async () => {
      tally = await repeat(READS, readVia(bridge, "flip/data"));
      naive = await repeat(READS, readNaively);
    });
    expect(rounds).toBeGreaterThan(0);
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    report(READ_TITLE, tally, `naive check: ${naive?.leaked} leaks of ${READS}`);
    if (IS_CAMPAIGN) expect(naive?.leaked).toBeGreaterThan(0);
  });

  it(WRITE_TITLE, async () => {
    const bridge = createNodeBridge(root());
    let tally: Tally | undefined;
    await underAttack("folderLink", async () => {
      tally = await repeat(WRITES, writeVia(bridge, "flip"));
    });
    expectOutsideUntouched();
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    const naiveRounds = WRITES * 5;
    await underAttack("folderLink", async () => {
      await repeat(naiveRounds, writeNaively);
    });
    const naive = readdirSync(join(place, "outside")).length - 1;
    report(WRITE_TITLE, tally, `naive check: ${naive} of 50 names made outside`);
    if (IS_CAMPAIGN) expect(naive).toBeGreaterThan(0);
  });

  it(LEAF_TITLE, async () => {
    const bridge = createNodeBridge(root());
    writeFileSync(join(root(), "leaf"), "inside");
    let reads: Tally | undefined;
    let writes: Tally | undefined;
    await underAttack("leaf", async () => {
      reads = await repeat(READS / 2, readVia(bridge, "leaf"));
      writes = await repeat(WRITES / 2, async () => {
        await bridge.writeFile({ filePath: "leaf", data: "written" });
        return false;
      });
    });
    expectSafe(reads);
    expectSafe(writes);
    expectOutsideUntouched();
    report(LEAF_TITLE, reads, `and ${WRITES / 2} writes`);
  });

  it(ROOT_TITLE, async () => {
    const bridge = createNodeBridge(root());
    await bridge.stat({ filePath: "." });
    let tally: Tally | undefined;
    await underAttack("rootItself", async () => {
      const write = writeVia(bridge, "real");
      const read = readVia(bridge, "data");
      tally = await repeat(ROOT_MOVES, (index) => (index % 4 === 0 ? write(index) : read()));
    });
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expectOutsideUntouched();
    report(ROOT_TITLE, tally, "one in four a write");
  });
});
