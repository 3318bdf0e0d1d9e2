// Which encoding a file is taken to have, and what is no text.

import { describe, expect, it } from "vitest";
import { encodeAs } from "../../../test/contract/read-encoder.js";
import { judgeHead } from "./judge-head.js";
import type { DoubleByteEncoding } from "./not-text.js";
import { createTextStream } from "./text-stream.js";

const TEXTS = {
  gb18030: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
  big5: "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
  shift_jis: "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
  "euc-jp": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
  "euc-kr":
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 이성을 지녔다.",
} as const satisfies Record<DoubleByteEncoding, string>;

const WESTERN = [
  "Grüße aus Köln\n",
  "café",
  "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
  "Todos los seres humanos nacen libres e iguales. ¿Qué? ¡Mañana!",
  "Alle mennesker er født frie, og like på ærlig måte",
  "ÄÖÜäöüß",
  "ÀÉÎÕÜ",
  "é",
  "naïve",
];

const judge = (bytes: Buffer, isLast = true) => judgeHead({ bytes, isLast });
const encodingOf = (bytes: Buffer) => judge(bytes)?.encoding;

describe("the encoding of a file", () => {
  it.each(Object.entries(TEXTS))("%s is recognised by its common characters", (encoding, text) => {
    for (const sample of [text, `name = x\r\n${text}\r\n`, `${text}\n`.repeat(200)]) {
      expect(encodingOf(encodeAs(encoding, sample))).toBe(encoding);
    }
  });

  it("a few Chinese characters are enough", () => {
    for (const text of ["中文", "你好", "# 说明\nx = 1\n", "文件名：测试"]) {
      expect(encodingOf(encodeAs("gb18030", text)), text).toBe("gb18030");
    }
  });

  it("a text whose last character is cut off keeps its encoding", () => {
    for (const [encoding, text] of Object.entries(TEXTS)) {
      const bytes = encodeAs(encoding, `${text.slice(0, -1)}${text[1]}`);
      expect(encodingOf(bytes.subarray(0, -1)), encoding).toBe(encoding);
    }
  });

  it.each(WESTERN)("%j in Latin-1 is windows-1252", (text) => {
    expect(encodingOf(Buffer.from(text, "latin1"))).toBe("windows-1252");
  });

  it("quotation marks and dashes of windows-1252 are no kanji", () => {
    const bytes = Buffer.from("It\x92s a \x93test\x94 \x96 don\x92t worry \x85", "latin1");
    expect(encodingOf(bytes)).toBe("windows-1252");
    expect(createTextStream("windows-1252").push(bytes)).toBe("It’s a “test” – don’t worry …");
  });

  it("valid UTF-8 is never taken for anything else", () => {
    for (const text of [...Object.values(TEXTS), ...WESTERN, "Все люди", "😀", "\u0080\u07FF"]) {
      expect(encodingOf(Buffer.from(text)), text).toBe("utf-8");
    }
    expect(judge(Buffer.from("plain"))).toMatchObject({ encoding: undefined, markBytes: 0 });
    expect(judge(Buffer.from("\uFEFFplain"))).toMatchObject({ encoding: "utf-8", markBytes: 3 });
  });

  it("UTF-8 with a stray byte, or with its last character cut off, is UTF-8", () => {
    const cut = (text: string, bytes: number) => Buffer.from(text).subarray(0, -bytes);
    const stray = Buffer.concat([Buffer.from("Grüße, 世界 "), Buffer.from([0xff, 0x20])]);
    expect(encodingOf(stray)).toBe("utf-8");
    for (const bytes of [cut("plain text €", 1), cut("plain text 😀", 1), cut("abcé", 1)]) {
      expect(encodingOf(bytes)).toBe("utf-8");
    }
    expect(judge(cut("世界", 1), false)?.encoding).toBe("utf-8");
  });

  it.each(["utf-16le", "utf-16be"] as const)(
    "%s is recognised with and without its mark",
    (name) => {
      for (const text of [
        "plain\n",
        "naïve – “x”\r\n",
        "名前 = 値\n",
        "mixed 😀 text\n",
        "一二 三\n",
      ]) {
        expect(judge(encodeAs(name, `\uFEFF${text}`)), text).toMatchObject({
          encoding: name,
          markBytes: 2,
        });
        expect(judge(encodeAs(name, text)), text).toMatchObject({ encoding: name, markBytes: 0 });
      }
    },
  );

  it.each([
    ["random bytes", Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 167 + 13) % 256))],
    [
      "random bytes without NUL",
      Buffer.from(Array.from({ length: 999 }, (_, i) => 1 + ((i * 89) % 255))),
    ],
    ["one byte over and over", Buffer.alloc(100, 0xff)],
    [
      "sixteen-bit samples",
      Buffer.from(Array.from({ length: 512 }, (_, i) => (i % 2 ? 0 : (i * 7) % 32))),
    ],
    ["a mark of UTF-16 before noise", Buffer.from(`fffe${"d8d9dadb0100".repeat(50)}`, "hex")],
    ["UTF-32", Buffer.from("fffe00006100000062000000", "hex")],
    ["zeros", Buffer.alloc(9_000)],
    ["names with NULs between them", Buffer.from("PATH=/usr/bin\0HOME=/root\0LANG=C\0")],
    ["names with accents and NULs", Buffer.from("Grüße.txt\0naïve.md\0日本.txt\0")],
  ])("%s are no text", (_what, bytes) => {
    expect(judge(bytes)).toBeUndefined();
  });
});
