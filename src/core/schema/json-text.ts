// JSON text held to the argument limits before it is parsed: parsing a million levels takes more
// than a second, seeing that they are too many takes none.

import { ToolInputError } from "../errors.js";
import { type SizeLimits, toArgumentLimits, tooDeep, tooLarge } from "./limits.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
/** `[` and `{`, `]` and `}` differ from each other in this bit only. */
const BRACE_BIT = 0x20;
const OPENING = 0x5b | BRACE_BIT;
const CLOSING = 0x5d | BRACE_BIT;

/**
 * Throws a ToolError `limit` for text longer than `maxChars` or with too many levels or values, a
 * ToolInputError `json_invalid` for text that is not JSON.
 */
export function parseBoundedJson(text: string, maxChars: number): unknown {
  const limits = toArgumentLimits({ maxChars });
  if (text.length > limits.maxChars) throw tooLarge(limits, "characters");
  assertShape(text, limits);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolInputError("The text is not valid JSON.", {
      reason: "json_invalid",
      cause: error,
    });
  }
}

function assertShape(text: string, limits: SizeLimits): void {
  let depth = 0;
  let nodes = 1;
  let justOpened = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= SPACE) continue;
    const bracket = code | BRACE_BIT;
    if (bracket === CLOSING) {
      depth -= 1;
    } else if (justOpened || code === COMMA) {
      // The first value of a container is known by its first character, each other by its comma.
      nodes += 1;
      if (nodes > limits.maxNodes) throw tooLarge(limits, "values");
    }
    justOpened = bracket === OPENING;
    if (justOpened) {
      depth += 1;
      if (depth > limits.maxDepth) throw tooDeep(limits);
    }
    if (code === QUOTE) index = endOfText(text, index);
  }
}

/** The index of the closing quote, or the end. */
function endOfText(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
