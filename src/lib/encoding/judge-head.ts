// Finds the encoding of a file by its first bytes, or that it is not text.

import { isAscii, isUtf8 } from "node:buffer";
import { type Block, judgeBlock } from "./judge-block.js";
import { type Encoding, MAX_INVALID_SHARE } from "./not-text.js";
import { countUtf8, countWholeUtf8 } from "./utf-8.js";
import { guessUtf16, SAMPLE_BYTES, shareOfStrange } from "./utf-16.js";

/** Blocks are judged as they lie in the file: from one multiple of this size to the next. */
export const BLOCK_BYTES = 64 * 1024;

export interface TextFinding {
  readonly encoding: Encoding | undefined;
  readonly markBytes: number;
  /** Nothing is guessed: it is valid UTF-8, or has a byte order mark. */
  readonly isSure: boolean;
}

const MARKS = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
] as const;

const LEAST_MARK_BYTE = 0xef;

/** Judges the first block of a file; undefined when the file is not text. */
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
  if (body.subarray(0, SAMPLE_BYTES).includes(0)) {
    const isHalved = isLast && body.length % 2 === 1;
    const encoding = isHalved ? undefined : guessUtf16(body);
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

function isMostlyUtf8(block: Block): boolean {
  const { invalid, chars } = countUtf8(block);
  return invalid <= chars * MAX_INVALID_SHARE;
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
