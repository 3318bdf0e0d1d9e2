// Encodings are told apart, and what is decoded comes back byte for byte.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import type { Encoding } from "../../lib/encoding/not-text.js";
import { createCodec } from "./codec.js";
import { detectEncoding } from "./load-text.js";

/** How many characters of the basic plane, and of one sample in 997 beyond it, each has at least. */
const COUNTS = {
  "utf-8": 64_000,
  "utf-16le": 64_000,
  "utf-16be": 64_000,
  "windows-1252": 256,
  gb18030: 21_000,
  big5: 13_500,
  shift_jis: 7_000,
  "euc-jp": 12_500,
  "euc-kr": 8_200,
} as const satisfies Record<Encoding, number>;
const ALL = Object.entries(COUNTS);
const CHINESE = "第一行：这是一个测试文件，里面有很多汉字。\n第二行 second line\n";
const FRENCH = "Les élèves étaient à l'école, où ils ont été fâchés – « très » !\n";

const encode = (text: string, encoding: Encoding) =>
  createCodec(encoding).encode(text) ?? Buffer.of();

describe("encodings", () => {
  it.each<[string, Buffer, Encoding | undefined]>([
    ["nothing", Buffer.of(), "utf-8"],
    ["ASCII", Buffer.from("plain\n"), "utf-8"],
    ["UTF-8", Buffer.from(CHINESE), "utf-8"],
    ["UTF-8 with its mark", Buffer.from(`\uFEFF${FRENCH}`), "utf-8"],
    ["UTF-8 with a NUL", Buffer.from("a\0b\0\0c é"), "utf-8"],
    ["UTF-8 with some damage", Buffer.concat([Buffer.from(FRENCH), Buffer.of(0xff)]), "utf-8"],
    ["UTF-16LE with its mark", encode(`\uFEFF${CHINESE}`, "utf-16le"), "utf-16le"],
    ["UTF-16BE with its mark", encode(`\uFEFF${FRENCH}`, "utf-16be"), "utf-16be"],
    ["UTF-16LE without a mark", encode(FRENCH, "utf-16le"), "utf-16le"],
    ["UTF-16BE without a mark", encode(FRENCH, "utf-16be"), "utf-16be"],
    ["Latin-1", encode(FRENCH, "windows-1252"), "windows-1252"],
    [
      "Latin-1 far behind",
      Buffer.concat([Buffer.alloc(200_000, "a"), Buffer.of(0xe9)]),
      "windows-1252",
    ],
    ["GB18030", encode(CHINESE, "gb18030"), "gb18030"],
    ["Korean", Buffer.from("b0a1b0a2b0a3b0a4b0a5b0a6b0a7b0a8b0a9b0aab0abb0ac", "hex"), "euc-kr"],
    [
      "Shift_JIS",
      Buffer.from("82b182ea82cd83658358836782c582b7814382bb82e882e9", "hex"),
      "shift_jis",
    ],
    [
      "a binary",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
      undefined,
    ],
  ])("of %s are told", (_, bytes, expected) => {
    expect(detectEncoding(bytes)).toBe(expected);
  });

  it.each(ALL)("%s gives back every character that it has", (name, least) => {
    // The keys of COUNTS.
    const { decode, encode: encodeText } = createCodec(name as Encoding);
    let count = 0;
    for (let point = 0; point < 0x110000; point += 1) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const character = String.fromCodePoint(point);
      const bytes = encodeText(character);
      // Beyond the basic plane all follow one rule.
      if (point >= 0x10000) point += 997;
      if (!bytes) continue;
      count++;
      if (decode(bytes) !== character) throw new Error(`U+${point.toString(16)} is lost`);
    }
    expect(count).toBeGreaterThanOrEqual(least);
  });

  it.each(ALL)("%s finds every place of a text in the file, also of noise", (name) => {
    const random = seededRandom(campaignSeed());
    // The keys of COUNTS.
    const codec = createCodec(name as Encoding);
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256)));
      const text = codec.decode(bytes);
      const find = codec.createPlaceFinder(bytes);
      let length = 0;
      let last = 0;
      for (const character of text) {
        length += character.length;
        const place = find(length);
        // Undefined only where two characters are one in the file.
        if (place === undefined) continue;
        expect(codec.decode(bytes.subarray(last, place)).endsWith(character)).toBe(true);
        last = place;
      }
      expect(find(text.length), bytes.toString("hex")).toBe(bytes.length);
    }
  });

  it("a character that an encoding has not is told", () => {
    expect(createCodec("windows-1252").encode("a→b")).toBeUndefined();
    expect(createCodec("windows-1252").encode("€ “é”")).toEqual(
      Buffer.from([0x80, 0x20, 0x93, 0xe9, 0x94]),
    );
    expect(createCodec("gb18030").encode("\uE5E5")).toBeUndefined();
    expect(createCodec("big5").encode("十卅→")).toEqual(Buffer.from("a451a4caa1f7", "hex"));
    expect(createCodec("shift_jis").encode("纊≒ﾃ")).toEqual(Buffer.from("fa5c81e0c3", "hex"));
    expect(createCodec("euc-jp").encode("丂あ")).toEqual(Buffer.from("8fb0a1a4a2", "hex"));
    for (const name of ["big5", "shift_jis", "euc-jp", "euc-kr", "gb18030"] as const) {
      expect(createCodec(name).encode("😀"), name).toBeUndefined();
    }
    expect(createCodec("gb18030").encode("中€")).toEqual(Buffer.from("d6d0a2e3", "hex"));
  });
});
