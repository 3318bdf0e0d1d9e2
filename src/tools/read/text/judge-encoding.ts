// What encoding the text of a file has, or that it is no text. Valid UTF-8 is never guessed at; the
// rest is decided by the first block that is not plain ASCII, so that every page of a file agrees.

import { isAscii, isUtf8 } from "node:buffer";
import type { Encoding } from "./encoding.js";
import { guessLegacyEncoding } from "./guess-legacy.js";
import { countInvalid, countWholeUtf8, createTextStream } from "./text-stream.js";

/** Blocks are judged as they lie in the file: from one multiple of this size to the next. */
export const BLOCK_BYTES = 64 * 1024;

const NUL_SAMPLE_BYTES = 8 * 1024;
const MAX_INVALID_SHARE = 0.1;
/** Backspace to return, the end of file of old systems, escape. */
const USUAL_CONTROLS = `\\b-\\r${String.fromCharCode(0x1a, 0x1b)}`;
/** In Latin-1, where the older encodings have letters at 0x80 to 0x9F. */
const STRANGE_CONTROL = new RegExp(`[^\\P{Cc}${USUAL_CONTROLS}\\x80-\\x9f]`, "u");
const STRANGE_IN_UTF16 = new RegExp(`[\\p{Cn}\\p{Co}\\p{Cs}]|[^\\P{Cc}${USUAL_CONTROLS}]`, "gu");
const NOT_ASCII = /[^\0-\x7f]/gu;
const NULS = /\0/g;
/** Latin text has nearly a half. */
const MIN_ZERO_SHARE = 0.25;
const PLAIN = /[\t\n\r -~]/g;

export interface TextFinding {
  /** undefined while nothing but ASCII was seen. */
  readonly encoding: Encoding | undefined;
  /** Length of the byte order mark. */
  readonly markBytes: number;
  /** Nothing is guessed: it is valid UTF-8, or has a byte order mark. */
  readonly isSure: boolean;
}

export interface Block {
  readonly bytes: Buffer;
  /** Nothing follows. */
  readonly isLast: boolean;
}

const MARKS = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
] as const;

const LEAST_MARK_BYTE = 0xef;

/** Judges the first block of a file; undefined when the file is no text. */
export function judgeHead(head: Block): TextFinding | undefined {
  const { bytes, isLast } = head;
  const isMarked = (bytes[0] ?? 0) >= LEAST_MARK_BYTE;
  const mark = isMarked && MARKS.find((candidate) => startsWith(bytes, candidate.bytes));
  const markBytes = mark ? mark.bytes.length : 0;
  const body = bytes.subarray(markBytes);
  if (mark && mark.encoding !== "utf-8") {
    const isLikely = shareOfStrange(body, mark.encoding) <= MAX_INVALID_SHARE;
    return isLikely ? { encoding: mark.encoding, markBytes, isSure: true } : undefined;
  }
  if (body.subarray(0, NUL_SAMPLE_BYTES).includes(0)) {
    const encoding = guessUtf16(body);
    return encoding && { encoding, markBytes, isSure: false };
  }
  if (isAscii(body)) return { encoding: mark ? "utf-8" : undefined, markBytes, isSure: true };
  if (mark && isMostlyUtf8({ bytes: body, isLast })) {
    return { encoding: "utf-8", markBytes, isSure: true };
  }
  const encoding = mark ? undefined : judgeBlock({ bytes: body, isLast });
  const whole = isLast ? body : body.subarray(0, countWholeUtf8(body));
  const isSure = encoding === "utf-8" && isUtf8(whole);
  return encoding && { encoding, markBytes, isSure };
}

/** Judges a block that is not plain ASCII and before which all was; undefined when it is no text. */
export function judgeBlock(block: Block): Encoding | undefined {
  const { invalid, valid, chars, isTail } = countUtf8(block);
  if (invalid === 0 || isTail) return "utf-8";
  const isDamaged = invalid <= chars * MAX_INVALID_SHARE;
  if (isDamaged && valid >= invalid) return "utf-8";
  const hasControls = STRANGE_CONTROL.test(block.bytes.toString("latin1"));
  const guessed = hasControls ? undefined : guessLegacyEncoding(block.bytes);
  return guessed ?? (isDamaged ? "utf-8" : undefined);
}

/** Whether what was decoded from the middle of a file is text after all. */
export function isText(decoded: string): boolean {
  const zeros = decoded.includes("\0") ? countIn(decoded, NULS) : 0;
  const strange = countInvalid(decoded) + zeros;
  return strange <= decoded.length * MAX_INVALID_SHARE;
}

function isMostlyUtf8(block: Block): boolean {
  const { invalid, chars } = countUtf8(block);
  return invalid <= chars * MAX_INVALID_SHARE;
}

interface Utf8Count {
  readonly chars: number;
  /** Places that are no UTF-8. */
  readonly invalid: number;
  /** Characters of more than one byte. */
  readonly valid: number;
  /** Nothing is wrong but that the last character is cut off. */
  readonly isTail: boolean;
}

function countUtf8({ bytes, isLast }: Block): Utf8Count {
  const whole = bytes.subarray(0, countWholeUtf8(bytes));
  if (isUtf8(whole)) {
    const isCut = isLast && whole.length < bytes.length;
    const isTail = !isCut || isCutUtf8(bytes, whole.length);
    return { chars: bytes.length, invalid: isCut ? 1 : 0, valid: isAscii(whole) ? 0 : 1, isTail };
  }
  const text = createTextStream("utf-8").push(bytes);
  const invalid = countInvalid(text);
  const valid = countIn(text, NOT_ASCII) - invalid;
  return { chars: text.length, invalid, valid, isTail: false };
}

/** One lone byte behind a small letter is rather the last letter of a word in windows-1252. */
function isCutUtf8(bytes: Buffer, wholeBytes: number): boolean {
  const before = bytes[wholeBytes - 1] ?? 0;
  const isLetterBefore = wholeBytes === 0 || (before >= 0x61 && before <= 0x7a);
  const isSmallAccent = (bytes[wholeBytes] ?? 0) >= 0xe0;
  return bytes.length - wholeBytes > 1 || !isLetterBefore || !isSmallAccent;
}

/** The order of bytes in which there are the more spaces, line feeds and Latin letters. */
function guessUtf16(bytes: Buffer): Encoding | undefined {
  const sample = bytes.subarray(0, NUL_SAMPLE_BYTES);
  const zeros = sample.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  // Plain text with a NUL here and there, such as a list of names.
  if (isUtf8(sample) && zeros < sample.length * MIN_ZERO_SHARE) return undefined;
  const [first, second] = (["utf-16le", "utf-16be"] as const)
    .filter((encoding) => shareOfStrange(sample, encoding) === 0)
    .map((encoding) => ({ encoding, plain: countPlain(sample, encoding) }))
    .sort((left, right) => right.plain - left.plain);
  return first && first.plain > (second?.plain ?? 0) ? first.encoding : undefined;
}

function countPlain(bytes: Buffer, encoding: "utf-16le" | "utf-16be"): number {
  return countIn(createTextStream(encoding).push(bytes), PLAIN);
}

/** Of characters that stand in no text: not assigned, private, halves of pairs, controls. */
function shareOfStrange(bytes: Buffer, encoding: "utf-16le" | "utf-16be"): number {
  const text = createTextStream(encoding).push(bytes);
  return text === "" ? 0 : countIn(text, STRANGE_IN_UTF16) / text.length;
}

function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
