// Which commands can be on one line with words before them: those that bash reads without an error
// whatever they are, and that it runs in the same way there.

import { RESERVED_WORDS } from "../../../core/command/index.js";

const MAX_CHARS = 1_000;
/** Characters without a meaning of their own, simple variables, and quoted text without any. */
const PIECE = String.raw`(?:[\w./:=,+@%^-]|\$[A-Za-z_?]|'[^'\n]*'|"(?:[^"$\\!\`\n]|\$[A-Za-z_?])*")`;
const PLAIN = new RegExp(
  `^ *(?:${PIECE}+)(?: +${PIECE}+)*(?: *; *(?:${PIECE}+)(?: +${PIECE}+)*)* *$`,
);

/** Simple commands, one or several behind each other, in one line. */
export function isPlainLine(text: string): boolean {
  if (text.length > MAX_CHARS || !PLAIN.test(text)) return false;
  return !text.split(/[ ;]+/).some((word) => RESERVED_WORDS.has(word));
}
