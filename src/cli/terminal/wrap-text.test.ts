// Lines for a terminal keep within its width.

import { describe, expect, it } from "vitest";
import { formatColumns, wrapText } from "./wrap-text.js";

describe("wrapText", () => {
  it("breaks at spaces and cuts a word that is longer than a line", () => {
    expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapText("a 1234567890", 4)).toEqual(["a", "1234", "5678", "90"]);
  });

  it("never cuts a character in two", () => {
    expect(wrapText("a😀😀", 3)).toEqual(["a😀", "😀"]);
  });
});

describe("a command that a person may copy", () => {
  it("stays on one line when it is in backticks", () => {
    expect(wrapText("Now run `clawtools undo undo_3a54`, please", 20)).toEqual([
      "Now run",
      "`clawtools undo undo_3a54`,",
      "please",
    ]);
  });

  it("stays on one line in a column that is given as lines", () => {
    const rows = [["warning", ["Do: sudo apt-get install chromium"]]] as const;
    expect(formatColumns({ rows, width: 40 })).toEqual([
      "  warning  Do: sudo apt-get install chromium",
    ]);
  });
});

describe("formatColumns", () => {
  it("puts the texts beside the names, in line", () => {
    const rows = [
      ["a", "first text that is longer than a line of it"],
      ["long", "second"],
    ] as const;
    expect(formatColumns({ rows, width: 40 })).toEqual([
      "  a     first text that is longer than a",
      "        line of it",
      "  long  second",
    ]);
  });

  it("puts a text under its name where there is no room beside it", () => {
    const rows = [["a-name-of-some-length-that-takes-it-all", "text"]] as const;
    expect(formatColumns({ rows, width: 80 })).toEqual([
      "  a-name-of-some-length-that-takes-it-all",
      "    text",
    ]);
    expect(formatColumns({ rows: [["name", "text"]], width: 20 })).toEqual(["  name", "    text"]);
  });
});
