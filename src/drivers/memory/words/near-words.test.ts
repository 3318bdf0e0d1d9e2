// Which words a mistyped one may have meant.
import { describe, expect, it } from "vitest";
import { countChanges, createNearWords, listShorter } from "./near-words.js";

const near = createNearWords(
  ["kyoto", "temple", "toner", "tone", "2420", "数据", "espresso", "express"].map(
    (stem, index) => ({
      stem,
      documents: index + 1,
    }),
  ),
);

describe("near words", () => {
  it.each([
    ["kyotto", ["kyoto"]],
    ["kytoo", ["kyoto"]],
    ["tempel", ["temple"]],
    ["tonr", ["toner"]],
    ["tnoe", ["tone"]],
    ["espreso", ["espresso"]],
    ["expresso", ["express", "espresso"]],
  ])("%s may have meant %j", (word, found) => {
    expect(near.find(word, 3).sort()).toEqual([...found].sort());
  });

  it.each(["abc", "2421", "数椐", "xylophone", "", "bone", "tune", "simple"])(
    "%j is near nothing",
    (word) => {
      expect(near.find(word, 3)).toEqual([]);
    },
  );

  it("lists a word without one of its letters but the first", () => {
    expect(listShorter("walls")).toEqual(["wlls", "wals", "wall"]);
    expect(listShorter("wall")).toEqual([]);
  });

  it("gives the nearest first and no more than asked for", () => {
    expect(near.find("tonerr", 1)).toEqual(["toner"]);
  });

  it.each([
    ["", "abc", 3],
    ["abc", "acb", 1],
    ["kitten", "sitting", 3],
    ["same", "same", 0],
  ])("from %j to %j are %i changes", (from, to, changes) => {
    expect(countChanges(from, to)).toBe(changes);
    expect(countChanges(to, from)).toBe(changes);
  });
});
