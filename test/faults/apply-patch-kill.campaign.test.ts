// A process that applies patches to several files is killed at random moments: every file is whole,
// with its content before the patch or behind it, none is lost, and what the process leaves is gone
// with the next write.

import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNodeBridge } from "clawtools";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import {
  contentOf,
  LASTING_NAMES,
  movedName,
  namesOf,
  PASSING_NAME,
  versionOf,
} from "./apply-patch-content.js";

const KILLS = campaignSize({ slice: 10, campaign: 1_000 });
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const MAX_LINES = 4;
const MAX_DELAY_MS = 30;
const MAX_WATCHED_DELAY_MS = 10;
const TITLE = "every file of a patch is whole after every kill -9, and no temporary file stays";

let place: string;
let program: string;

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "patch-kill-")));
  program = join(place, "apply-patch-loop.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./apply-patch-loop.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { clawtools: fileURLToPath(new URL("../../src/public/index.ts", import.meta.url)) },
    logLevel: "error",
  });
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

interface Kill {
  /** The clock starts after so many lines of the process, or when a name with this ending changes. */
  readonly after: number | string;
  readonly delayMs: number;
}

function chooseKill(random: () => number): Kill {
  const kills: readonly Kill[] = [
    { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS },
    { after: ".clawtmp", delayMs: random() * MAX_WATCHED_DELAY_MS },
    // At once: between two files of one patch.
    { after: "changed.txt", delayMs: 0 },
    { after: "replaced.txt", delayMs: random() },
  ];
  return kills[Math.floor(random() * kills.length)] ?? { after: 1, delayMs: 0 };
}

/** Runs the loop in `root` from `first` on, kills it, and gives what it said. */
function runAndKill(
  run: { root: string; first: number },
  { after, delayMs }: Kill,
): Promise<string> {
  const child = spawn(process.execPath, [program, run.root, String(run.first)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let complaints = "";
  let timer: NodeJS.Timeout | undefined;
  const startClock = () => {
    if (delayMs === 0) child.kill("SIGKILL");
    else timer ??= setTimeout(() => child.kill("SIGKILL"), delayMs);
  };
  const watcher = watch(run.root, (_event, name) => {
    if (typeof after === "string" && name?.endsWith(after)) startClock();
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (typeof after === "number" && said.split("\n").length > after) startClock();
  });
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (_code, signal) => {
      clearTimeout(timer);
      watcher.close();
      if (signal === "SIGKILL") resolve(said);
      else reject(new Error(`the loop ended by itself: ${complaints}`));
    });
  });
}

/** The last version that was begun and the last that was done, 0 if none was. */
function readProgress(said: string): { begun: number; done: number } {
  const last = (word: string) =>
    Number(
      said
        .match(new RegExp(`${word} \\d+`, "g"))
        ?.at(-1)
        ?.slice(word.length) ?? 0,
    );
  return { begun: last("begin"), done: last("done") };
}

const isTemporary = (name: string) => name.endsWith(".clawtmp");

/** Files by name, with the version each has as a whole. */
function readVersions(root: string): Map<string, number | undefined> {
  const names = readdirSync(root).filter((name) => !isTemporary(name));
  return new Map(names.map((name) => [name, versionOf(readFileSync(join(root, name), "utf8"))]));
}

describe("kill -9 during a patch", () => {
  it(TITLE, async () => {
    const random = seededRandom(campaignSeed());
    const tally = { cut: 0, between: 0, left: 0 };
    for (let kills = 0; kills < KILLS; kills++) {
      const where = `kill ${kills}, seed ${campaignSeed()}`;
      const root = join(place, `root-${kills}`);
      mkdirSync(root);
      for (const name of namesOf(0)) writeFileSync(join(root, name), contentOf(0));
      const { begun, done } = readProgress(
        await runAndKill({ root, first: 1 }, chooseKill(random)),
      );
      const found = readVersions(root);
      for (const [name, version] of found)
        expect([done, begun], `${where}, ${name}`).toContain(version);
      for (const name of LASTING_NAMES) expect([...found.keys()], where).toContain(name);
      const known = [...LASTING_NAMES, PASSING_NAME, movedName(0), movedName(1)];
      expect(known, where).toEqual(expect.arrayContaining([...found.keys()]));
      expect(found.has(movedName(0)) !== found.has(movedName(1)), where).toBe(true);
      if (begun > done) tally.cut++;
      if (new Set(found.values()).size > 1) tally.between++;
      tally.left += readdirSync(root).filter(isTemporary).length;
      await createNodeBridge(root).writeFile({ filePath: "neighbour.txt", data: "x" });
      expect(readdirSync(root).filter(isTemporary), where).toEqual([]);
      rmSync(root, { recursive: true });
    }
    // Kills that hit nothing would prove nothing.
    expect(tally.cut).toBeGreaterThan(0);
    if (IS_CAMPAIGN) expect(Math.min(tally.between, tally.left)).toBeGreaterThan(0);
    reportCampaign({
      title: TITLE,
      size: KILLS,
      detail: `${tally.cut} during a call, ${tally.between} between two files, ${tally.left} temporary files left and removed`,
    });
  });
});
