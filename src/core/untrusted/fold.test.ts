// The folded view and its way back.
import { describe, expect, it } from "vitest";
import { findLookAlike, foldText, UNKNOWN } from "./fold.js";

describe("foldText", () => {
  it.each([
    ["case", "ABCxyz", "abcxyz"],
    ["letters and digits that look alike", "Il1 0O", "iii oo"],
    ["fullwidth", "＜｜Ａｂ＿｜＞", "<|ab_|>"],
    ["mathematical letters", "𝐀𝑏𝒞𝖉ℯℂ", "abcdec"],
    ["holes among them", "\u{1D53A}\u{1D549}", "cr"],
    ["Cyrillic and Greek", "СоΝтЕνт", "contevt"],
    ["accents", "éÀn\u0303ŝ\u0332", "eans"],
    ["ligatures and signs of several letters", "ﬁﬆ℡№⒜", "fistteinoa"],
    ["enclosed letters", "Ⓐ🄱🅒🅳🇪", "abcde"],
    ["brackets, which stay apart from quotes", "〈«<【|】", "‹‹<[|]"],
    ["joiners, selectors and pictures of controls", "a\u200Db\uFE0Fc␛d�e", "abcde"],
    ["spaces and punctuation", "a\u00A0b\u3000c\u2028d※e", "a b c\nd e"],
    ["unknown signs", "a中🙂b", `a${UNKNOWN}${UNKNOWN}b`],
    ["a phrase in one character", "\uFDFA", UNKNOWN],
    ["the middle dot, which stays", "a·b", "a·b"],
    ["a letter with a middle dot", "ŀ", "i"],
  ])("folds %s", (_, given, expected) => {
    expect(foldText(given).text).toBe(expected);
  });

  it("leads back to the beginning of each character", () => {
    const given = "a👍🏽ﬆ\u0301<é";
    const { text, origins } = foldText(given);
    expect(text).toBe(`a${UNKNOWN}${UNKNOWN}st<e`);
    expect([...origins]).toEqual([0, 1, 3, 5, 5, 7, 8]);
  });

  it("grows with text that folds to more signs than it has characters", () => {
    const given = "ⅷ".repeat(1_000);
    const { text, origins } = foldText(given);
    expect(text).toBe("viii".repeat(1_000));
    expect(origins).toHaveLength(4_000);
    expect(origins.at(-1)).toBe(999);
  });

  it("folds a text longer than one chunk", () => {
    const given = "Ab".repeat(20_000);
    expect(foldText(given).text).toBe("ab".repeat(20_000));
  });
});

describe("findLookAlike", () => {
  it("knows no ASCII, which is folded before, and nothing that is like two signs", () => {
    for (let code = 0x20; code < 0x7f; code += 1) {
      expect(findLookAlike(String.fromCharCode(code))).toBeUndefined();
    }
    expect(findLookAlike("Η")).toBe("h");
    expect(foldText("Ηη").text).toBe("hn");
  });
});
