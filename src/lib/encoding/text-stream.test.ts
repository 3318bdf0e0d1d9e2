// Bytes in pieces become one text, whatever the encoding and wherever the cuts are.

import { describe, expect, it } from "vitest";
import { encodeAs } from "../../../test/contract/read-encoder.js";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import { countInvalid, type Encoding, replaceInvalid } from "./not-text.js";
import { createTextStream } from "./text-stream.js";

describe("decoding", () => {
  const encodings: Encoding[] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1252",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
  ];
  const random = seededRandom(campaignSeed());
  const below = (limit: number) => Math.floor(random() * limit);
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, () => (below(3) === 0 ? 0x30 + below(20) : below(256))));

  it.each(encodings)("%s gives the same text wherever the bytes are cut", (encoding) => {
    for (let round = 0; round < 2_000; round++) {
      const bytes = noise(1 + below(40));
      const whole = createTextStream(encoding);
      const expected = whole.push(bytes) + whole.end();
      const parts = createTextStream(encoding);
      let text = "";
      for (let start = 0; start < bytes.length; ) {
        const end = start + 1 + below(5);
        text += parts.push(bytes.subarray(start, end));
        start = end;
      }
      expect(text + parts.end(), bytes.toString("hex")).toBe(expected);
    }
  });

  it.each(encodings)("%s keeps every line feed a line feed", (encoding) => {
    const unit = encoding.startsWith("utf-16") ? 2 : 1;
    const feed = encodeAs(encoding === "windows-1252" ? "utf-8" : encoding, "\n");
    for (let round = 0; round < 500; round++) {
      const pieces = Array.from({ length: 5 }, () => noise(unit * below(8)));
      const withoutFeeds = pieces.map((piece) =>
        Buffer.from(piece.map((b) => (b === 10 ? 11 : b))),
      );
      const stream = createTextStream(encoding);
      const bytes = Buffer.concat(withoutFeeds.flatMap((piece) => [piece, feed]));
      const text = stream.push(bytes) + stream.end();
      expect(text.split("\n").length).toBeGreaterThanOrEqual(6);
      if (unit === 1) expect(text.split("\n")).toHaveLength(6);
    }
  });

  it("tells a U+FFFD of the file from a byte that is no text", () => {
    const stream = createTextStream("utf-8");
    const bytes = Buffer.concat([
      Buffer.from("\uFFFD💀"),
      Buffer.from([0xff]),
      Buffer.from("\uFFFD"),
    ]);
    const text = stream.push(bytes) + stream.end();
    expect(countInvalid(text)).toBe(1);
    expect(replaceInvalid(text)).toBe("\uFFFD💀\uFFFD\uFFFD");
  });

  it.each([
    ["gb18030", "人人生而自由，在尊严和权利上一律平等"],
    ["big5", "人人生而自由，在尊嚴和權利上一律平等"],
    ["shift_jis", "すべての人間は、ソ表ﾃｽﾄ"],
    ["euc-jp", "すべての人間は、生まれながらにして"],
    ["euc-kr", "모든 인간은 태어날 때부터 자유로우며"],
  ] as const)("%s gives whole text as it was", (encoding, text) => {
    const stream = createTextStream(encoding);
    expect(stream.push(encodeAs(encoding, text)) + stream.end()).toBe(text);
  });

  it("decodes the characters of four bytes of GB18030", () => {
    const bytes = Buffer.from("8130813095328236", "hex");
    const stream = createTextStream("gb18030");
    expect(stream.push(bytes) + stream.end()).toBe("\u0080\u{20000}");
  });
});
