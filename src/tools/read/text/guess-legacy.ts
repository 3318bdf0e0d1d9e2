// Which of the older encodings a piece of text most likely has, by how often its bytes fall where
// that encoding has its common characters. Asked only for bytes that are not UTF-8.

import {
  CHARACTER_LENGTHS,
  type DoubleByteEncoding,
  type Encoding,
  INVALID,
  UNFINISHED,
} from "./encoding.js";

const MIN_COMMON_SHARE = 0.7;
/** Japanese is not written without kana; capitals and quotation marks of the West look like kanji. */
const MIN_KANA_SHARE = 0.2;
/** In Western words so many letters with accents do not stand in a row; elsewhere whole words do. */
const LONG_ROW = 9;
const MAX_SHARE_IN_LONG_ROWS = 0.1;
/** Bytes that windows-1252 leaves free. */
const FREE_IN_WINDOWS_1252 = /[\x81\x8d\x8f\x90\x9d]/;
const ACCENTS = /[\x80-\xff]+/g;

interface Habit {
  readonly encoding: DoubleByteEncoding;
  /** With fewer characters chance could have made them. */
  readonly minCharacters: number;
  readonly minKanaShare: number;
  isCommon(lead: number, trail: number): boolean;
  isKana(lead: number): boolean;
}

const isIn = (byte: number, low: number, high: number) => byte >= low && byte <= high;

/** Of two with the same share the first: Korean lies in a part of what is common in Chinese. */
const HABITS: readonly Habit[] = [
  {
    encoding: "euc-kr",
    minCharacters: 12,
    minKanaShare: 0,
    isCommon: (lead, trail) => isIn(lead, 0xb0, 0xc8) && trail >= 0xa1,
    isKana: () => false,
  },
  {
    encoding: "gb18030",
    minCharacters: 2,
    minKanaShare: 0,
    isCommon: (lead, trail) => (isIn(lead, 0xb0, 0xd7) || isIn(lead, 0xa1, 0xa3)) && trail >= 0xa1,
    isKana: () => false,
  },
  {
    encoding: "big5",
    minCharacters: 4,
    minKanaShare: 0,
    isCommon: (lead) => isIn(lead, 0xa4, 0xc6) || lead === 0xa1,
    isKana: () => false,
  },
  {
    encoding: "shift_jis",
    minCharacters: 2,
    minKanaShare: MIN_KANA_SHARE,
    isCommon: (lead) => isIn(lead, 0x81, 0x83) || isIn(lead, 0x88, 0x97),
    isKana: (lead) => isIn(lead, 0x82, 0x83),
  },
  {
    encoding: "euc-jp",
    minCharacters: 4,
    minKanaShare: MIN_KANA_SHARE,
    isCommon: (lead) => lead === 0xa1 || isIn(lead, 0xa4, 0xa5) || isIn(lead, 0xb0, 0xcf),
    isKana: (lead) => isIn(lead, 0xa4, 0xa5),
  },
];

/** undefined when none is likely. */
export function guessLegacyEncoding(bytes: Buffer): Encoding | undefined {
  let best: { encoding: Encoding; share: number } | undefined;
  for (const habit of HABITS) {
    const share = shareOfCommon(bytes, habit);
    if (share >= MIN_COMMON_SHARE && share > (best?.share ?? 0)) {
      best = { encoding: habit.encoding, share };
    }
  }
  return best?.encoding ?? (isWindows1252(bytes) ? "windows-1252" : undefined);
}

/** 0 when the bytes cannot be of this encoding. The last character may be cut off. */
function shareOfCommon(bytes: Buffer, habit: Habit): number {
  const lengthAt = CHARACTER_LENGTHS[habit.encoding];
  let [characters, common, kana] = [0, 0, 0];
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] ?? 0;
    const length = lead < 0x80 ? 1 : lengthAt(bytes, index);
    if (length === INVALID) return 0;
    if (length === UNFINISHED) break;
    if (lead >= 0x80) {
      characters++;
      if (length === 2 && habit.isCommon(lead, bytes[index + 1] ?? 0)) common++;
      if (habit.isKana(lead)) kana++;
    }
    index += length;
  }
  const isSure =
    characters >= habit.minCharacters && kana >= characters * habit.minKanaShare && common > 0;
  return isSure ? common / characters : 0;
}

function isWindows1252(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (FREE_IN_WINDOWS_1252.test(text)) return false;
  const rows = (text.match(ACCENTS) ?? []).map((row) => row.length);
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  return sum(rows.filter((length) => length >= LONG_ROW)) <= sum(rows) * MAX_SHARE_IN_LONG_ROWS;
}
