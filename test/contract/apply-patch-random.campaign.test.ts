// Random files and random changes: a patch gives exactly the bytes that were meant, and a patch that
// fails or is damaged gives exactly the bytes that were there.

import { describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createPatchBench, runBody, runInput } from "./apply-patch-bench.js";
import { applyDiff, createUpdate, type RandomUpdate, toText } from "./apply-patch-random.js";

const SIZES = { slice: 300, campaign: 20_000 };
const EXACT_TITLE = "random changes of random files give exactly the bytes that were meant";
const DIFF_TITLE = "the diff of a random change turns the old file into the new one";
const DAMAGE_TITLE = "a damaged patch changes everything it says or nothing at all";
const MARKS = ["", "\uFEFF"];

const WRAPPERS: readonly ((patch: string) => string)[] = [
  (patch) => patch,
  (patch) => patch.replaceAll("\n", "\r\n"),
  (patch) => `<<'EOF'\n${patch}\nEOF\n`,
  (patch) => `\`\`\`\n${patch}\n\`\`\``,
];

interface Trial {
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly patch: string;
}

/** Up to three files, each updated, moved, deleted or added. */
function createTrial(random: () => number): Trial {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  const parts: string[] = [];
  for (let index = Math.floor(random() * 3); index >= 0; index--) {
    const update = createUpdate(random);
    const mark = MARKS[Math.floor(random() * MARKS.length)] ?? "";
    addFile({ before, after, parts }, { name: `f${index}`, update, mark, choice: random() });
  }
  const wrapper = WRAPPERS[Math.floor(random() * WRAPPERS.length)] ?? String;
  return {
    before,
    after,
    patch: wrapper(["*** Begin Patch", ...parts, "*** End Patch"].join("\n")),
  };
}

function addFile(
  trial: { before: Record<string, string>; after: Record<string, string>; parts: string[] },
  file: { name: string; update: RandomUpdate; mark: string; choice: number },
): void {
  const { name, update, mark, choice } = file;
  const { before, after, hunks } = update;
  const content = after.map(({ text }) => text);
  if (choice < 0.1) {
    trial.parts.push(`*** Add File: ${name}`, ...content.map((text) => `+${text}`));
    trial.after[name] = content.map((text) => `${text}\n`).join("");
    return;
  }
  trial.before[name] = mark + toText(before);
  if (choice < 0.2) {
    trial.parts.push(`*** Delete File: ${name}`);
    return;
  }
  const target = choice < 0.4 ? `moved/${name}` : name;
  trial.after[target] = mark + toText(after);
  const header = [
    `*** Update File: ${name}`,
    ...(target === name ? [] : [`*** Move to: ${target}`]),
  ];
  // Without a hunk only a move is a change.
  if (hunks !== "") trial.parts.push(...header, hunks);
  else if (target !== name) trial.parts.push(...header);
}

describe("patches at random", () => {
  it(EXACT_TITLE, async () => {
    const random = seededRandom(campaignSeed());
    const count = campaignSize(SIZES);
    let changed = 0;
    for (let round = 0; round < count; round++) {
      const { before, after, patch } = createTrial(random);
      if (!patch.includes("File:")) continue;
      const bench = createPatchBench(before);
      const run = await runInput(bench.bridge, patch);
      const where = `round ${round}, seed ${campaignSeed()}: ${run.text}\n${patch}`;
      expect(run.result.isError, where).toBeUndefined();
      expect(bench.read(), where).toEqual(after);
      if (bench.steps.length > 0) changed++;
    }
    expect(changed).toBeGreaterThan(count / 2);
    reportCampaign({ title: EXACT_TITLE, size: count, detail: `${changed} of them changed files` });
  });

  it(DIFF_TITLE, async () => {
    const random = seededRandom(campaignSeed() + 2);
    const count = campaignSize(SIZES);
    for (let round = 0; round < count; round++) {
      const { before, after, hunks } = createUpdate(random);
      if (hunks === "") continue;
      const bench = createPatchBench({ f: toText(before) });
      const run = await runBody(bench.bridge, `*** Update File: f\n${hunks}`);
      const diff = String(run.details.diff).replace("--- a/f\n+++ b/f\n", "");
      const where = `round ${round}, seed ${campaignSeed() + 2}\n${hunks}\n${diff}`;
      expect(applyDiff(toText(before), diff), where).toBe(toText(after));
      const same = Number(run.details.firstChangedLine ?? before.length + 1) - 1;
      expect(after.slice(0, same), where).toEqual(before.slice(0, same));
    }
    reportCampaign({ title: DIFF_TITLE, size: count });
  });

  it(DAMAGE_TITLE, async () => {
    const random = seededRandom(campaignSeed() + 1);
    const count = campaignSize(SIZES);
    let refused = 0;
    for (let round = 0; round < count; round++) {
      const { before, patch } = createTrial(random);
      const bench = createPatchBench(before);
      const run = await runInput(bench.bridge, damage(patch, random));
      if (!run.result.isError) continue;
      refused++;
      const where = `round ${round}, seed ${campaignSeed()}: ${run.text}`;
      expect(run.details.code, where).toMatch(/^(?:invalid_input|not_found|limit)$/);
      expect(bench.steps, where).toEqual([]);
      expect(bench.read(), where).toEqual(before);
    }
    expect(refused).toBeGreaterThan(count / 4);
    reportCampaign({ title: DAMAGE_TITLE, size: count, detail: `${refused} of them refused` });
  });
});

/** Cuts, swaps or puts in a few characters. */
function damage(patch: string, random: () => number): string {
  const at = Math.floor(random() * patch.length);
  const length = 1 + Math.floor(random() * 12);
  const junk = ["", "\n", "*** ", "@@ ", "x", "-", "+", "\r", "\0"];
  const put = junk[Math.floor(random() * junk.length)] ?? "";
  return patch.slice(0, at) + put + patch.slice(at + length);
}
