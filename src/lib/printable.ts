// Text from outside, safe to print: invisible characters are escaped, long text is cut.

import { lazy } from "./lazy.js";
import { cutChars } from "./unicode-text.js";

const DEFAULT_MAX_CHARS = 300;
const LAST_ASCII = 0x7f;
const UNSEEN = lazy(() => /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]|[^\P{Cf}\u200C\u200D]/gu);

export function toPrintable(text: string, maxChars = DEFAULT_MAX_CHARS): string {
  if (text.length <= maxChars) return text.replace(UNSEEN(), toEscape);
  return `${cutChars(text, maxChars).replace(UNSEEN(), toEscape)}…`;
}

export function nameFirstCodePoint(text: string): string {
  const point = text.codePointAt(0);
  return point === undefined ? "" : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** As quoted samples, with the first code point of each where they may look alike; "" stays "". */
export function quoteSamples(texts: readonly string[], maxChars: number): string[] {
  const isNamed = texts.some((text) => (text.codePointAt(0) ?? 0) > LAST_ASCII);
  return texts.map((text) => {
    if (text === "") return "";
    const sample = cutChars(text, maxChars);
    const end = sample.length < text.length ? "…" : "";
    const name = isNamed ? ` (${nameFirstCodePoint(text)})` : "";
    return `${toPrintable(JSON.stringify(sample))}${end}${name}`;
  });
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}
