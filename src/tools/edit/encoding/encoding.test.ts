// Encodings are told apart, and what is decoded comes back byte for byte.

import { describe, expect, it } from "vitest";
import { createCodec } from "./codec.js";
import { detectEncoding, type Encoding } from "./detect.js";

const ALL: readonly Encoding[] = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "gb18030"];
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
    ["Korean", Buffer.from("b0a1b0a2b0a3b0a4b0a5b0a6b0a7b0a8b0a9b0aab0abb0ac", "hex"), undefined],
    [
      "Shift_JIS",
      Buffer.from("82b182ea82cd83658358836782c582b7814382bb82e882e9", "hex"),
      undefined,
    ],
    [
      "a binary",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
      undefined,
    ],
  ])("of %s are told", (_, bytes, expected) => {
    expect(detectEncoding(bytes)).toBe(expected);
  });

  it.each(ALL)("%s gives back every character that it has", (encoding) => {
    const { decode, encode: encodeText } = createCodec(encoding);
    let count = 0;
    for (let point = 0; point < 0x110000; point += 1) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const character = String.fromCodePoint(point);
      const bytes = encodeText(character);
      if (!bytes) continue;
      count++;
      if (decode(bytes) !== character) throw new Error(`U+${point.toString(16)} is lost`);
      // Beyond the basic plane all follow one rule.
      if (point >= 0x10000) point += 997;
    }
    const expected = { "windows-1252": 256, gb18030: 64_000 };
    const least = encoding in expected ? expected[encoding as keyof typeof expected] : 64_000;
    expect(count).toBeGreaterThanOrEqual(least - 500);
  });

  it("a character that an encoding has not is told", () => {
    expect(createCodec("windows-1252").encode("a→b")).toBeUndefined();
    expect(createCodec("windows-1252").encode("€ “é”")).toEqual(
      Buffer.from([0x80, 0x20, 0x93, 0xe9, 0x94]),
    );
    expect(createCodec("gb18030").encode("\uE5E5")).toBeUndefined();
    expect(createCodec("gb18030").encode("中€😀")).toEqual(Buffer.from("d6d0a2e39439fc36", "hex"));
  });
});
