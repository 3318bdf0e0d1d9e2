// A name or an address that others chose, for a sentence of ours: on one line, short, and in quotes
// that it cannot end.

import { toPrintable } from "../../lib/printable.js";
import { neutralizeText } from "./neutralize.js";

const MAX_NAME_CHARS = 80;

export function quoteForeign(text: string, maxChars = MAX_NAME_CHARS): string {
  const line = toPrintable(text.replace(/\s+/g, " ").trim(), maxChars);
  return `"${neutralizeText(line).replace(/["\u201C-\u201F\u2033\uFF02]/g, "'")}"`;
}
