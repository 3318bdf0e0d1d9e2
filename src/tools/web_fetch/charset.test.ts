// In which encoding a page is read, by what is told about it and by its bytes.

import { describe, expect, it } from "vitest";
import { decodeBody } from "./charset.js";

const CYRILLIC =
  "Вечером в городе было тихо, и только у реки кто-то играл на старой гармони. Люди шли домой и слушали, а потом говорили о погоде.";
const GREEK =
  "Το βράδυ η πόλη ήταν ήσυχη και μόνο κοντά στο ποτάμι κάποιος έπαιζε μουσική. Οι άνθρωποι γύριζαν στο σπίτι τους.";

/** For encodings of one byte a letter: the table is made by decoding every byte. */
function encode(text: string, charset: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]),
  );
  return Uint8Array.from([...text], (letter) => table.get(letter) ?? 63);
}

const html = (text: string, head = "") =>
  `<html><head>${head}</head><body><p>${text}</p></body></html>`;
const ascii = (text: string) => Uint8Array.from([...text], (letter) => letter.charCodeAt(0));

describe("decodeBody", () => {
  it.each([
    [
      "the mark before the header",
      Uint8Array.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9]),
      "text/html; charset=koi8-r",
      "utf-8",
      "é",
    ],
    [
      "the header before the page",
      encode(html(CYRILLIC, '<meta charset="utf-8">'), "windows-1251"),
      'text/html; charset="windows-1251"',
      "windows-1251",
      "Вечером",
    ],
    [
      "the page when the header is silent",
      encode(html(CYRILLIC, '<meta charset="koi8-r">'), "koi8-r"),
      "text/html",
      "koi8-r",
      "Вечером",
    ],
    [
      "an old way to say it",
      encode(
        html(GREEK, '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-7">'),
        "iso-8859-7",
      ),
      "",
      "iso-8859-7",
      "βράδυ",
    ],
    [
      "the page when the header names nonsense",
      encode(html(CYRILLIC, "<meta charset=windows-1251>"), "windows-1251"),
      "text/html; charset=nonsense",
      "windows-1251",
      "Вечером",
    ],
    [
      "UTF-8 for a page that says UTF-16",
      new TextEncoder().encode(html("é", "<meta charset=utf-16>")),
      "text/html",
      "utf-8",
      "é",
    ],
    [
      "UTF-16 by its mark",
      Uint8Array.from([0xff, 0xfe, 0x2d, 0x4e]),
      "text/html",
      "utf-16le",
      "中",
    ],
    [
      "GBK by its name",
      Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4]),
      "text/html; charset=gb2312",
      "gbk",
      "中文",
    ],
    [
      "Shift_JIS by its name",
      Uint8Array.from([0x93, 0xfa, 0x96, 0x7b]),
      "text/plain; charset=x-sjis",
      "shift_jis",
      "日本",
    ],
  ])("takes %s", async (_name, bytes, contentType, charset, text) => {
    const decoded = await decodeBody(bytes, contentType);
    expect(decoded.charset).toBe(charset);
    expect(decoded.text).toContain(text);
  });

  it("knows UTF-8 without being told, also when its last character is cut off", async () => {
    const whole = new TextEncoder().encode(html("Grüße aus Köln"));
    expect(await decodeBody(whole, "text/html")).toMatchObject({
      charset: "utf-8",
      invalidShare: 0,
    });
    const cut = new TextEncoder().encode("Grüße, ü").subarray(0, -1);
    expect((await decodeBody(cut, "text/html")).charset).toBe("utf-8");
  });

  it.each(["windows-1251", "koi8-r"])(
    "guesses %s from the letters behind much markup",
    async (charset) => {
      const markup = '<div class="menu"><a href="/x">menu</a></div>'.repeat(80);
      const decoded = await decodeBody(
        encode(markup + html(CYRILLIC.repeat(4)), charset),
        "text/html",
      );
      expect(decoded.text).toContain("Вечером в городе");
    },
  );

  it("tells how much could not be decoded", async () => {
    const bytes = Uint8Array.from([...ascii("abcdefgh"), 0xff, 0xff]);
    const decoded = await decodeBody(bytes, "text/html; charset=utf-8");
    expect(decoded.invalidShare).toBeCloseTo(0.2);
  });

  it("ends soon on a page that is all beginnings of tags", async () => {
    const bytes = ascii(`${"<script ".repeat(60_000)}\u00e9`);
    expect((await decodeBody(bytes, "text/html")).text).toContain("<script");
  });
});
