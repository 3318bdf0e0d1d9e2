// Guesses the encoding of bytes that are not plain ASCII: UTF-8, or the most likely older one.

import { CHARACTER_LENGTHS, INVALID, UNFINISHED } from "./character-length.js";
import {
  type DoubleByteEncoding,
  type Encoding,
  MAX_INVALID_SHARE,
  USUAL_CONTROLS,
} from "./not-text.js";
import { countUtf8 } from "./utf-8.js";
import { isWindows1252 } from "./windows-1252.js";

const MIN_COMMON_SHARE = 0.7;
const MIN_KANA_SHARE = 0.2;
const STRANGE_CONTROL = new RegExp(`[^\\P{Cc}${USUAL_CONTROLS}\\x80-\\x9f]`, "u");

export interface Block {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

interface Habit {
  readonly encoding: DoubleByteEncoding;
  readonly minCharacters: number;
  isCommon(lead: number, trail: number): boolean;
  readonly isKana?: (lead: number) => boolean;
}

const isIn = (byte: number, low: number, high: number) => byte >= low && byte <= high;

const HABITS: readonly Habit[] = [
  {
    encoding: "euc-kr",
    minCharacters: 12,
    isCommon: (lead, trail) => isIn(lead, 0xb0, 0xc8) && trail >= 0xa1,
  },
  {
    encoding: "gb18030",
    minCharacters: 2,
    isCommon: (lead, trail) => (isIn(lead, 0xb0, 0xd7) || isIn(lead, 0xa1, 0xa3)) && trail >= 0xa1,
  },
  {
    encoding: "big5",
    minCharacters: 4,
    isCommon: (lead) => isIn(lead, 0xa4, 0xc6) || lead === 0xa1,
  },
  {
    encoding: "shift_jis",
    minCharacters: 2,
    isCommon: (lead) => isIn(lead, 0x81, 0x83) || isIn(lead, 0x88, 0x97),
    isKana: (lead) => isIn(lead, 0x82, 0x83),
  },
  {
    encoding: "euc-jp",
    minCharacters: 4,
    isCommon: (lead) => lead === 0xa1 || isIn(lead, 0xa4, 0xa5) || isIn(lead, 0xb0, 0xcf),
    isKana: (lead) => isIn(lead, 0xa4, 0xa5),
  },
];

/** Of a block before which all was plain ASCII; undefined when it is not text. */
export function judgeBlock(block: Block): Encoding | undefined {
  const { invalid, valid, chars, isTail } = countUtf8(block);
  if (invalid === 0 || isTail) return "utf-8";
  const isDamaged = invalid <= chars * MAX_INVALID_SHARE;
  if (isDamaged && valid >= invalid) return "utf-8";
  const hasControls = STRANGE_CONTROL.test(block.bytes.toString("latin1"));
  const guessed = hasControls ? undefined : guessLegacyEncoding(block.bytes);
  return guessed ?? (isDamaged ? "utf-8" : undefined);
}

function guessLegacyEncoding(bytes: Buffer): Encoding | undefined {
  const shares = HABITS.map((habit) => shareOfCommon(bytes, habit));
  const most = Math.max(...shares);
  if (most >= MIN_COMMON_SHARE) return HABITS[shares.indexOf(most)]?.encoding;
  return isWindows1252(bytes) ? "windows-1252" : undefined;
}

/** 0 when the bytes cannot be of this encoding. A last character that is cut off counts as uncommon. */
function shareOfCommon(bytes: Buffer, { encoding, minCharacters, isCommon, isKana }: Habit) {
  const lengthAt = CHARACTER_LENGTHS[encoding];
  let [characters, common, kana] = [0, 0, 0];
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] ?? 0;
    const length = lead < 0x80 ? 1 : lengthAt(bytes, index);
    if (length === INVALID) return 0;
    if (lead >= 0x80) characters++;
    if (length === UNFINISHED) break;
    if (length === 2 && isCommon(lead, bytes[index + 1] ?? 0)) common++;
    if (isKana?.(lead)) kana++;
    index += length;
  }
  const hasKana = !isKana || kana >= characters * MIN_KANA_SHARE;
  return characters >= minCharacters && hasKana && common > 0 ? common / characters : 0;
}
