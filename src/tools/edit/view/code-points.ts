// Code points in bytes of UTF-8, some of which may be no UTF-8 at all.

const MAX_SIZE = 4;
const MAX_CODE_POINT = 0x10ffff;
/** Of characters of two, three and four bytes: the bits of the first byte, and the least they say. */
const TWO_BYTES = { mask: 0x1f, least: 0x80 };
const THREE_BYTES = { mask: 0x0f, least: 0x800 };
const FOUR_BYTES = { mask: 0x07, least: 0x10000 };

/** The code point that begins at `index`; -1 when none does. */
export function codePointAt(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0xff;
  if (first < 0x80) return first;
  if (first < 0xc0 || first >= 0xf8) return -1;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const { mask, least } = size === 2 ? TWO_BYTES : size === 3 ? THREE_BYTES : FOUR_BYTES;
  let point = first & mask;
  for (let offset = 1; offset < size; offset++) {
    const byte = bytes[index + offset] ?? 0;
    if ((byte & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point < 0xe000;
  return point < least || point > MAX_CODE_POINT || isSurrogate ? -1 : point;
}

/** Where the character that ends at `end` begins. */
export function startBefore(bytes: Uint8Array, end: number): number {
  let start = end - 1;
  while (start > 0 && end - start < MAX_SIZE && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

/** Bytes of a code point. */
export function sizeOf(point: number): number {
  if (point < TWO_BYTES.least) return 1;
  if (point < THREE_BYTES.least) return 2;
  return point < FOUR_BYTES.least ? 3 : 4;
}
