// Text as bytes of the encodings of East Asia. The platform only decodes them, so the way back is
// learned by decoding every character there is.

import { CHARACTER_LENGTHS } from "../../../lib/encoding/character-length.js";
import type { DoubleByteEncoding } from "../../../lib/encoding/encodings.js";
import { createGb18030Encoder, type EncodeText } from "./gb18030.js";

const LINE_FEED = 0x0a;
const NOT_THERE = "\uFFFD";
const FIRST_LEAD = 0x81;
const LAST_BYTE = 0xfe;
const FIRST_TRAIL = 0x40;
/** Of EUC-JP: three bytes, the first of them this. */
const THREE_BYTES = 0x8f;
/** Big5 has these twice, and the second is the usual one. */
const LATER_IN_BIG5 = "═╞╡╪十卅";
/** Leads of Shift_JIS whose characters have a second, more usual place behind them. */
const SELDOM_IN_SHIFT_JIS = [0xed, 0xee];

type Codes = ReadonlyMap<string, readonly number[]>;

export function createDoubleByteEncoder(encoding: DoubleByteEncoding): EncodeText {
  if (encoding === "gb18030") return createGb18030Encoder();
  const codes = learnCodes(encoding);
  return (text) => {
    const bytes: number[] = [];
    for (const character of text) {
      const code = codes.get(character);
      if (!code) return undefined;
      bytes.push(...code);
    }
    return Buffer.from(bytes);
  };
}

/** Of two codes for one character the first counts. */
function learnCodes(encoding: Exclude<DoubleByteEncoding, "gb18030">): Codes {
  const list = listCodes(encoding);
  const lines = Buffer.from(list.flatMap((code) => [...code, LINE_FEED]));
  // A line feed is the only code that a line feed cuts in two.
  const characters = new TextDecoder(encoding, { ignoreBOM: true }).decode(lines).split("\n");
  const codes = new Map<string, readonly number[]>([["\n", [LINE_FEED]]]);
  for (const [index, code] of list.entries()) {
    const character = characters[index] ?? "";
    const isOne = [...character].length === 1 && character !== NOT_THERE;
    const isLater = encoding === "big5" && LATER_IN_BIG5.includes(character);
    if (isOne && (isLater || !codes.has(character))) codes.set(character, code);
  }
  return codes;
}

/** Usual codes before others. */
function listCodes(encoding: Exclude<DoubleByteEncoding, "gb18030">): number[][] {
  const candidates: number[][] = [];
  for (let byte = 0; byte <= 0xff; byte++) if (byte !== LINE_FEED) candidates.push([byte]);
  for (const lead of listLeads(encoding)) {
    for (let trail = FIRST_TRAIL; trail <= LAST_BYTE; trail++) {
      candidates.push([lead, trail]);
      if (encoding !== "euc-jp") continue;
      for (let third = FIRST_TRAIL; third <= LAST_BYTE; third++) {
        if (lead === THREE_BYTES) candidates.push([lead, trail, third]);
      }
    }
  }
  const lengthAt = CHARACTER_LENGTHS[encoding];
  return candidates.filter((code) => lengthAt(Uint8Array.from(code), 0) === code.length);
}

function listLeads(encoding: DoubleByteEncoding): number[] {
  const all = Array.from({ length: LAST_BYTE - FIRST_LEAD + 1 }, (_, index) => FIRST_LEAD + index);
  if (encoding === "big5") return [...all.filter(isStandardBig5), ...all.filter(isBeforeBig5)];
  if (encoding !== "shift_jis") return all;
  const usual = all.filter((lead) => !SELDOM_IN_SHIFT_JIS.includes(lead));
  return [...usual, ...SELDOM_IN_SHIFT_JIS];
}

function isStandardBig5(lead: number): boolean {
  return lead >= 0xa1;
}

function isBeforeBig5(lead: number): boolean {
  return !isStandardBig5(lead);
}
