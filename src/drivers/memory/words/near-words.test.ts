// Which words a mistyped one may have meant.
import { describe, expect, it } from "vitest";
import { countChanges, createNearWords } from "./near-words.js";

const near = createNearWords(["kyoto", "temple", "toner", "tone", "espresso", "express"]);
const find = (word: string) => near.find(word).map((found) => found.word);

describe("near words", () => {
  it.each([
    ["kyotto", ["kyoto"]],
    ["kytoo", ["kyoto"]],
    ["tempel", ["temple"]],
    ["tonr", ["toner"]],
    ["tnoe", ["tone"]],
    ["espreso", ["espresso"]],
    ["jyoto", ["kyoto"]],
    ["ykoto", ["kyoto"]],
    ["xtoner", ["toner"]],
    ["expresso", ["express", "espresso"]],
  ])("%s may have meant %j", (word, found) => {
    expect(find(word).sort()).toEqual([...found].sort());
  });

  it.each(["abc", "2421", "数椐", "xylophone", "", "bone", "tune", "simple"])(
    "%j is near nothing",
    (word) => {
      expect(find(word)).toEqual([]);
    },
  );

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
