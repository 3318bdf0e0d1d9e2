// What a patch leaves alone: line ends, byte order marks, a missing final line end, encodings, and
// every line that it only names as context.

import { describe, expect, it } from "vitest";
import { patchFile } from "./apply-patch-bench.js";

type Case = readonly [title: string, before: string, hunks: string, after: string];

describe("line ends", () => {
  const CASES: readonly Case[] = [
    ["of a file with LF", "a\nb\nc\n", "@@\n a\n-b\n+B\n c", "a\nB\nc\n"],
    ["of a file with CRLF", "a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n c", "a\r\nB\r\nc\r\n"],
    [
      "when the patch has CRLF and the file has LF",
      "a\nb\nc\n",
      "@@\r\n a\r\n-b\r\n+B\r\n c",
      "a\nB\nc\n",
    ],
    ["when both have CRLF", "a\r\nb\r\n", "@@\r\n-a\r\n+A\r\n b", "A\r\nb\r\n"],
    ["of a replaced line in a mixed file", "a\r\nb\nc\r\n", "@@\n-b\n+B", "a\r\nB\nc\r\n"],
    [
      "of two replaced lines in a mixed file",
      "a\r\nb\nc\r\n",
      "@@\n-a\n-b\n+A\n+B",
      "A\r\nB\nc\r\n",
    ],
    [
      "of more lines than were replaced",
      "a\r\nb\nc\n",
      "@@\n-a\n+1\n+2\n+3",
      "1\r\n2\r\n3\r\nb\nc\n",
    ],
    ["of fewer lines than were replaced", "a\nb\r\nc\n", "@@\n-a\n-b\n+x", "x\r\nc\n"],
    ["of added lines, from the line above", "a\r\nb\nc\n", "@@\n a\n+x\n b", "a\r\nx\r\nb\nc\n"],
    ["of added lines at the top, from the line below", "a\r\nb\n", "@@\n+x\n a", "x\r\na\r\nb\n"],
    [
      "of context lines in a mixed file",
      "a\r\nb\nc\r\nd\n",
      "@@\n a\n b\n c\n-d\n+D",
      "a\r\nb\nc\r\nD\n",
    ],
    ["of lines added at the end", "a\r\nb\r\n", "@@\n+x", "a\r\nb\r\nx\r\n"],
    ["of lines added to an empty file", "", "@@\n+x\n+y", "x\ny\n"],
    ["with carriage returns inside of a line", "a\rb\nc\n", "@@\n a\rb\n-c\n+C", "a\rb\nC\n"],
    ["with a line that ends in two carriage returns", "a\r\r\nb\r\n", "@@\n-b\n+B", "a\r\r\nB\r\n"],
    ["of a file that is one line feed", "\n", "@@\n+x", "\nx\n"],
    ["when the lone carriage return of a last line is found", "a\nb\r", "@@\n-a\n+A\n b", "A\nb\r"],
  ];
  it.each(CASES)("stay as they are %s", async (_, before, hunks, after) => {
    const run = await patchFile(before, hunks);
    expect(run.text).toContain("M f");
    expect(run.after).toBe(after);
  });
});

describe("a missing final line end", () => {
  const CASES: readonly Case[] = [
    ["stays when another line changes", "a\nb", "@@\n-a\n+A\n b", "A\nb"],
    ["stays when the last line changes", "a\nb", "@@\n-b\n+B", "a\nB"],
    ["stays when the last line becomes two", "a\nb", "@@\n-b\n+B\n+C", "a\nB\nC"],
    ["stays when the last two lines become one", "a\nb\nc", "@@\n-b\n-c\n+x", "a\nx"],
    ["stays when a line is added behind the last", "a\nb", "@@\n b\n+c", "a\nb\nc"],
    ["stays when a line is added at the end", "a\nb", "@@\n+c", "a\nb\nc"],
    ["stays when a line is put before the only one", "a", "@@\n+x\n a", "x\na"],
    ["stays in a file with CRLF", "a\r\nb", "@@\n b\n+c\n+d", "a\r\nb\r\nc\r\nd"],
    ["leaves the line above as it is when the last is taken away", "a\nb", "@@\n a\n-b", "a\n"],
    [
      "stays when the last line goes and another comes at the end",
      "a\nb",
      "@@\n-b\n@@\n+c",
      "a\nc",
    ],
    ["stays when two hunks add at the end", "a", "@@\n+b\n@@\n+c", "a\nb\nc"],
    ["stays when the only line goes", "a", "@@\n-a", ""],
    ["stays with *** End of File", "a\nb", "@@\n-b\n+c\n*** End of File", "a\nc"],
  ];
  it.each(CASES)("%s", async (_, before, hunks, after) => {
    expect((await patchFile(before, hunks)).after).toBe(after);
  });
});

describe("a byte order mark", () => {
  const CASES: readonly Case[] = [
    ["stays when the first line changes", "\uFEFFa\nb\n", "@@\n-a\n+A", "\uFEFFA\nb\n"],
    ["stays when the first line goes", "\uFEFFa\nb\n", "@@\n-a\n b", "\uFEFFb\n"],
    ["stays when a line is put on top", "\uFEFFa\r\n", "@@\n+x\n a", "\uFEFFx\r\na\r\n"],
    ["stays when everything goes", "\uFEFFa\n", "@@\n-a", "\uFEFF"],
    ["is no part of the first line for @@", "\uFEFFa\nb\n", "@@ a\n-b\n+B", "\uFEFFa\nB\n"],
  ];
  it.each(CASES)("%s", async (_, before, hunks, after) => {
    expect((await patchFile(before, hunks)).after).toBe(after);
  });
});

describe("context lines", () => {
  const CASES: readonly Case[] = [
    ["spaces at their end", "a  \nb\nc\t\n", "@@\n a\n-b\n+B\n c", "a  \nB\nc\t\n"],
    ["their indentation", "\ta\n\tb\n", "@@\n   a\n-  b\n+\tB", "\ta\n\tB\n"],
    ["curly quotes", "say “hi”\nb\n", '@@\n say "hi"\n-b\n+B', "say “hi”\nB\n"],
    ["long dashes", "a — b\nc\n", "@@\n a - b\n-c\n+C", "a — b\nC\n"],
    ["hard spaces", "a\u00a0b\nc\n", "@@\n a b\n-c\n+C", "a\u00a0b\nC\n"],
    ["spaces in an empty line", "a\n   \nb\n", "@@\n a\n\n-b\n+B", "a\n   \nB\n"],
    ["composed and decomposed letters", "e\u0301\nb\n", "@@\n e\u0301\n-b\n+B", "e\u0301\nB\n"],
  ];
  it.each(CASES)("keep %s as the file has them", async (_, before, hunks, after) => {
    expect((await patchFile(before, hunks)).after).toBe(after);
  });
});

describe("encodings", () => {
  const latin = (text: string) => Buffer.from(text, "latin1");
  const big = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16();
  const little = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

  it.each([
    ["UTF-16 LE", little("é\r\nb\n\ud800\n"), "@@\n é\n-b\n+ß", little("é\r\nß\n\ud800\n")],
    ["UTF-16 BE", big("é\nb\n"), "@@\n é\n-b\n+€", big("é\n€\n")],
    ["bytes that are no UTF-8", latin("a\xff\nb\n\xe9\n"), "@@\n-b\n+B", latin("a\xff\nB\n\xe9\n")],
    [
      "Latin-1 shown by the hunk itself",
      latin("d\xe9j\xe0\n\xfc\n"),
      "@@\n-déjà\n+voilà",
      latin("voil\xe0\n\xfc\n"),
    ],
    ["UTF-8 with NUL", Buffer.from("a\0\nb\n"), "@@\n-b\n+B", Buffer.from("a\0\nB\n")],
  ])("%s is changed, and every other byte stays", async (_, before, hunks, after) => {
    expect((await patchFile(before, hunks)).bytes).toEqual(after);
  });

  it.each([
    [
      "new characters in an encoding that is not known",
      latin("a\xff\nb\n"),
      "@@\n-b\n+é",
      "not_utf8",
    ],
    ["characters that Latin-1 does not have", latin("\xe9\nb\n"), "@@\n é\n-b\n+€", "not_utf8"],
    ["a binary file", Buffer.from([0xff, 0, 0x62, 0x0a]), "@@\n+x", "binary_file"],
    [
      "lines put into UTF-16 without a mark, where nothing shows what it is",
      Buffer.from("a\nb\n", "utf16le"),
      "@@\n+x",
      "binary_file",
    ],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "@@\n+x", "binary_file"],
  ])("%s are refused, and the file stays", async (_, before, hunks, reason) => {
    const run = await patchFile(before, hunks);
    expect(run.details).toMatchObject({ code: "invalid_input", reason });
    expect(run.bytes).toEqual(before);
    expect(run.steps).toEqual([]);
  });

  it("half of a character in the patch is refused", async () => {
    const run = await patchFile("a\n", "@@\n-a\n+\ud800");
    expect(run.details).toMatchObject({ reason: "content_not_unicode" });
    expect(run.after).toBe("a\n");
  });
});
