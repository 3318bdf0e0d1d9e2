// Runs are really common, in order, and as long together as they can be.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import { findCommonRuns } from "./common-runs.js";

const ROUNDS = 500;

/** The plain table of all beginnings: how many elements two lists have in common, in order. */
function countCommon(one: readonly string[], other: readonly string[]): number {
  let above = new Array<number>(other.length + 1).fill(0);
  for (const element of one) {
    const row = [0];
    for (const [index, candidate] of other.entries()) {
      const best = Math.max(above[index + 1] ?? 0, row[index] ?? 0);
      row.push(element === candidate ? (above[index] ?? 0) + 1 : best);
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}

describe("findCommonRuns", () => {
  it("finds the longest common part of random lists", () => {
    const random = seededRandom(campaignSeed());
    const makeList = () =>
      Array.from({ length: Math.floor(random() * 25) }, () => "abcdef".charAt(random() * 6));
    for (let round = 0; round < ROUNDS; round++) {
      const [before, after] = [makeList(), makeList()];
      const runs = findCommonRuns({ before, after, maxDistance: 100 }) ?? [];
      let place = { before: 0, after: 0 };
      for (const run of runs) {
        const end = { before: run.before + run.length, after: run.after + run.length };
        expect(run.before >= place.before && run.after >= place.after).toBe(true);
        expect(before.slice(run.before, end.before)).toEqual(after.slice(run.after, end.after));
        place = end;
      }
      const common = runs.reduce((sum, { length }) => sum + length, 0);
      expect(common, JSON.stringify({ before, after })).toBe(countCommon(before, after));
    }
  });

  it.each([
    [["a"], ["b"], 1, undefined],
    [["a"], ["b"], 2, []],
    [["a", "b"], ["b", "a"], 1, undefined],
    [["a"], ["a"], 0, [{ before: 0, after: 0, length: 1 }]],
    [[], [], 0, []],
    [["a"], [], 0, undefined],
    [["x", "a"], ["a"], 1, [{ before: 1, after: 0, length: 1 }]],
  ])("gives up beyond the distance: %j %j %i", (before, after, maxDistance, expected) => {
    expect(findCommonRuns({ before, after, maxDistance })).toEqual(expected);
  });
});
