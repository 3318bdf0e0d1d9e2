// Borders inside Unicode text: byte order mark, surrogate halves, cuts between characters.

const BYTE_ORDER_MARK = "\uFEFF";
const LONE_SURROGATE = /\p{Surrogate}/u;
const UTF8_CONTINUATION_MASK = 0xc0;
const UTF8_CONTINUATION = 0x80;

export function splitByteOrderMark(text: string): { mark: string; body: string } {
  return text.startsWith(BYTE_ORDER_MARK)
    ? { mark: BYTE_ORDER_MARK, body: text.slice(1) }
    : { mark: "", body: text };
}

/** Half of a surrogate pair: a character that UTF-8 cannot say. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

export function cutChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, Math.max(0, maxChars)).replace(/[\uD800-\uDBFF]$/, "");
}

export function cutText(text: string, limits: { maxChars: number; maxBytes: number }): string {
  const { maxChars, maxBytes } = limits;
  const whole = cutChars(text, Math.min(maxChars, maxBytes));
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const bytes = Buffer.from(whole);
  let end = Math.max(0, maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString("utf8", 0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & UTF8_CONTINUATION_MASK) === UTF8_CONTINUATION;
}
