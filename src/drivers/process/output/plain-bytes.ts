// Looks at bytes four at a time: are they printable ASCII with line feeds and tabs and nothing else?
// Such bytes, which are most of what programs print, need neither decoding nor cleaning.

const WORD_BYTES = 4;
const HIGH_BITS = 0x80808080;
const LOW_BITS = 0x7f7f7f7f;
const ONES = 0x01010101;
/** Added to a byte below 0x80 it sets the high bit unless the byte is a control character. */
const ABOVE_CONTROLS = 0x60606060;
const LINE_FEEDS = 0x0a0a0a0a;
const TABS = 0x09090909;

const NOT_PLAIN = -1;

/** The number of line feeds in them, or -1 when they are not plain. */
export function countPlainLines(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  if (length < 2 * WORD_BYTES) return countSingly(bytes);
  const lead = -byteOffset & (WORD_BYTES - 1);
  const wordCount = (length - lead) >>> 2;
  const begin = countSingly(bytes.subarray(0, lead));
  const middle = countInWords(new Uint32Array(buffer, byteOffset + lead, wordCount));
  const end = countSingly(bytes.subarray(lead + wordCount * WORD_BYTES));
  return begin < 0 || middle < 0 || end < 0 ? NOT_PLAIN : begin + middle + end;
}

function countInWords(words: Uint32Array): number {
  let lines = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    // The second sum finds 0x7f, the one character above the controls that is one too.
    if (((word | (word + ONES)) & HIGH_BITS) !== 0) return NOT_PLAIN;
    const controls = ~(word + ABOVE_CONTROLS) & HIGH_BITS;
    if (controls === 0) continue;
    const feeds = zeroBytes(word ^ LINE_FEEDS);
    if ((controls & ~(feeds | zeroBytes(word ^ TABS))) !== 0) return NOT_PLAIN;
    lines += Math.imul(feeds >>> 7, ONES) >>> 24;
  }
  return lines;
}

/** The high bit of each byte that is zero; all bytes are below 0x80. */
function zeroBytes(word: number): number {
  return ~(word + LOW_BITS) & HIGH_BITS;
}

function countSingly(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) {
    if (byte === 0x0a) lines++;
    else if ((byte < 0x20 && byte !== 0x09) || byte >= 0x7f) return NOT_PLAIN;
  }
  return lines;
}
