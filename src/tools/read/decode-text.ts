// Bytes as text, or the finding that they are none.

import { isUtf8 } from "node:buffer";
import { splitByteOrderMark } from "../../lib/unicode-text.js";

const NUL_SAMPLE_BYTES = 8 * 1024;
const MAX_INVALID_SHARE = 0.1;
const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

export interface DecodedText {
  /** Without a byte order mark; what is not valid stands as U+FFFD. */
  readonly text: string;
  readonly invalidSequences: number;
}

/** undefined for a NUL near the beginning, or when over a tenth of the characters are invalid. */
export function decodeText(bytes: Buffer): DecodedText | undefined {
  if (bytes.subarray(0, NUL_SAMPLE_BYTES).includes(0)) return undefined;
  const { body: text } = splitByteOrderMark(bytes.toString("utf8"));
  if (isUtf8(bytes)) return { text, invalidSequences: 0 };
  const invalidSequences =
    countFrom((start) => text.indexOf(REPLACEMENT, start)) -
    countFrom((start) => bytes.indexOf(REPLACEMENT_BYTES, start));
  return invalidSequences > text.length * MAX_INVALID_SHARE
    ? undefined
    : { text, invalidSequences };
}

function countFrom(find: (start: number) => number): number {
  let count = 0;
  for (let index = find(0); index !== -1; index = find(index + 1)) count++;
  return count;
}
