// The loose view is the loose form of the whole text, and every place of it leads back.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import { createLooseView, type TextView } from "./view.js";

const ROUNDS = 3_000;
/** Characters that change, join, expand, are white space, or are none of these. */
const PIECES = [
  ..."ab e-'\"<\t\v\n\n\n\r“”‘’–—−é½²Å…¨日本가각ㄱㅏｶﾞﾡￂ㌀ﷺＡﬁ😀",
  ..."\u00A0\u3000\u2003\u1680\u2028\uFEFF\u0301\u0316\u0338\u0308\u093C\u200D\u{16D67}\u0085",
  ...["\r\n", "\r\n", "  \n", " \t\r\n", "e\u0301", "का", "👍🏽"],
];

function toReference(text: string): string {
  const lines = text.normalize("NFKC").split("\n");
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/[‘-‛]/g, "'")
    .replace(/[“-‟]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Every way back lies in the text, and they are in order. */
function isInOrder(view: TextView, original: string): boolean {
  const ways = Array.from({ length: view.text.length + 1 }, (_, place) => [
    view.toEnd(place),
    view.toStart(place),
  ]);
  const found = ways.flat().filter((way) => way !== undefined);
  const isWhole = ways.at(-1)?.[0] !== undefined && ways[0]?.[1] !== undefined;
  return (
    isWhole && found.every((way, index) => way >= (found[index - 1] ?? 0) && way <= original.length)
  );
}

describe("the loose view", () => {
  it("is the loose form of the whole text, and leads back to it, for random texts", () => {
    const random = seededRandom(campaignSeed());
    const pick = () => PIECES[Math.floor(random() * PIECES.length)];
    for (let round = 0; round < ROUNDS; round++) {
      const text = Array.from({ length: Math.floor(random() * 30) }, pick).join("");
      const view = createLooseView(text);
      expect(view.text, JSON.stringify(text)).toBe(toReference(text));
      expect(isInOrder(view, text), JSON.stringify(text)).toBe(true);
    }
  });

  it("is the same whatever stands at the borders of the blocks it is made in", () => {
    for (const piece of PIECES) {
      for (let shift = 0; shift < 8; shift++) {
        const text = `${"x".repeat(16 * 1024 - shift)}${piece}\u0301${piece}\n${"y".repeat(20_000)}`;
        expect(createLooseView(text).text === toReference(text), piece).toBe(true);
      }
    }
  });

  it("knows every character that joins with the one before it", () => {
    const missed: string[] = [];
    for (let point = 0x80; point < 0x110000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const character = String.fromCodePoint(point);
      const spelled = character.normalize("NFD");
      if (spelled === character) continue;
      const text = `x${spelled}y${character}`;
      if (createLooseView(text).text !== toReference(text)) missed.push(text);
    }
    expect(missed).toEqual([]);
  });

  it("gives way at places between characters only", () => {
    const view = createLooseView("ﬁ “x”  \r\ny");
    expect(view.text).toBe('fi "x"\ny');
    const starts = [0, undefined, 1, 2, 3, 4, 7, 9, 10];
    const ends = [0, undefined, 1, 2, 3, 4, 5, 9, 10];
    expect(starts.map((_, place) => view.toStart(place))).toEqual(starts);
    expect(ends.map((_, place) => view.toEnd(place))).toEqual(ends);
  });

  it.each([
    ["marks without end", `a${"\u0301\u0316".repeat(500_000)}`],
    ["white space without end", " \u00A0".repeat(700_000)],
    ["white space that ends nowhere", `${" ".repeat(2_000_000)}x`],
    ["line ends only", "\r\n".repeat(700_000)],
    ["expansions only", "ﷺ".repeat(100_000)],
  ])("is made in linear time from %s", (_, text) => {
    const startMs = performance.now();
    createLooseView(text);
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });
});
