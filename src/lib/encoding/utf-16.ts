// UTF-16: how likely bytes are such text, and in which order of bytes.

import { isUtf8 } from "node:buffer";
import { markInvalid, USUAL_CONTROLS } from "./not-text.js";

type Utf16 = "utf-16le" | "utf-16be";

/** Bytes examined to detect UTF-16. */
export const SAMPLE_BYTES = 8 * 1024;
const STRANGE = new RegExp(`[\\p{Cn}\\p{Co}\\p{Cs}]|[^\\P{Cc}${USUAL_CONTROLS}]`, "gu");
const PLAIN = /[\t\n\r -~]/g;
const MIN_ZERO_SHARE = 0.25;

export function createUtf16Decoder(encoding: Utf16): {
  push(bytes: Buffer): string;
  end(): string;
} {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    push: (bytes) => markInvalid(decoder.decode(bytes, { stream: true })),
    end: () => markInvalid(decoder.decode()),
  };
}

export function guessUtf16(bytes: Buffer): Utf16 | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  // Plain text with a NUL here and there, such as a list of names.
  if (isUtf8(sample) && zeros < sample.length * MIN_ZERO_SHARE) return undefined;
  const [first, second] = (["utf-16le", "utf-16be"] as const)
    .filter((encoding) => shareOfStrange(sample, encoding) === 0)
    .map((encoding) => ({ encoding, plain: countPlain(sample, encoding) }))
    .sort((left, right) => right.plain - left.plain);
  return first && first.plain > (second?.plain ?? 0) ? first.encoding : undefined;
}

export function shareOfStrange(bytes: Buffer, encoding: Utf16): number {
  const text = createUtf16Decoder(encoding).push(bytes);
  return text === "" ? 0 : (text.match(STRANGE)?.length ?? 0) / text.length;
}

function countPlain(bytes: Buffer, encoding: Utf16): number {
  return createUtf16Decoder(encoding).push(bytes).match(PLAIN)?.length ?? 0;
}
