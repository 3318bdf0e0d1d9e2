// An attacker moves a link or a folder while the bridge moves and removes files. Nothing from outside
// comes in, nothing outside is moved or removed; a naive check in the same run does that.

import { readFileSync, writeFileSync } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createNodeBridge } from "clawtools";
import { afterEach, describe, expect, it } from "vitest";
import { campaignSize } from "../fakes/campaign.js";
import {
  type Battlefield,
  checkNaively,
  createBattlefield,
  type Form,
  IS_CAMPAIGN,
  isSecret,
  NAMES,
  repeat,
  repeatUnderFlips,
  reportRace,
  type Tally,
} from "./fs-attack.js";

const TRIES = campaignSize({ slice: 30, campaign: 100_000 });
const REFUSALS: ReadonlySet<unknown> = new Set([
  "path_outside_root",
  "path_changed",
  // Another call took the file, or the attacker is between two moves.
  "file_missing",
  // Twice in one call the attacker's link led nowhere.
  "not_regular_file",
]);

let field: Battlefield;

afterEach(() => field.remove());

const FORMS: { form: Form; what: string }[] = [
  { form: "link", what: "a folder link that flips" },
  { form: "folder", what: "a folder that is moved away" },
];

/** Puts the file there that the next try takes, wherever its folder is just now. */
function putInside(index: number): string {
  const name = `x-${index % NAMES}`;
  writeFileSync(join(field.inside, name), "inside");
  return name;
}

function expectSafe(tally: Tally | undefined): asserts tally is Tally {
  expect(tally).toMatchObject({ leaked: 0 });
  const surprising = [...(tally?.reasons ?? [])].filter((reason) => !REFUSALS.has(reason));
  expect(surprising).toEqual([]);
}

/** Counts what is no longer as it was. */
function countChanges(before: Record<string, string>): number {
  const after = field.outside();
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).length;
}

interface Race {
  readonly title: string;
  readonly form: Form;
  /** Both resolve to true when something from outside came in. */
  readonly ours: (index: number) => Promise<boolean>;
  readonly naive: (index: number) => Promise<boolean>;
}

async function runRace({ title, form, ours, naive }: Race): Promise<void> {
  const before = field.outside();
  let tally: Tally | undefined;
  const rounds = await field.underAttack(form, async () => {
    tally = await repeatUnderFlips(TRIES, ours);
  });
  expect(rounds).toBeGreaterThan(0);
  expect(countChanges(before)).toBe(0);
  expectSafe(tally);
  expect(tally.done).toBeGreaterThan(0);
  expect(tally.refused).toBeGreaterThan(0);
  let control: Tally | undefined;
  await field.underAttack(form, async () => {
    control = await repeat(TRIES * 5, naive);
  });
  const leaks = countChanges(before) + (control?.leaked ?? 0);
  reportRace(title, { tally, more: `naive check: ${leaks} leaks` });
  if (IS_CAMPAIGN) expect(leaks).toBeGreaterThan(0);
}

describe.each(FORMS)("$what", ({ form, what }) => {
  const takeTitle = `moving a file out of ${what} never takes one from outside`;
  const putTitle = `moving a file into ${what} never puts it outside`;
  const removeTitle = `removing a file in ${what} never removes one outside`;

  it(takeTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    const took = (index: number) => `took-${index % NAMES}`;
    const readTaken = (index: number) => isSecret(readFileSync(join(field.root, took(index))));
    await runRace({
      title: takeTitle,
      form,
      async ours(index) {
        const filePath = `flip/${putInside(index)}`;
        return bridge.exclusive([{ filePath: took(index) }], async () => {
          await bridge.rename({ filePath, to: `${took(index)}-now` });
          return isSecret(await bridge.readFile({ filePath: `${took(index)}-now` }));
        });
      },
      async naive(index) {
        const from = join(field.root, "flip", putInside(index));
        await checkNaively(field.root, from);
        await rename(from, join(field.root, took(index)));
        return readTaken(index);
      },
    });
  });

  it(putTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    await runRace({
      title: putTitle,
      form,
      async ours(index) {
        const filePath = `here-${index % NAMES}`;
        writeFileSync(join(field.root, filePath), "inside");
        await bridge.rename({ filePath, to: `flip/x-${index % NAMES}` });
        return false;
      },
      async naive(index) {
        const from = join(field.root, `here-${index % NAMES}`);
        writeFileSync(from, "inside");
        const to = join(field.root, `flip/x-${index % NAMES}`);
        await checkNaively(field.root, dirname(to));
        await rename(from, to);
        return false;
      },
    });
  });

  it(removeTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    await runRace({
      title: removeTitle,
      form,
      async ours(index) {
        await bridge.remove({ filePath: `flip/${putInside(index)}` });
        return false;
      },
      async naive(index) {
        const path = join(field.root, "flip", putInside(index));
        await checkNaively(field.root, path);
        await unlink(path);
        return false;
      },
    });
  });
});
