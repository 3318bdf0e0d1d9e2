// windows-1252: whether bytes are such text, and conversion both ways.

const SPECIAL =
  "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F" +
  "\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";
const FIRST_SPECIAL = 0x80;
const SPECIAL_BYTES = /[\x80-\x9f]/g;
const FREE = /[\x81\x8d\x8f\x90\x9d]/;
const ACCENTS = /[\x80-\xff]+/g;
const LONG_ROW = 9;
const MAX_SHARE_IN_LONG_ROWS = 0.1;

export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(SPECIAL_BYTES, (letter) => SPECIAL.charAt(letter.charCodeAt(0) - FIRST_SPECIAL));
}

/** undefined when the encoding lacks a character of the text. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isSame = unit < FIRST_SPECIAL || (unit >= 0xa0 && unit <= 0xff);
    const special = isSame ? -1 : SPECIAL.indexOf(text.charAt(index));
    if (!isSame && special === -1) return undefined;
    bytes[index] = isSame ? unit : FIRST_SPECIAL + special;
  }
  return bytes;
}

export function isWindows1252(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (FREE.test(text)) return false;
  const rows = (text.match(ACCENTS) ?? []).map((row) => row.length);
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  return sum(rows.filter((length) => length >= LONG_ROW)) <= sum(rows) * MAX_SHARE_IN_LONG_ROWS;
}
