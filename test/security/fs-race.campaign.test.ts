// An attacker moves links, files and the root itself while the bridge reads and writes. Nothing
// from outside is ever read, nothing outside ever changes; a naive check in the same run does leak.

import { writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createNodeBridge, type FsBridge } from "clawtools";
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

const READS = campaignSize({ slice: 1_500, campaign: 200_000 });
const WRITES = campaignSize({ slice: 150, campaign: 100_000 });
const ROOT_MOVES = campaignSize({ slice: 800, campaign: 50_000 });
const REFUSALS: ReadonlySet<unknown> = new Set([
  "path_outside_root",
  "not_regular_file",
  "root_replaced",
  // The name became something else between two looks at it: refused, nothing written.
  "path_changed",
  // Between the two moves of the attacker there is nothing.
  "file_missing",
]);

let field: Battlefield;

/** There may be a hundred thousand files to remove. */
afterEach(() => field.remove(), 120_000);

function expectSafe(tally: Tally | undefined): asserts tally is Tally {
  expect(tally).toMatchObject({ leaked: 0 });
  const surprising = [...(tally?.reasons ?? [])].filter((reason) => !REFUSALS.has(reason));
  expect(surprising).toEqual([]);
}

const writeVia = (bridge: FsBridge, folder: string) => async (index: number) => {
  const filePath = index % 3 === 0 ? `${folder}/made-${index}/x` : `${folder}/y-${index % NAMES}`;
  await bridge.writeFile({ filePath, data: "written" });
  return false;
};

/** Reads in each of the ways there are. */
const readVia = (bridge: Required<FsBridge>, filePath: string) => async (index: number) => {
  if (index % 2 === 0) return isSecret(await bridge.readFile({ filePath }));
  const file = await bridge.openFile({ filePath });
  const into = Buffer.alloc(100);
  try {
    return isSecret(into.subarray(0, await file.read(into, 0)));
  } finally {
    await file.close();
  }
};

const FORMS: { form: Form; what: string }[] = [
  { form: "link", what: "a folder link that flips" },
  { form: "folder", what: "a folder that is moved away" },
];

describe.each(FORMS)("$what", ({ form, what }) => {
  const readTitle = `reading through ${what} never gives anything outside`;
  const writeTitle = `writing through ${what} never changes anything outside`;
  const listTitle = `listing through ${what} never names anything outside`;

  it(readTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    let tally: Tally | undefined;
    let naive: Tally | undefined;
    const rounds = await field.underAttack(form, async () => {
      tally = await repeatUnderFlips(READS, readVia(bridge, "flip/data"));
      naive = await repeat(READS, async () =>
        isSecret(await readFile(await checkNaively(field.root, join(field.root, "flip/data")))),
      );
    });
    expect(rounds).toBeGreaterThan(0);
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    reportRace(readTitle, { tally, more: `naive check: ${naive?.leaked} leaks of ${READS}` });
    if (IS_CAMPAIGN) expect(naive?.leaked).toBeGreaterThan(0);
  });

  it(listTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    let tally: Tally | undefined;
    await field.underAttack(form, async () => {
      tally = await repeatUnderFlips(READS / 4, async () => {
        const names = await bridge.list({ filePath: "flip", limit: 5 });
        return names.some(({ name }) => name.startsWith("x-"));
      });
    });
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    reportRace(listTitle, { tally, more: "every name outside would be seen" });
  });

  it(writeTitle, async () => {
    field = createBattlefield(form);
    const bridge = createNodeBridge(field.root);
    const before = field.outside();
    let tally: Tally | undefined;
    await field.underAttack(form, async () => {
      tally = await repeatUnderFlips(WRITES, writeVia(bridge, "flip"));
    });
    expect(field.outside()).toEqual(before);
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    await field.underAttack(form, async () => {
      await repeat(WRITES * 5, async (index) => {
        const path = join(field.root, `flip/naive-${index % NAMES}`);
        await checkNaively(field.root, dirname(path));
        await writeFile(path, "written");
        return false;
      });
    });
    const naive = Object.keys(field.outside()).length - Object.keys(before).length;
    const more = `naive check: ${naive} of ${NAMES} names made outside`;
    reportRace(writeTitle, { tally, more });
    if (IS_CAMPAIGN) expect(naive).toBeGreaterThan(0);
  });
});

const LEAF_TITLE = "a name that is file, link and pipe in turn gives no leak and blocks nothing";
const ROOT_TITLE = "a root that is moved and replaced gives no leak";

describe("a bridge under attack", () => {
  it(LEAF_TITLE, async () => {
    field = createBattlefield();
    const bridge = createNodeBridge(field.root);
    const before = field.outside();
    writeFileSync(join(field.root, "leaf"), "inside");
    let reads: Tally | undefined;
    let writes: Tally | undefined;
    await field.underAttack("leaf", async () => {
      reads = await repeat(READS / 2, readVia(bridge, "leaf"));
      writes = await repeat(WRITES / 2, async () => {
        await bridge.writeFile({ filePath: "leaf", data: "written" });
        return false;
      });
    });
    expectSafe(reads);
    expectSafe(writes);
    expect(field.outside()).toEqual(before);
    reportRace(LEAF_TITLE, { tally: reads, more: `and ${WRITES / 2} writes` });
  });

  it(ROOT_TITLE, async () => {
    field = createBattlefield();
    const bridge = createNodeBridge(field.root);
    const before = field.outside();
    await bridge.stat({ filePath: "." });
    let tally: Tally | undefined;
    await field.underAttack("rootItself", async () => {
      const write = writeVia(bridge, "real");
      const read = readVia(bridge, "data");
      tally = await repeat(ROOT_MOVES, (index) => (index % 4 === 0 ? write(index) : read(index)));
    });
    expectSafe(tally);
    expect(tally.done).toBeGreaterThan(0);
    expect(field.outside()).toEqual(before);
    reportRace(ROOT_TITLE, { tally, more: "one in four a write" });
  });
});
