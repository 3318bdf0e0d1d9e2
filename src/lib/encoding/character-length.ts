// The shapes of characters in bytes, in the encodings that mix one byte with several.

import type { DoubleByteEncoding } from "./not-text.js";

/** The sequence is not whole: it reaches beyond the last byte. */
export const UNFINISHED = -1;
export const INVALID = 0;

export type CharacterLength = (bytes: Uint8Array, index: number) => number;

type Ranges = readonly number[];

const ASCII: Ranges = [0x00, 0x7f];

/** Trail bytes of no encoding here are line feeds, so lines can be found in the bytes. */
export const CHARACTER_LENGTHS = {
  gb18030: lengthInGb18030(),
  big5: lengthOfPairs({ leads: [0x81, 0xfe], trails: [0x40, 0x7e, 0xa1, 0xfe] }),
  shift_jis: lengthOfPairs({
    // Half-width katakana are single bytes.
    singles: [0xa1, 0xdf],
    leads: [0x81, 0x9f, 0xe0, 0xfc],
    trails: [0x40, 0x7e, 0x80, 0xfc],
  }),
  "euc-jp": lengthInEucJp(),
  "euc-kr": lengthOfPairs({ leads: [0xa1, 0xfe], trails: [0xa1, 0xfe] }),
} as const satisfies Record<DoubleByteEncoding, CharacterLength>;

interface Pairs {
  readonly singles?: Ranges;
  readonly leads: Ranges;
  readonly trails: Ranges;
}

function lengthOfPairs(pairs: Pairs): CharacterLength {
  const isSingle = toTable([...ASCII, ...(pairs.singles ?? [])]);
  const isLead = toTable(pairs.leads);
  const isTrail = toTable(pairs.trails);
  return (bytes, index) => {
    const first = bytes[index] ?? 0;
    if (isSingle[first]) return 1;
    if (!isLead[first]) return INVALID;
    const second = bytes[index + 1];
    if (second === undefined) return UNFINISHED;
    return isTrail[second] ? 2 : INVALID;
  };
}

function lengthInGb18030(): CharacterLength {
  const pairs = lengthOfPairs({ leads: [0x81, 0xfe], trails: [0x40, 0x7e, 0x80, 0xfe] });
  const isDigit = toTable([0x30, 0x39]);
  const isLead = toTable([0x81, 0xfe]);
  return (bytes, index) => {
    const length = pairs(bytes, index);
    if (length !== INVALID || !isLead[bytes[index] ?? 0] || !isDigit[bytes[index + 1] ?? 0]) {
      return length;
    }
    const third = bytes[index + 2];
    if (third === undefined) return UNFINISHED;
    if (!isLead[third]) return INVALID;
    const fourth = bytes[index + 3];
    if (fourth === undefined) return UNFINISHED;
    return isDigit[fourth] ? 4 : INVALID;
  };
}

function lengthInEucJp(): CharacterLength {
  const pairs = lengthOfPairs({ leads: [0xa1, 0xfe], trails: [0xa1, 0xfe] });
  const katakana = lengthOfPairs({ leads: [0x8e, 0x8e], trails: [0xa1, 0xdf] });
  return (bytes, index) => {
    const first = bytes[index];
    if (first === 0x8e) return katakana(bytes, index);
    if (first !== 0x8f) return pairs(bytes, index);
    if (index + 1 >= bytes.length) return UNFINISHED;
    const rest = pairs(bytes, index + 1);
    return rest === 2 ? 3 : rest === UNFINISHED ? UNFINISHED : INVALID;
  };
}

function toTable(ranges: Ranges): Uint8Array {
  const table = new Uint8Array(256);
  for (let index = 0; index < ranges.length; index += 2) {
    table.fill(1, ranges[index], (ranges[index + 1] ?? 0) + 1);
  }
  return table;
}
