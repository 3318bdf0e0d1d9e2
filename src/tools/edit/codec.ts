// Bytes of an encoding as text, text as its bytes, and where in the file a place of the text is.

import { CHARACTER_LENGTHS, type CharacterLength } from "../../lib/encoding/character-length.js";
import {
  type DoubleByteEncoding,
  type Encoding,
  replaceInvalid,
} from "../../lib/encoding/not-text.js";
import { createTextStream } from "../../lib/encoding/text-stream.js";
import { encodeWindows1252 } from "../../lib/encoding/windows-1252.js";

const LINE_FEED = 0x0a;
const NOT_THERE = "\uFFFD";
const FIRST_LEAD = 0x81;
const LAST_BYTE = 0xfe;
const FIRST_TRAIL = 0x40;
const THREE_BYTES = 0x8f;
/** Big5 has these twice, and the second is the usual one. */
const LATER_IN_BIG5 = "═╞╡╪十卅";
/** Leads before these are extensions. */
const FIRST_IN_BIG5 = 0xa1;
/** Leads of Shift_JIS whose characters have a second, more usual place behind them. */
const SELDOM_IN_SHIFT_JIS = [0xed, 0xee];

type Codes = ReadonlyMap<string, readonly number[]>;

type EncodeText = (text: string) => Buffer | undefined;

export interface Codec {
  readonly encoding: Encoding;
  readonly encode: EncodeText;
  /** As `read` shows it: bytes that are not text are U+FFFD. The byte order mark stays. */
  decode(bytes: Buffer): string;
  createPlaceFinder(bytes: Buffer): FindPlace;
}

/** From characters of the text to bytes of the file; undefined inside of a character. */
type FindPlace = (chars: number) => number | undefined;

export function createCodec(encoding: Encoding): Codec {
  const decode = (bytes: Buffer) => {
    const stream = createTextStream(encoding);
    return replaceInvalid(stream.push(bytes) + stream.end());
  };
  const lengthAt = findLengths(encoding);
  return {
    encoding,
    decode,
    encode: createEncoder(encoding),
    createPlaceFinder: (bytes) => createPlaceFinder({ bytes, lengthAt, decode }),
  };
}

function createEncoder(encoding: Encoding): EncodeText {
  switch (encoding) {
    case "utf-8":
      return (text) => Buffer.from(text);
    case "utf-16le":
      return (text) => Buffer.from(text, "utf16le");
    case "utf-16be":
      return (text) => Buffer.from(text, "utf16le").swap16();
    case "windows-1252":
      return encodeWindows1252;
    default:
      return createDoubleByteEncoder(encoding);
  }
}

interface Characters {
  readonly bytes: Buffer;
  readonly lengthAt: CharacterLength;
  decode(bytes: Buffer): string;
}

/** Each character by itself, as no encoding here makes one depend on another. */
function createPlaceFinder({ bytes, lengthAt, decode }: Characters): FindPlace {
  const sizes = new Map<number, number>();
  const sizeOf = (start: number, end: number): number => {
    let key = end - start;
    for (let index = start; index < end; index++) key = key * 0x100 + (bytes[index] ?? 0);
    const known = sizes.get(key);
    if (known !== undefined) return known;
    const size = decode(bytes.subarray(start, end)).length;
    sizes.set(key, size);
    return size;
  };
  let [filePlace, textPlace] = [0, 0];
  return (wanted) => {
    while (textPlace < wanted && filePlace < bytes.length) {
      const end = filePlace + Math.max(1, lengthAt(bytes, filePlace));
      textPlace += sizeOf(filePlace, end);
      filePlace = end;
    }
    return textPlace === wanted ? filePlace : undefined;
  };
}

function findLengths(encoding: Encoding): CharacterLength {
  switch (encoding) {
    case "utf-16le":
      return (bytes, index) => lengthInUtf16(bytes, { index, high: 1 });
    case "utf-16be":
      return (bytes, index) => lengthInUtf16(bytes, { index, high: 0 });
    case "utf-8":
      return lengthInUtf8;
    case "windows-1252":
      return () => 1;
    default:
      return CHARACTER_LENGTHS[encoding];
  }
}

function lengthInUtf8(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 1;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[index + 1] ?? 0;
  const [least, most] = SECOND_BYTES.get(first) ?? [0x80, 0xbf];
  if (second < least || second > most) return 1;
  let length = 2;
  while (length < size && ((bytes[index + length] ?? 0) & 0xc0) === 0x80) length++;
  return length;
}

/** Where not every continuation may follow a first byte of UTF-8. */
const SECOND_BYTES: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

function lengthInUtf16(
  bytes: Uint8Array,
  { index, high }: { index: number; high: number },
): number {
  if (index + 1 >= bytes.length) return 1;
  const isFirstHalf = ((bytes[index + high] ?? 0) & 0xfc) === 0xd8;
  const isSecondHalf = ((bytes[index + 2 + high] ?? 0) & 0xfc) === 0xdc;
  return isFirstHalf && isSecondHalf && index + 3 < bytes.length ? 4 : 2;
}

function createDoubleByteEncoder(encoding: DoubleByteEncoding): EncodeText {
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

function learnCodes(encoding: DoubleByteEncoding): Codes {
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

/** Usual codes before others; without those of four bytes that GB18030 has for rare characters. */
function listCodes(encoding: DoubleByteEncoding): number[][] {
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
  const last = (isLate: (lead: number) => boolean) => [
    ...all.filter((lead) => !isLate(lead)),
    ...all.filter(isLate),
  ];
  if (encoding === "big5") return last((lead) => lead < FIRST_IN_BIG5);
  return encoding === "shift_jis" ? last((lead) => SELDOM_IN_SHIFT_JIS.includes(lead)) : all;
}
