// Every place is found, and no text makes the search slow.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../../test/fakes/campaign.js";
import { createFinder, createLinearSearch, type FindNext } from "./find-bytes.js";

const ROUNDS = 2_000;
const MEBIBYTE = 1024 * 1024;

function listPlaces(find: FindNext): number[] {
  const places: number[] = [];
  for (let place = find(0); place !== -1; place = find(place + 1)) places.push(place);
  return places;
}

function listNaively(text: string, needle: string): number[] {
  const places: number[] = [];
  for (let at = 0; at + needle.length <= text.length; at++) {
    if (text.startsWith(needle, at)) places.push(at);
  }
  return places;
}

describe("the search for bytes", () => {
  const random = seededRandom(campaignSeed());
  const below = (limit: number) => Math.floor(random() * limit);
  const word = (letters: string, length: number) =>
    Array.from({ length }, () => letters[below(letters.length)]).join("");

  it("finds every place, also overlapping ones, by the linear search", () => {
    for (let round = 0; round < ROUNDS; round++) {
      const letters = "abcd".slice(0, 1 + below(4));
      const unit = word(letters, 1 + below(5));
      const needle = (unit.repeat(1 + below(6)) + word(letters, below(3))).slice(0, 1 + below(30));
      const text =
        word(letters, below(40)) +
        needle +
        unit.repeat(below(10)) +
        needle +
        word(letters, below(9));
      const find = createLinearSearch(Buffer.from(text), Buffer.from(needle));
      expect(listPlaces(find), JSON.stringify({ text, needle })).toEqual(listNaively(text, needle));
    }
  });

  it("finds every place of short and long needles by whatever search it takes", () => {
    for (let round = 0; round < ROUNDS / 10; round++) {
      const unit = word("ab", 1 + below(6));
      const needle = unit.repeat(1 + below(200)) + word("ab", below(4));
      const near = `${needle.slice(0, -1)}c`;
      const text = Array.from({ length: 8 }, () => [needle, near, unit, "ab"][below(4)]).join("");
      const find = createFinder(Buffer.from(text), Buffer.from(needle));
      expect(listPlaces(find), JSON.stringify({ text, needle })).toEqual(listNaively(text, needle));
    }
  });

  it.each([
    ["all but the last byte", "a".repeat(MEBIBYTE), `${"a".repeat(MEBIBYTE / 2)}b`],
    [
      "all but the middle byte",
      "a".repeat(MEBIBYTE),
      `${"a".repeat(MEBIBYTE / 4)}b${"a".repeat(MEBIBYTE / 4)}`,
    ],
    ["all but the first byte", "a".repeat(MEBIBYTE), `b${"a".repeat(MEBIBYTE / 2)}`],
    ["a short needle nearly everywhere", "a".repeat(10 * MEBIBYTE), `${"a".repeat(240)}b`],
    [
      "a short needle with an odd middle",
      "a".repeat(10 * MEBIBYTE),
      `${"a".repeat(120)}b${"a".repeat(120)}`,
    ],
    ["words that repeat", "ab ".repeat(MEBIBYTE), `${"ab ".repeat(MEBIBYTE / 4)}c`],
  ])("stays fast when %s fits everywhere", (_, text, needle) => {
    const startMs = performance.now();
    expect(createFinder(Buffer.from(text), Buffer.from(needle))(0)).toBe(-1);
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});
