// An attacker in a thread of its own who moves links, folders, files and the root while calls run;
// what the calls came to; and what most programs do instead, for comparison.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { Worker } from "node:worker_threads";
import { campaignSize, reportCampaign } from "../fakes/campaign.js";

export const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const SECRET = "from outside";
/** As many files lie outside, each with a name that is used inside too. */
export const NAMES = 50;
const AT_ONCE = 8;
const MAX_MORE = 50;

/** The two ways in which `root/flip` comes to lead out. */
export type Form = "link" | "folder";

const ATTACKS = {
  /** `flip` is a link that leads inside and outside in turn. */
  link: `
    link("real"); rename(at("root/next"), at("root/flip"));
    link(at("outside")); rename(at("root/next"), at("root/flip"));`,
  /** `flip` is a folder that is moved away, with a link that leads out in its place. */
  folder: `
    rename(at("root/flip"), at("away"));
    insist(() => fs.symlinkSync(at("outside"), at("root/flip")));
    fs.unlinkSync(at("root/flip"));
    insist(() => rename(at("away"), at("root/flip")));
    // Now and then it stays long enough for a whole call.
    const rest = 8000 * (Atomics.load(control, 1) % 16);
    for (let pause = 0; pause < rest; pause++) Atomics.load(control, 0);`,
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

export interface Battlefield {
  readonly place: string;
  readonly root: string;
  /** A way into the folder that `flip` means, wherever it has been moved. */
  readonly inside: string;
  /** Runs `work` under attack and gives the number of the attacker's rounds. */
  underAttack(attack: keyof typeof ATTACKS, work: () => Promise<void>): Promise<number>;
  /** What lies outside, with its content. */
  outside(): Record<string, string>;
  remove(): void;
}

export function createBattlefield(form: Form = "link"): Battlefield {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "fs-race-")));
  for (const name of ["root/real", "outside"]) mkdirSync(join(place, name), { recursive: true });
  if (form === "link") symlinkSync("real", join(place, "root/flip"));
  else mkdirSync(join(place, "root/flip"));
  writeFileSync(join(place, "root/data"), "inside");
  writeFileSync(join(place, "root/flip/data"), "inside");
  writeFileSync(join(place, "outside/data"), SECRET);
  for (let name = 0; name < NAMES; name++) writeFileSync(join(place, `outside/x-${name}`), SECRET);
  execFileSync("mkfifo", [join(place, "pipe")]);
  const descriptor = openSync(join(place, "root/flip"), "r");
  return {
    place,
    root: join(place, "root"),
    inside: `/proc/self/fd/${descriptor}`,
    underAttack: (attack, work) => runUnderAttack({ place, attack, work }),
    outside: () => readFolder(join(place, "outside")),
    remove() {
      closeSync(descriptor);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Runs until it is told to stop; counts its rounds. */
function attackerCode(moves: string): string {
  return `
    const fs = require("node:fs");
    const { parentPort, workerData } = require("node:worker_threads");
    const control = new Int32Array(workerData.control);
    const at = (name) => workerData.place + "/" + name;
    const rename = fs.renameSync;
    // Where nothing is for a moment, a call may rightly make a folder.
    const insist = (move) => {
      try {
        move();
      } catch {
        // What calls make meanwhile may stand in the way of that too; then it is tried again.
        try { fs.rmSync(at("root/flip"), { recursive: true, force: true }); } catch {}
        insist(move);
      }
    };
    const link = (target) => fs.symlinkSync(target, at("root/next"));
    while (Atomics.load(control, 0) === 0) {
      ${moves}
      if (Atomics.add(control, 1, 1) === 0) parentPort.postMessage("begun");
    }`;
}

interface Battle {
  readonly place: string;
  readonly attack: keyof typeof ATTACKS;
  work(): Promise<void>;
}

async function runUnderAttack({ place, attack, work }: Battle): Promise<number> {
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

export interface Tally {
  done: number;
  refused: number;
  leaked: number;
  /** Reasons of the refusals. */
  readonly reasons: Set<unknown>;
}

/** `attempt` resolves to true when something from outside came in. */
export async function repeat(
  times: number,
  attempt: (index: number) => Promise<boolean>,
): Promise<Tally> {
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

/** As `repeat`, and further while the attacker was in the same place at every try. */
export async function repeatUnderFlips(
  times: number,
  attempt: (index: number) => Promise<boolean>,
): Promise<Tally> {
  const sum = await repeat(times, attempt);
  for (let more = 0; more < MAX_MORE && (sum.done === 0 || sum.refused === 0); more++) {
    const next = await repeat(times, attempt);
    sum.done += next.done;
    sum.refused += next.refused;
    sum.leaked += next.leaked;
    for (const reason of next.reasons) sum.reasons.add(reason);
  }
  return sum;
}

export const isSecret = (bytes: Buffer) => bytes.toString().includes(SECRET);

/** What most programs do: look where the path leads, then use the path. */
export async function checkNaively(root: string, path: string): Promise<string> {
  if (!(await realpath(path)).startsWith(`${root}${sep}`)) {
    throw Object.assign(new Error("outside"), { code: "OUTSIDE" });
  }
  return path;
}

export function reportRace(title: string, { tally, more }: { tally: Tally; more: string }): void {
  reportCampaign({
    title,
    size: tally.done + tally.refused,
    detail: `${tally.leaked} leaks, ${tally.done} done, ${tally.refused} refused; ${more}`,
  });
}
