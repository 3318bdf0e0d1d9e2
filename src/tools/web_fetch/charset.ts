// From the bytes of an answer to text: which encoding they are in is reported by a mark, by the header,
// by the page itself, and only then guessed.

const META_BYTES = 1_024;
const SAMPLE_BYTES = 64 * 1_024;
const META =
  /<meta[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w:.-]{2,40})|<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w:.-]{2,40})/i;
const HEADER = /\bcharset\s*=\s*["']?([\w:.-]{2,40})/i;
/** With more characters that cannot be decoded, the encoding that was named is wrong. */
const MAX_INVALID_SHARE = 0.005;
const FALLBACK = "windows-1252";
const NON_ASCII = /[\x80-\xff]/;

export interface DecodedBody {
  readonly text: string;
  readonly charset: string;
  /** Share of the characters that could not be decoded, 0 to 1. */
  readonly invalidShare: number;
}

export async function decodeBody(bytes: Uint8Array, contentType: string): Promise<DecodedBody> {
  const mark = readMark(bytes);
  const declared = mark ?? known(HEADER.exec(contentType)?.[1]) ?? readMeta(bytes);
  const first = decode(bytes, declared ?? (isUtf8(bytes) ? "utf-8" : await guess(bytes)));
  if (mark !== undefined || first.invalidShare <= MAX_INVALID_SHARE) return first;
  // Servers that call every page UTF-8 are common: the page itself may know better.
  const others = [readMeta(bytes) ?? first.charset, await guess(bytes)];
  const tried = [first, ...others.map((charset) => decode(bytes, charset))];
  return tried.reduce((best, one) => (one.invalidShare < best.invalidShare ? one : best));
}

function decode(bytes: Uint8Array, charset: string): DecodedBody {
  const text = new TextDecoder(charset).decode(bytes);
  return { text, charset, invalidShare: countInvalid(text) / Math.max(1, text.length) };
}

function readMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** A page that could be read for this is not in UTF-16, whatever it says. */
function readMeta(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString("latin1");
  const found = META.exec(head);
  const charset = known(found?.[1] ?? found?.[2]);
  return charset?.startsWith("utf-16") ? "utf-8" : charset;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const wanted = /^(?:x-user-defined|utf-?7)$/i.test(label) ? FALLBACK : label;
  try {
    return new TextDecoder(wanted).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  // The last character may be cut off by the limit of bytes.
  const at = text.indexOf("\uFFFD");
  return at === -1 || at >= text.length - 2;
}

/** By the text alone: markup is all ASCII and would hide what the letters say. */
async function guess(bytes: Uint8Array): Promise<string> {
  const letters = Buffer.from(bytes.subarray(0, SAMPLE_BYTES * 8))
    .toString("latin1")
    .replace(/<[^<>]{0,2000}>/g, " ")
    .split(/\s+/)
    .filter((word) => NON_ASCII.test(word))
    .join(" ")
    .slice(0, SAMPLE_BYTES);
  const chardet = await import("chardet");
  return known(chardet.detect(Buffer.from(letters, "latin1")) ?? undefined) ?? FALLBACK;
}

function countInvalid(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) count++;
  return count;
}

const UNSEEN = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]|\udb40[\udc00-\udc7f]/g;

export function dropUnseen(text: string): { readonly text: string; readonly hiddenChars: number } {
  const seen = text.replace(UNSEEN, "");
  return { text: seen, hiddenChars: text.length - seen.length };
}

const NO_LINE = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** Surrogates without their other half, and marks without a look; the two joiners spell words. */
const NO_LETTER = /\p{Surrogate}|[^\P{Cf}\u200C\u200D]/gu;

export function toTitle(written: string): string {
  return written.replace(NO_LINE, " ").replace(NO_LETTER, "").trim();
}
