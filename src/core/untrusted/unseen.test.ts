// What cannot be seen: dropped, shown, or kept because a script or an emoji is spelled with it.
import { describe, expect, it } from "vitest";
import { showUnseen } from "./neutralize.js";

describe("showUnseen", () => {
  it.each([
    ["zero-width characters", "a\u200Bb\u2060c\uFEFFd\u00ADe", "abcde"],
    ["direction controls", "a\u202Eb\u2066c\u2069\u200E\u200F\u061Cd", "abcd"],
    ["joiners between Latin letters", "Auf\u200Clage x\u200Dy", "Auflage xy"],
    ["tag characters", "a\u{E0069}\u{E0067}\u{E006E}b\u{E0001}", "ab"],
    ["tags behind a flag that is none", "🏴\u{E0061}\u{E0062}\u{E007F}", "🏴"],
    ["selectors without a base", "a\uFE0Fb\u{E0100}<\uFE00|", "ab<|"],
    ["text hidden in selectors", "😀\uFE0F\uFE01\uFE02\u{E0150}\u{E0151}", "😀\uFE0F"],
    ["a run of joiners", "م\u200C\u200D\u200C\u200Cی", "م\u200Cی"],
    ["Hangul fillers and blank marks", "a\u3164b\uFFA0c\u034Fd\u180Ee", "abcde"],
    ["annotation controls", "a\uFFF9b\uFFFAc\uFFFBd", "abcd"],
  ])("drops %s", (_, given, expected) => {
    expect(showUnseen(given)).toBe(expected);
  });

  it.each([
    ["escapes", "\u001B[31mred\u001B[0m", "␛[31mred␛[0m"],
    [
      "links of terminals",
      "\u001B]8;;http://a\u0007x\u001B]8;;\u001B\\",
      "␛]8;;http://a␇x␛]8;;␛\\",
    ],
    ["the others of the first set", "\u0000\u0001\b\u000B\f\u000E\u001F\u007F", "␀␁␈␋␌␎␟␡"],
    ["the second set", "\u0080\u009B\u009F", "���"],
    ["halves of characters", "a\uD83Db\uDE00c", "a�b�c"],
    ["halves with something hidden between", "\uD83D\u200B\uDE00\uDB40\u200B\uDC41", "����"],
  ])("shows %s", (_, given, expected) => {
    expect(showUnseen(given)).toBe(expected);
  });

  it.each([
    ["tabs and line ends", "a\tb\nc\r\nd\re\u2028f"],
    ["Arabic number signs", "\u0600\u06DD\u08E2"],
    ["joiners at the edge of a word", "ه\u200D، \u200Dه \u200Cنمی"],
    ["a conjunct that is held open", "क्\u200C ष"],
  ])("keeps %s", (_, text) => {
    expect(showUnseen(text)).toBe(text);
  });

  it("changes nothing more when it is done again", () => {
    const given =
      "\u200B\u200Dم\u200B\u200D\uFE0F 😀\u200B\uFE0F\u200D\u200B😀 \u0000\uFE0F\uD800\uFE0F";
    const once = showUnseen(given);
    expect(showUnseen(once)).toBe(once);
    expect(once.length).toBeLessThan(given.length);
  });
});
