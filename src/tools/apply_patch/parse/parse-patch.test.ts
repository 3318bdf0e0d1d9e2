// The grammar of patches: what is read, which slips are forgiven, and what is said of the rest.

import { describe, expect, it } from "vitest";
import { isToolError } from "../../../core/index.js";
import { type Operation, parsePatch } from "./parse-patch.js";

const wrap = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** An operation in one line: kind, path, then its content or its hunks. */
function brief(operation: Operation): string {
  if (operation.kind === "add") return `add ${operation.path} ${JSON.stringify(operation.content)}`;
  if (operation.kind === "delete") return `delete ${operation.path}`;
  const hunks = operation.hunks.map(({ anchors, lines, isAtEnd }) => {
    const names = anchors.map(({ text }) => `@${text}`);
    const marks = lines.map(({ mark, text }) => `${mark}${text}`);
    return `[${[...names, ...marks, ...(isAtEnd ? ["END"] : [])].join("|")}]`;
  });
  const move = operation.moveTo === undefined ? "" : ` > ${operation.moveTo}`;
  return `update ${operation.path}${move} ${hunks.join("")}`.trimEnd();
}

const read = (input: string) => parsePatch(input).map(brief);

describe("a patch is read", () => {
  const CASES: [title: string, lines: string[], operations: string[]][] = [
    ["an added file", ["*** Add File: a", "+x", "+", "+ y"], ['add a "x\\n\\n y\\n"']],
    ["an added file without lines", ["*** Add File: a"], ['add a ""']],
    ["a deleted file", ["*** Delete File: a b"], ["delete a b"]],
    ["an update", ["*** Update File: a", "@@", " x", "-y", "+z"], ["update a [ x|-y|+z]"]],
    ["a first hunk without @@", ["*** Update File: a", "-y", "+z"], ["update a [-y|+z]"]],
    [
      "several hunks",
      ["*** Update File: a", "-y", "@@", "+z", "@@ f()", "-q"],
      ["update a [-y][+z][@f()|-q]"],
    ],
    [
      "several lines of @@ for one hunk",
      ["*** Update File: a", "@@ class A", "@@   def f", "-q"],
      ["update a [@class A|@  def f|-q]"],
    ],
    ["an empty line as context", ["*** Update File: a", " x", "", "-y"], ["update a [ x| |-y]"]],
    [
      "the end of the file",
      ["*** Update File: a", "@@", "-y", "*** End of File", "*** Delete File: b"],
      ["update a [-y|END]", "delete b"],
    ],
    [
      "a hunk behind the end of the file",
      ["*** Update File: a", "-y", "*** End of File", "", "@@", "-z"],
      ["update a [-y|END][-z]"],
    ],
    ["a move", ["*** Update File: a", "*** Move to: b/c", "@@", "-y"], ["update a > b/c [-y]"]],
    ["a move without hunks", ["*** Update File: a", "*** Move to: b"], ["update a > b"]],
    [
      "all kinds in one patch",
      ["*** Add File: a", "+x", "*** Delete File: b", "*** Update File: c", "@@", "-y"],
      ['add a "x\\n"', "delete b", "update c [-y]"],
    ],
    [
      "lines that only look like headers",
      ["*** Add File: a", "+*** End Patch", "*** Update File: b", " *** Delete File: c", "-@@"],
      ['add a "*** End Patch\\n"', "update b [ *** Delete File: c|-@@]"],
    ],
    [
      "a hunk that only adds, and the gap behind it",
      ["*** Update File: a", "@@", "+x", "", ""],
      ["update a [+x]"],
    ],
  ];
  it.each(CASES)("%s", (_, lines, operations) => {
    expect(read(wrap(...lines))).toEqual(operations);
  });

  it("the line of each part is known", () => {
    const input = wrap("*** Delete File: a", "", "*** Update File: b", "@@ x", "-y", "@@", "+z");
    const [first, second] = parsePatch(input);
    expect(first).toMatchObject({ line: 2 });
    expect(second).toMatchObject({
      line: 4,
      hunks: [
        { number: 1, line: 5, anchors: [{ line: 5 }], lines: [{ line: 6 }] },
        { number: 2, line: 7, lines: [{ line: 8 }] },
      ],
    });
  });
});

describe("a slip is forgiven", () => {
  const simple = wrap("*** Delete File: a");
  const CASES: [title: string, input: string, operations: string[]][] = [
    ["blank lines around", `\n \n${simple}\n\n`, ["delete a"]],
    ["a byte order mark", `\uFEFF${simple}`, ["delete a"]],
    ["CRLF", simple.replaceAll("\n", "\r\n"), ["delete a"]],
    ["CRLF in an added file", wrap("*** Add File: a", "+x\r"), ['add a "x\\n"']],
    ["@@ above an added file", wrap("*** Add File: a", "@@", "+x"), ['add a "x\\n"']],
    [
      "the head of a diff above an added file",
      wrap("*** Add File: a", "--- /dev/null", "+++ b/a", "@@ -0,0 +1,1 @@", "+x"),
      ['add a "x\\n"'],
    ],
    [
      "the end of the file behind an added one",
      wrap("*** Add File: a", "+x", "*** End of File", "*** Delete File: b"),
      ['add a "x\\n"', "delete b"],
    ],
    [
      "an added file that is to end without a line end",
      wrap("*** Add File: a", "+x", "+y", "\\ No newline at end of file", "*** Delete File: b"),
      ['add a "x\\ny"', "delete b"],
    ],
    ["a here-document", `<<EOF\n${simple}\nEOF`, ["delete a"]],
    ["a quoted here-document", `<<'EOF'\n${simple}\nEOF\n`, ["delete a"]],
    ["a here-document with its program", `apply_patch <<'EOF'\n${simple}\nEOF`, ["delete a"]],
    ["a here-document that is not closed", `<<EOF\n${simple}`, ["delete a"]],
    ["a fence", `\`\`\`\n${simple}\n\`\`\``, ["delete a"]],
    ["a fence with a language", `\`\`\`diff\n${simple}\n\`\`\`\n`, ["delete a"]],
    ["a fence of tildes", `~~~patch\n${simple}\n~~~`, ["delete a"]],
    ["a fence in a here-document", `<<EOF\n\`\`\`\n${simple}\n\`\`\`\nEOF`, ["delete a"]],
    ["spaces before headers", wrap("  *** Delete File: a"), ["delete a"]],
    ["no space behind the colon", wrap("*** Delete File:a"), ["delete a"]],
    ["spaces around a path", wrap("*** Delete File:  a b "), ["delete a b"]],
    ["no space behind the stars", wrap("***Delete File: a"), ["delete a"]],
    ["other letter case", "*** begin patch\n*** DELETE FILE: A\n*** END PATCH", ["delete A"]],
    [
      "blank lines between files",
      wrap("", "*** Delete File: a", "", "", "*** Delete File: b", ""),
      ["delete a", "delete b"],
    ],
    [
      "an empty line of an added file without its plus",
      wrap("*** Add File: a", "+x", "", "+y", "", "*** Delete File: b"),
      ['add a "x\\n\\ny\\n"', "delete b"],
    ],
    [
      "a context line without its space",
      wrap("*** Update File: a", "@@", "}", "-y"),
      ["update a [ }|-y]"],
    ],
    [
      "line numbers behind @@",
      wrap("*** Update File: a", "@@ -1,3 +1,4 @@ f()", "-y"),
      ["update a [-y]"],
    ],
    [
      "line numbers that are not closed",
      wrap("*** Update File: a", "@@ -1 +1", "-y"),
      ["update a [-y]"],
    ],
    ["no space behind @@", wrap("*** Update File: a", "@@f()", "-y"), ["update a [@f()|-y]"]],
    ["spaces behind a bare @@", wrap("*** Update File: a", "@@  ", "-y"), ["update a [-y]"]],
    [
      "names of files above the first hunk",
      wrap("*** Update File: a", "--- a/a", "+++ b/a", "@@ -1 +1 @@", "-y"),
      ["update a [-y]"],
    ],
    [
      "the note on a missing line end",
      wrap("*** Update File: a", "-y", "\\ No newline at end of file", "+z"),
      ["update a [-y|+z]"],
    ],
    ["two patches in one", `${simple}\n\n${simple}`, ["delete a", "delete a"]],
    ["an end that is said twice", `${simple}\n*** End Patch`, ["delete a"]],
  ];
  it.each(CASES)("%s", (_, input, operations) => {
    expect(read(input)).toEqual(operations);
  });

  it.each([
    ["a removed SQL comment", ["--- old", "+++ new"], "update a [--- old|+++ new]"],
    [
      "a context that only begins like numbers",
      ["@@ -1 is less", "-y"],
      "update a [@-1 is less|-y]",
    ],
  ])("but %s stays what it is", (_, lines, operation) => {
    expect(read(wrap("*** Update File: a", ...lines))).toEqual([operation]);
  });
});

describe("a patch is refused", () => {
  const CASES: [
    title: string,
    input: string,
    reason: string,
    line: number | undefined,
    words: string,
  ][] = [
    ["that is blank", " \n ", "patch_empty", undefined, "No files were modified"],
    ["without files", wrap(), "patch_empty", undefined, "No files were modified"],
    [
      "without its first line",
      "*** Delete File: a\n*** End Patch",
      "patch_invalid",
      1,
      '"*** Begin Patch"',
    ],
    [
      "with words before it",
      `Here it is:\n${wrap("*** Delete File: a")}`,
      "patch_invalid",
      1,
      '"*** Begin Patch"',
    ],
    [
      "with words behind it",
      `${wrap("*** Delete File: a")}\nDone.`,
      "patch_invalid",
      4,
      '"*** End Patch"',
    ],
    ["that was cut off", "*** Begin Patch\n*** Add File: a\n+x", "patch_invalid", 3, "cut off"],
    ["that is only its first line", "*** Begin Patch", "patch_invalid", 1, '"*** End Patch"'],
    [
      "on one line",
      "*** Begin Patch\\n*** Delete File: a\\n*** End Patch",
      "patch_invalid",
      1,
      "real line ends",
    ],
    ["with a header of no kind", wrap("*** Rename File: a"), "patch_invalid", 2, "is not a header"],
    [
      "with a line that is no header",
      wrap("*** Delete File: a", "x"),
      "patch_invalid",
      3,
      'is not a header: "x"',
    ],
    [
      "with a move of a deleted file",
      wrap("*** Delete File: a", "*** Move to: b"),
      "patch_invalid",
      3,
      "is not a header",
    ],
    ["with an update of nothing", wrap("*** Update File: a"), "patch_invalid", 2, "without a hunk"],
    [
      "with a hunk of nothing",
      wrap("*** Update File: a", "@@ x", "@@", "*** Delete File: b"),
      "patch_invalid",
      3,
      "without lines",
    ],
    [
      "with an end of file and no lines",
      wrap("*** Update File: a", "@@", "*** End of File"),
      "patch_invalid",
      3,
      "without lines",
    ],
    [
      "with lines behind the end of the file",
      wrap("*** Update File: a", "-x", "*** End of File", "-y"),
      "patch_invalid",
      5,
      'must be "@@"',
    ],
    [
      "with an added line that has no plus",
      wrap("*** Add File: a", "+x", "y"),
      "patch_invalid",
      4,
      'must begin with "+": "y"',
    ],
    [
      "with words between two patches",
      `${wrap("*** Delete File: a")}\nand\n${wrap("*** Delete File: b")}`,
      "patch_invalid",
      4,
      "nothing but another patch",
    ],
    ["with a header without a path", wrap("*** Add File: "), "path_invalid", 2, "names no file"],
    [
      "with a move to nowhere",
      wrap("*** Update File: a", "*** Move to:", "-x"),
      "path_invalid",
      3,
      "names no file",
    ],
  ];
  it.each(CASES)("%s", (_, input, reason, line, words) => {
    const error = thrownBy(input);
    expect(error).toMatchObject({ code: "invalid_input", reason });
    expect(error.details?.line).toBe(line);
    expect(error.message).toContain(words);
  });

  it("in a message that shows no more than it must", () => {
    const long = `\u001b[31m${"x".repeat(100_000)}`;
    expect(thrownBy(wrap(long)).message).toMatch(
      /^Line 2 of the patch is not a header: "\\u\{001B\}\[31mx{1,200}…"/,
    );
  });
});

describe("a patch over a limit is refused before it is read", () => {
  it.each([
    ["characters", "x".repeat(16 * 1024 * 1024 + 1), "patch_too_large"],
    ["lines", "\n".repeat(500_000), "patch_too_long"],
    ["files", wrap(...Array<string>(1_001).fill("*** Delete File: a")), "too_many_files"],
    [
      "hunks",
      wrap("*** Update File: a", ...Array<string>(20_001).fill("@@\n-x")),
      "too_many_hunks",
    ],
  ])("too many %s", (_, input, reason) => {
    expect(thrownBy(input)).toMatchObject({ code: "limit", reason });
  });
});

function thrownBy(input: string) {
  try {
    parsePatch(input);
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("the patch was read");
}

describe("a diff of another program", () => {
  const HUNK = "@@ -1,2 +1,2 @@\n-x\n+y\n";

  it.each([
    `--- a/src/one.ts\n+++ b/src/one.ts\n${HUNK}`,
    `diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${HUNK}`,
    HUNK,
  ])("is refused with how to write it: %j", (input) => {
    expect(() => parsePatch(input)).toThrow(
      'It looks like a unified diff; put "*** Begin Patch" and "*** Update File: path" above its hunks',
    );
    const advised = wrap("*** Update File: path", ...HUNK.trimEnd().split("\n"));
    expect(read(advised)).toEqual(["update path [-x|+y]"]);
  });

  it("is not seen in a patch that only lacks its first line", () => {
    expect(() => parsePatch("*** Update File: a\n@@\n-x\n*** End Patch")).toThrow(
      /^Line 1 of the patch must be "\*\*\* Begin Patch", not "\*\*\* Update File: a"\.$/,
    );
  });
});
