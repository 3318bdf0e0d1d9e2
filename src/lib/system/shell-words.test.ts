// Words as a shell reads them back.

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellQuote } from "./shell-words.js";

it.each(["plain/word-1.txt", "", "two words", "it's", '$HOME `x` "y"', "^test$", "~", "a\nb"])(
  "%j is read back by a shell as it was",
  (word) => {
    const read = execFileSync("sh", ["-c", `printf %s ${shellQuote(word)}`], { encoding: "utf8" });
    expect(read).toBe(word);
  },
);

it("leaves plain words as they are", () => {
  expect(shellQuote("/usr/bin/ls")).toBe("/usr/bin/ls");
});
