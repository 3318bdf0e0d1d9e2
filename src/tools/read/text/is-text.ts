// Whether what was decoded from the middle of a file is text after all.

import { countInvalid, MAX_INVALID_SHARE } from "../../../lib/encoding/not-text.js";

const NULS = /\0/g;

export function isText(decoded: string): boolean {
  const zeros = decoded.includes("\0") ? (decoded.match(NULS)?.length ?? 0) : 0;
  return countInvalid(decoded) + zeros <= decoded.length * MAX_INVALID_SHARE;
}
