// What `edit` changes, what it leaves alone, and what it says when it does not fit.

import { describe, expect, it } from "vitest";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import type { FsBridge } from "../../core/index.js";
import { edit } from "./index.js";

const ROOT = "/project";

async function editFile(content: string | Buffer, params: Record<string, unknown>) {
  const bridge = createMemoryBridge({});
  const file = { filePath: "f", cwd: ROOT };
  await bridge.writeFile({ ...file, data: content });
  const tool = bindAlone(edit, { bridge, root: ROOT });
  const result = await tool.execute(
    "call",
    "file_path" in params ? params : { path: "f", ...params },
  );
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  const after = await bridge.readFile(file);
  return { ...result, text, bytes: after, after: String(after) };
}

const change = (oldText: string, newText: string) => ({ oldText, newText });

describe("edit replaces", () => {
  it("one place, and says where", async () => {
    const result = await editFile("a\nb\nc\n", change("b", "B"));
    expect(result.after).toBe("a\nB\nc\n");
    expect(result.text).toBe("Edited f: 1 replacement, the first at line 2.");
    expect(result.details).toEqual({
      path: "f",
      changed: true,
      replacements: 1,
      firstChangedLine: 2,
      bytes: 6,
      fit: "exact",
      diff: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    });
  });

  it("with nothing, when newText is empty", async () => {
    expect((await editFile("a\nb\nc\n", change("b\n", ""))).after).toBe("a\nc\n");
  });

  it.each([
    ["a\nb", change("a  ", "x  "), "x\nb"],
    ["a \nb", change("a  ", "x  "), "x \nb"],
    ["a\r\nb", change("a\r", "x\r"), "x\r\nb"],
    ["a\r\nb\r\n", change("a\nb\r", "x\ny\r"), "x\r\ny\r\n"],
    ["a\r\nb", change("a\r", "a\nq\r"), "a\r\nq\r\nb"],
  ])(
    "and leaves white space out that both texts end with and %j has not",
    async (file, params, after) => {
      expect((await editFile(file, params)).after).toBe(after);
    },
  );

  it("every place with replaceAll, left to right", async () => {
    const result = await editFile("aaa b aa", { ...change("aa", "x"), replaceAll: true });
    expect(result.after).toBe("xa b x");
    expect(result.details).toMatchObject({ replacements: 2 });
  });

  it("several places with edits, all matched against the original", async () => {
    const edits = [
      change("two", "one"),
      change("one", "two"),
      { ...change("x", ""), replaceAll: true },
    ];
    expect((await editFile("one x two x\n", { edits })).after).toBe("two  one \n");
  });

  it("what the other spellings of the parameters ask for", async () => {
    const single = { file_path: "f", old_string: "a", new_string: "b" };
    expect((await editFile("a a", { ...single, replace_all: true })).after).toBe("b b");
    const short = { path: "f", old_str: "a", new_str: "b", replaceAll: "true" };
    expect((await editFile("a a", short)).after).toBe("b b");
    const edits = [{ old_string: "a", new_string: "b" }];
    expect((await editFile("a", { edits })).after).toBe("b");
    expect((await editFile("a", { edits: JSON.stringify(edits) })).after).toBe("b");
    expect((await editFile("a", { edits: JSON.stringify(edits[0]) })).after).toBe("b");
    const replacements = [{ search: "a", replace: "b" }];
    expect((await editFile("a", { replacements })).after).toBe("b");
    expect((await editFile("a", { changes: replacements })).after).toBe("b");
  });

  it("what edits says, when the other fields came empty", async () => {
    const edits = [change("a", "b")];
    expect((await editFile("a", { oldText: "", newText: "", edits })).after).toBe("b");
  });

  it("literally: patterns and $ signs mean nothing", async () => {
    expect((await editFile("a.c abc", change("a.c", "$&$1"))).after).toBe("$&$1 abc");
  });
});

describe("edit leaves untouched bytes as they are", () => {
  it.each([
    ["CRLF found by LF", "a\r\nb\r\nc\r\n", change("a\nb", "a\nX\nb"), "a\r\nX\r\nb\r\nc\r\n"],
    ["LF found by CRLF", "a\nb\nc", change("a\r\nb", "a\r\nX"), "a\nX\nc"],
    ["mixed ends around", "a\r\nb\nc\r\nd\n", change("b", "x\ny"), "a\r\nx\ny\nc\r\nd\n"],
    ["mixed ends inside", "a\nb\r\nc\nd", change("a\nb\nc", "a\nB\nc"), "a\nB\r\nc\nd"],
    ["an end taken from the line before", "a\r\nb", change("b", "b\nc"), "a\r\nb\r\nc"],
    ["a file without line ends", "a", change("a", "b\r\nc"), "b\r\nc"],
    ["a line feed alone", "a\r\nb\r\n", change("\nb", "\nB"), "a\r\nB\r\n"],
    ["a byte order mark", "\uFEFFa\r\nb", change("a\n", "x\n"), "\uFEFFx\r\nb"],
    ["a missing final line end", "a\nb", change("b", "c"), "a\nc"],
    ["lone carriage returns", "a\rb\r\nc", change("c", "d"), "a\rb\r\nd"],
    ["halves that two characters share", "x😀y", change("😀", "😁"), "x😁y"],
  ])("%s", async (_, before, params, after) => {
    expect((await editFile(before, params)).after).toBe(after);
  });

  it("bytes that are not valid UTF-8", async () => {
    const before = Buffer.from("caf\u00e9 a \xff b\n", "latin1");
    const damaged = Buffer.concat([Buffer.from("é è a\n"), before.subarray(6)]);
    const result = await editFile(damaged, change("b\n", "c\n"));
    const after = Buffer.concat([damaged.subarray(0, -2), Buffer.from("c\n")]);
    expect(result.bytes.equals(after)).toBe(true);
  });
});

describe("edit that asks for what is there already", () => {
  it.each([
    ["the same old and new text", "a b", change("a", "a")],
    ["a change of line ends only", "a\r\nb", change("a\r\nb", "a\nb")],
    ["other quotation marks, which are there already", "say “a”", change('"a"', "“a”")],
  ])("changes nothing and is no error: %s", async (_, before, params) => {
    let writes = 0;
    const bridge = createMemoryBridge({ [`${ROOT}/f`]: before });
    const counting: FsBridge = { ...bridge, writeFile: async () => void writes++ };
    const tool = bindAlone(edit, { bridge: counting, root: ROOT });
    const result = await tool.execute("call", { path: "f", ...params });
    expect(result.isError).toBeUndefined();
    const bytes = Buffer.byteLength(before);
    expect(result.details).toEqual({ path: "f", changed: false, replacements: 0, bytes });
    expect(JSON.stringify(result.content)).toContain("No changes made to f");
    expect(writes).toBe(0);
  });

  it("still needs the text to be there, and once", async () => {
    expect((await editFile("a", change("b", "b"))).details).toMatchObject({
      reason: "not_found_in_file",
    });
    expect((await editFile("a a", change("a", "a"))).details).toMatchObject({
      reason: "not_unique",
    });
  });

  it("is left out beside edits that change something, also where they overlap", async () => {
    const edits = [change("ab", "ab"), change("bc", "X")];
    const result = await editFile("abc", { edits });
    expect(result.after).toBe("aX");
    expect(result.details).toMatchObject({ replacements: 1 });
  });
});

describe("edit refuses, and the file stays", () => {
  const many = Array.from({ length: 7 }, (_, index) => `${index}\nsame`).join("\n");
  const CASES: [title: string, before: string, params: object, reason: string, words: string][] = [
    [
      "text that occurs often",
      many,
      change("same", "x"),
      "not_unique",
      'occurs 7 times in \\"f\\" (lines 2, 4, 6, 8, 10, …)',
    ],
    ["places that overlap each other", "aaa", change("aa", "x"), "not_unique", "2 times"],
    [
      "text that is not there",
      "const total = 1;\n",
      change("const totel = 1;", "x"),
      "not_found_in_file",
      "Nearest:\n1: const total = 1;",
    ],
    [
      "text unlike everything",
      "abc\n",
      change("zzzzzz", "x"),
      "not_found_in_file",
      "No line is like it",
    ],
    ["empty oldText", "a", change("", "b"), "old_text_empty", "oldText is empty"],
    ["blank oldText", "a\n \n", change(" \n", "b"), "old_text_blank", "nothing but white space"],
    [
      "overlapping edits",
      "abc",
      { edits: [change("ab", "x"), change("bc", "y")] },
      "edits_overlap",
      "edits[0].oldText and edits[1].oldText overlap at line 1",
    ],
    [
      "one edit of two that does not fit",
      "a",
      { edits: [change("a", "b"), change("q", "r")] },
      "not_found_in_file",
      "edits[1].oldText",
    ],
    [
      "both forms at once",
      "a",
      { ...change("a", "b"), edits: [change("a", "c")] },
      "edit_ambiguous",
      "not both",
    ],
    ["neither form", "a", {}, "edit_missing", "send oldText and newText, or edits"],
    ["an empty list of edits", "a", { edits: [] }, "edit_missing", "or edits"],
    ["oldText without newText", "a", { oldText: "a" }, "edit_missing", "newText is missing"],
    ["half a character", "😀", change("\uDE00", "x"), "content_not_unicode", "oldText holds half"],
    [
      "a missing file",
      "a",
      { path: "absent", ...change("a", "b") },
      "file_missing",
      "does not exist",
    ],
  ];
  it.each(CASES)("%s", async (_, before, params, reason, words) => {
    const result = await editFile(before, { ...params });
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ reason });
    expect(result.text).toContain(words);
    expect(result.after).toBe(before);
  });

  it("more places than it can take, without using memory for them", async () => {
    const before = "a".repeat(100_001);
    const result = await editFile(before, { ...change("a", "b"), replaceAll: true });
    expect(result.details).toMatchObject({ code: "limit", reason: "too_many_matches" });
  });
});

describe("a file of more curly quotes than can be looked past", () => {
  it("is refused at once, before millions of them hold up everything else", async () => {
    const result = await editFile("\u201C".repeat(3_000_000), change('"x', "c"));
    expect(result.details).toMatchObject({ code: "limit", reason: "text_too_intricate" });
  });
});

describe("a file of more line ends than can be looked past", () => {
  const before = `${"\r\n".repeat(4_000_001)}a\r\nb`;

  it("is told by its own limit", async () => {
    const result = await editFile(before, change("a\nb", "c"));
    expect(result.details).toMatchObject({ code: "limit", reason: "text_too_intricate" });
  });

  it("is edited by the exact text", async () => {
    const result = await editFile(before, change("a\r\nb", "a\r\nc"));
    expect(result.details).toMatchObject({ fit: "exact", firstChangedLine: 4_000_003 });
    expect(result.after.slice(-4)).toBe("a\r\nc");
  });
});

describe("edit through a bridge that is not of Node", () => {
  async function editGiven(content: unknown) {
    const written: string[] = [];
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      stat: async () => ({ type: "file", size: 3, mtimeMs: 0 }),
      readFile: () => Promise.resolve(content) as Promise<Buffer>,
      writeFile: async ({ data }) => void written.push(String(data)),
    };
    const tool = bindAlone(edit, { bridge, root: ROOT });
    return { ...(await tool.execute("call", { path: "f", ...change("b", "B") })), written };
  }

  it.each([
    ["a Uint8Array", new TextEncoder().encode("xabcx").subarray(1, 4)],
    ["text", "abc"],
  ])("takes %s for the content", async (_what, content) => {
    expect((await editGiven(content)).written).toEqual(["aBc"]);
  });

  it.each([undefined, 5, {}])("says that %j is no content", async (content) => {
    const { details, written } = await editGiven(content);
    expect(details).toMatchObject({ code: "failed", reason: "bridge_invalid" });
    expect(written).toEqual([]);
  });
});
