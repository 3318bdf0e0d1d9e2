// What a person sees of a word.

import { expect, it } from "vitest";
import { showCommand, showWord } from "./show.js";

it.each([
  ["-la", "-la"],
  ["src/index.ts", "src/index.ts"],
  ["a b", '"a b"'],
  ["", '""'],
  ['say "hi"\\', '"say \\"hi\\"\\\\"'],
  ["two\nlines\t", '"two\\nlines\\t"'],
  ["a\u202eb", '"a\\u{202E}b"'],
  ["zero\u200bwidth\u200djoin", '"zero\\u{200B}width\\u{200D}join"'],
  ["no\u00a0break", '"no\\u{00A0}break"'],
  ["tag\u{e0041}", '"tag\\u{E0041}"'],
  ["fill\u3164er", '"fill\\u{3164}er"'],
  ["\u001b[2K", '"\\u{001B}[2K"'],
  ["Käse", '"Käse"'],
  ["tiếng Việt", '"tiếng Việt"'],
  ["नमस्ते हिन्दी", '"नमस्ते हिन्दी"'],
  ["ภาษาที่", '"ภาษาที่"'],
  ["Ka\u0308se", '"Ka\\u{0308}se"'],
  ["rm\u0338 -rf\u20e0", '"rm\\u{0338} -rf\\u{20E0}"'],
  ["a\u0e38 \u0e38", '"a\\u{0E38} \\u{0E38}"'],
  ["\u0e01\u0e38\u0e38\u0e38\u0e38", '"\u0e01\u0e38\u0e38\u0e38\\u{0E38}"'],
  ["\u0915\u0336", '"\u0915\\u{0336}"'],
])("%j is shown as %s", (word, shown) => {
  expect(showWord(word)).toBe(shown);
});

it("a command without a plan is shown whole, with its length", () => {
  const command = `echo $x ${"y".repeat(5_000)}\u202e`;
  const shown = showCommand({ command, cwd: "/ws" });
  expect(shown).toContain("y".repeat(5_000));
  expect(shown).toContain("5009 characters");
  expect(shown).toContain("\\u{202E}");
});
