// The planner beside bash: whatever of random command lines is allowed without a question runs, by bash
// itself and by the rendered plan, exactly the words, in the order and into the files of the plan.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { decidePlan } from "../../src/core/command/decide/decide-plan.js";
import { type CommandPlan, renderPlan } from "../../src/core/command/plan.js";
import { createCommandPlanner } from "../../src/drivers/plan/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { type BashRun, runByBash } from "./exec-fuzz-bash.js";
import { FILES, makeLine, PROGRAMS } from "./exec-fuzz-strings.js";

const SIZE = campaignSize({ slice: 500, campaign: 200_000 });
const BATCH = 2_000;
const TIMEOUT_MS = campaignSize({ slice: 240_000, campaign: 3_600_000 });
const TITLE = "c7 · what is allowed runs exactly the words of the plan, as typed and as rendered";

let place: string;
let folder: string;
let binFolder: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fuzz-")));
  folder = join(place, "root");
  binFolder = join(place, "bin");
  for (const path of [binFolder, join(folder, "d")]) mkdirSync(path, { recursive: true });
  for (const name of FILES) writeFileSync(join(folder, name), "");
  for (const name of PROGRAMS) {
    writeFileSync(join(binFolder, name), "");
    chmodSync(join(binFolder, name), 0o755);
  }
  chmodSync(place, 0o755);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

interface Allowed {
  readonly line: string;
  readonly plan: CommandPlan;
}

async function planLines(count: number, random: () => number): Promise<readonly Allowed[]> {
  const planner = createCommandPlanner({ root: folder, searchPath: [binFolder] });
  const { signal } = new AbortController();
  const allowed: Allowed[] = [];
  for (let index = 0; index < count; index += 1) {
    const line = makeLine(random);
    const planned = await planner.plan({ command: line, cwd: folder, signal });
    const request = {
      planned,
      security: "allowlist",
      ask: "off",
      entries: [{ pattern: "*" }],
    } as const;
    if (planned.ok && decidePlan(request).outcome === "allow")
      allowed.push({ line, plan: planned.plan });
  }
  return allowed;
}

/** What the plan says will happen: one record for each program that starts, and the files made. */
function simulate({ steps }: CommandPlan): BashRun {
  const records: (readonly string[])[] = [];
  const files = new Set(FILES.map((name) => join(folder, name)));
  let status = 0;
  let isPiped = false;
  let runs = true;
  for (const step of steps) {
    if (runs) {
      const reads = step.redirects.every((redirect) => {
        if (redirect.kind === "duplicate" || redirect.path === "/dev/null") return true;
        if (redirect.kind === "read") return files.has(redirect.path);
        const hasFolder = [folder, join(folder, "d")].includes(dirname(redirect.path));
        return hasFolder && files.add(redirect.path) !== undefined;
      });
      if (reads) records.push(step.argv);
      status = reads ? statusOf(step.argv) : 1;
    }
    isPiped = step.join === "|";
    if (isPiped) continue;
    if (step.join === "&&") runs = status === 0;
    else if (step.join === "||") runs = status !== 0;
    else runs = true;
  }
  const made = [...files]
    .map((path) => relative(folder, path))
    .filter((name) => !FILES.includes(name));
  return { records, made: made.sort() };
}

function statusOf([name = "", ...args]: readonly string[]): number {
  const line = `${name}\x1f${args.length}\x1f${args.join("\x1f")}`;
  return Buffer.byteLength(line) % 2;
}

/**
 * The steps of a pipeline run at once, so they write their records in any order. And a name that looks
 * like an option is given "./" by the plan when a pattern found it, but not by bash.
 */
function comparable({ records, made }: BashRun, plan: CommandPlan): string {
  const lines = records.map((words) => JSON.stringify(words.map(withoutDotSlash)));
  const hasPipe = plan.steps.some(({ join: joined }) => joined === "|");
  return JSON.stringify([hasPipe ? lines.sort() : lines, made]);
}

function withoutDotSlash(word: string): string {
  return word === "./-dash" ? "-dash" : word;
}

/**
 * Whether a file is there yet is open when the step that makes it runs beside the one that reads it or
 * has a pattern: bash itself then answers now so, now so.
 */
function isRace({ line, plan }: Allowed): boolean {
  const kinds = plan.steps.flatMap(({ redirects }) => redirects.map(({ kind }) => kind));
  const writes = kinds.includes("write") || kinds.includes("append");
  const looks = kinds.includes("read") || /[*?[]/.test(line);
  return plan.steps.some((step) => step.join === "|") && writes && looks;
}

it(
  TITLE,
  async () => {
    const random = seededRandom(campaignSeed());
    const differences: string[] = [];
    let allowedCount = 0;
    let compared = 0;
    for (let done = 0; done < SIZE; done += BATCH) {
      const allowed = await planLines(Math.min(BATCH, SIZE - done), random);
      allowedCount += allowed.length;
      const certain = allowed.filter((one) => !isRace(one));
      compared += certain.length;
      const outFile = join(dirname(folder), "out");
      const run = (lines: readonly string[]) => runByBash(lines, { folder, binFolder, outFile });
      const typed = run(certain.map(({ line }) => line));
      const rendered = run(certain.map(({ plan }) => renderPlan(plan)));
      for (const [index, { line, plan }] of certain.entries()) {
        const expected = comparable(simulate(plan), plan);
        for (const found of [typed[index], rendered[index]]) {
          const told = found === undefined ? "nothing" : comparable(found, plan);
          if (told !== expected)
            differences.push(`${JSON.stringify(line)}: ${expected} is ${told}`);
        }
      }
    }
    expect(differences.slice(0, 10)).toEqual([]);
    expect(allowedCount / SIZE).toBeGreaterThan(0.2);
    reportCampaign({
      title: TITLE,
      size: SIZE,
      detail: `${allowedCount} allowed, ${compared} run twice, 0 differences, seed ${campaignSeed()}`,
    });
  },
  TIMEOUT_MS,
);
