// Files that are not UTF-8 are edited in their own encoding: every byte that was not to change stays.

import type { ToolResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { read } from "../../src/tools/read/index.js";
import { campaignSeed, sampleRows, seededRandom } from "../fakes/campaign.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";
import { encodeAs } from "./read-encoder.js";

const FILE = { filePath: "f", cwd: MEMORY_ROOT };
const ROUNDS = 60;
/** The encoding of a text is told by its first block that is not plain ASCII. */
const JUDGED_BYTES = 64 * 1024;

async function editBytes(before: Buffer, params: Record<string, unknown>) {
  const bridge = createMemoryBridge({});
  await bridge.writeFile({ ...FILE, data: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const result: ToolResult = await tool.execute("call", { path: "f", ...params });
  return { ...result, after: await bridge.readFile(FILE) };
}

const utf16le = (text: string) => Buffer.from(text, "utf16le");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const latin1 = (text: string) => Buffer.from(text, "latin1");
/** "第一行：测试文件" and "第二行", as GB18030. */
const CHINESE = { head: "b5dad2bbd0d0a3bab2e2cad4cec4bcfe", second: "b5dab6fed0d0" };
const gb18030 = (hex: string) => Buffer.from(hex, "hex");
const KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다";

describe("edit keeps the encoding of a file", () => {
  it.each(
    sampleRows<[string, Buffer, [string, string], Buffer, string]>(
      [
        [
          "UTF-16LE",
          utf16le("\uFEFFa “é”\r\nb 😀\r\n"),
          ["b 😀", "c 😁"],
          utf16le("\uFEFFa “é”\r\nc 😁\r\n"),
          "utf-16le",
        ],
        [
          "UTF-16BE",
          utf16be("\uFEFFone\ntwo"),
          ["two", "2\n"],
          utf16be("\uFEFFone\n2\n"),
          "utf-16be",
        ],
        [
          "UTF-16LE without a mark",
          utf16le("plain words\nand more\n"),
          ["and", "or"],
          utf16le("plain words\nor more\n"),
          "utf-16le",
        ],
        [
          "UTF-16LE, loosely",
          utf16le("\uFEFF“a” – b  \r\nc\r\n"),
          ['"a" - b\nc', '"a" - b\nd'],
          utf16le("\uFEFF“a” – b  \r\nd\r\n"),
          "utf-16le",
        ],
        [
          "Latin-1",
          latin1("caf\xe9 cr\xe8me\r\nna\xefve\r\n"),
          ["crème", "brûlée"],
          latin1("caf\xe9 br\xfbl\xe9e\r\nna\xefve\r\n"),
          "windows-1252",
        ],
        [
          "Latin-1 by plain words",
          latin1("caf\xe9 = 1;\n"),
          ["= 1", "= 2"],
          latin1("caf\xe9 = 2;\n"),
          "windows-1252",
        ],
        [
          "windows-1252 with its marks",
          latin1("\x93caf\xe9\x94 \x96 5 \x80"),
          ['"café" - 5', '"café" - 6'],
          latin1("\x93caf\xe9\x94 \x96 6 \x80"),
          "windows-1252",
        ],
        [
          "GB18030",
          gb18030(`${CHINESE.head}0a${CHINESE.second}`),
          ["第二行", "第一行"],
          gb18030(`${CHINESE.head}0ab5dad2bbd0d0`),
          "gb18030",
        ],
        [
          "GB18030 by plain words",
          Buffer.concat([gb18030(CHINESE.head), latin1(" a = 1;\r\n")]),
          ["a = 1", "a = 2"],
          Buffer.concat([gb18030(CHINESE.head), latin1(" a = 2;\r\n")]),
          "gb18030",
        ],
      ],
      2,
    ),
  )("%s", async (_, before, [oldText, newText], after, encoding) => {
    const result = await editBytes(before, { oldText, newText });
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(result.after).toEqual(after);
    expect(result.details).toMatchObject({ changed: true, encoding, bytes: after.length });
  });

  it("and takes no half of a two-byte character for a letter", async () => {
    // The second byte of the first character is "a", and plain letters follow.
    const before = Buffer.concat([gb18030(`${CHINESE.head}8161`), latin1("bc\nabc\n")]);
    const result = await editBytes(before, { oldText: "abc", newText: "x" });
    expect(result.after).toEqual(
      Buffer.concat([gb18030(`${CHINESE.head}8161`), latin1("bc\nx\n")]),
    );
  });

  it("for random texts, in every encoding", async () => {
    const random = seededRandom(campaignSeed());
    const below = (limit: number) => Math.floor(random() * limit);
    const letters = ["é", "ü", " ", "“", "x", "\n", "\r\n", "–", "€"];
    for (let round = 0; round < ROUNDS; round++) {
      const noise = () => Array.from({ length: below(20) }, () => letters[below(letters.length)]);
      const [head, tail] = [noise().join(""), noise().join("")];
      const texts = [`\uFEFF${head}é word${round}z ${tail}`, `\uFEFF${head}é NEW ü ${tail}`];
      const params = { oldText: `word${round}z`, newText: "NEW ü" };
      for (const encode of [utf16le, utf16be, (text: string) => Buffer.from(text)]) {
        const [before = "", after = ""] = texts;
        const result = await editBytes(encode(before), params);
        expect(result.after.equals(encode(after)), JSON.stringify(texts)).toBe(true);
      }
    }
  });
});

describe("what read shows as text, edit can edit", () => {
  const TEXTS: readonly [encoding: string, head: string, oldText: string, newText: string][] = [
    ["big5", "人人生而自由，在尊嚴和權利上一律平等。十卅\n", "他們賦有", "我們沒有"],
    ["shift_jis", "すべての人間は、ソ表ﾃｽﾄ、生まれながらにして自由\n", "尊厳", "権利と\\"],
    ["euc-jp", "すべての人間は、生まれながらにして自由であり\r\n", "尊厳", "平等"],
    ["euc-kr", `${KOREAN}\n`, "인간은", "사람은"],
    ["gb18030", "人人生而自由，在尊严和权利上一律平等。\n", "他们", "我们"],
    ["windows-1252", "Tous les êtres humains naissent libres et égaux\n", "dignité", "été"],
    ["utf-16le", "\uFEFF名前 = 値 😀\n", "尊厳", "😁"],
    ["utf-16be", "\uFEFF名前 = 値 😀\n", "尊厳", "é"],
  ];
  /** Of each encoding: bytes that are no character in it. */
  const DAMAGE: Readonly<Record<string, string>> = {
    big5: "ff",
    shift_jis: "ff",
    "euc-jp": "ff",
    "euc-kr": "ff",
    gb18030: "ff",
    "utf-16le": "00d8",
    "utf-16be": "d800",
  };

  it.each(TEXTS)("%s, and every other byte stays", async (encoding, head, oldText, newText) => {
    const encode = (text: string) => encodeAs(encoding, text);
    const damage = Buffer.from(DAMAGE[encoding] ?? "", "hex");
    // What an encoding is told by has no damage; what comes behind may have some.
    for (const [around, lines] of [
      [Buffer.of(), 3],
      [damage, Math.ceil(JUDGED_BYTES / encode(head).length)],
    ] as const) {
      const heads = encode(head.repeat(lines));
      const make = (text: string) =>
        Buffer.concat([heads, encode("1 "), around, encode(` ${text} `), around, encode("2\n")]);
      const bridge = createMemoryBridge({});
      await bridge.writeFile({ ...FILE, data: make(oldText) });
      const shown = await bindAlone(read, { bridge, root: MEMORY_ROOT }).execute("call", {
        path: "f",
        offset: lines + 1,
      });
      expect(shown.details).toMatchObject({ kind: "text", encoding });
      const [block] = shown.content;
      // A line as it is shown, with what stands for bytes that are no text.
      const line = (block?.type === "text" ? block.text : "")
        .split("\n")
        .find((shownLine) => shownLine.startsWith("1 "));
      const changed = line?.replace(oldText, newText);
      const result = await editBytes(make(oldText), { oldText: line, newText: changed });
      expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
      expect(result.after).toEqual(make(newText));
      expect(result.details).toMatchObject({ encoding });
    }
  });

  it("in a file that has two codes for one letter, and keeps each where it stands", async () => {
    // NEC's and IBM's code for one character of Shift_JIS, and both codes of one of Big5.
    for (const [encoding, head, twins] of [
      ["shift_jis", "すべての人間は、", "ed40fa5c"],
      ["big5", "人人生而自由，在尊嚴和權利上", "a2cca451"],
    ] as const) {
      const tail = Buffer.from(twins, "hex");
      const before = Buffer.concat([encodeAs(encoding, head), latin1(" a = 1;"), tail]);
      const after = Buffer.concat([encodeAs(encoding, head), latin1(" a = 22;"), tail]);
      const result = await editBytes(before, { oldText: "= 1", newText: "= 22" });
      expect(result.after).toEqual(after);
    }
  });

  it.each([
    ["half of a pair", Buffer.from([0x00, 0xd8])],
    ["an odd byte", Buffer.from([0x61])],
  ])("with %s at the end of UTF-16", async (_, tail) => {
    const before = Buffer.concat([utf16le("\uFEFFa b"), tail]);
    const result = await editBytes(before, { oldText: "a", newText: "cc" });
    expect(result.after).toEqual(Buffer.concat([utf16le("\uFEFFcc b"), tail]));
  });
});

describe("edit leaves alone what it could not write again", () => {
  it.each<[string, Buffer, string, string, string]>([
    ["a letter that Latin-1 has not", latin1("caf\xe9 a\n"), "a", "→", "not_encodable"],
    ["an emoji in windows-1252", latin1("caf\xe9 a\n"), "a", "x😀", "not_encodable"],
    [
      "a binary",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0x1a, 0xff, 0x61]),
      "a",
      "b",
      "encoding_unknown",
    ],
    [
      "bytes that would become another character",
      Buffer.concat([gb18030(CHINESE.head.repeat(JUDGED_BYTES / 16)), latin1("\x81\nabc")]),
      "\nabc",
      "abc",
      "encoding_unsafe",
    ],
    ["an emoji in Big5", encodeAs("big5", "人人生而自由 a"), "a", "x😀", "not_encodable"],
    ["Chinese in Korean", encodeAs("euc-kr", `${KOREAN} a`), " a", " 们", "not_encodable"],
  ])("%s", async (_, before, oldText, newText, reason) => {
    const result = await editBytes(before, { oldText, newText });
    expect(result.details).toMatchObject({ code: "invalid_input", reason });
    expect(result.after).toEqual(before);
  });

  it("and names the letter", async () => {
    const result = await editBytes(latin1("caf\xe9 a\n"), { oldText: "a\n", newText: "a→b" });
    expect(result.details).toMatchObject({ character: "→", encoding: "windows-1252" });
    expect(JSON.stringify(result.content)).toContain("(U+2192)");
  });
});

describe("edit of UTF-8 that is damaged somewhere", () => {
  const damaged = Buffer.concat([
    Buffer.from("é “a” è ü ö\n"),
    Buffer.from([0xff, 0xc3, 0x0a]),
    Buffer.from("b – c\n"),
  ]);

  it.each([
    ["exactly", "b – c", "b – d", "fit", "exact"],
    ["loosely", '"a" è', '"b" è', "fit", "loose"],
  ])("keeps the damage: %s", async (_, oldText, newText, key, value) => {
    const result = await editBytes(damaged, { oldText, newText });
    expect(result.details).toMatchObject({ changed: true, [key]: value });
    expect(result.after.includes(Buffer.from([0xff, 0xc3, 0x0a]))).toBe(true);
    expect(result.after).toHaveLength(damaged.length);
  });
});
