// Which encoding a whole file has: what `read` shows as text is taken for the same text here.

import { isAscii, isUtf8 } from "node:buffer";
import type { Encoding } from "../../../lib/encoding/encodings.js";
import { judgeBlock } from "../../../lib/encoding/judge-block.js";
import { BLOCK_BYTES, judgeHead } from "../../../lib/encoding/judge-head.js";

/** undefined when it is no text. */
export function detectEncoding(bytes: Buffer): Encoding | undefined {
  const isLast = bytes.length <= BLOCK_BYTES;
  const head = judgeHead({ bytes: bytes.subarray(0, BLOCK_BYTES), isLast });
  if (head) return head.encoding ?? judgeRest(bytes);
  // Text with a NUL here and there is not shown, but nothing about it is guessed.
  return isUtf8(bytes) ? "utf-8" : undefined;
}

/** By the first block that is not plain ASCII. */
function judgeRest(bytes: Buffer): Encoding {
  for (let start = BLOCK_BYTES; start < bytes.length; start += BLOCK_BYTES) {
    const block = bytes.subarray(start, start + BLOCK_BYTES);
    if (isAscii(block)) continue;
    const isLast = start + BLOCK_BYTES >= bytes.length;
    return judgeBlock({ bytes: block, isLast }) ?? "utf-8";
  }
  return "utf-8";
}
