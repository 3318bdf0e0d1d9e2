// Whether JSON text nests deeper or has more values than allowed, counted before it is parsed.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
const BRACE_BIT = 0x20;
const OPENING = 0x5b | BRACE_BIT;
const CLOSING = 0x5d | BRACE_BIT;

interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues?: number;
}

export function isDeeperThan(text: string, maxDepth: number): boolean {
  // Each level needs a character.
  return text.length > maxDepth && findJsonExcess(text, { maxDepth }) !== undefined;
}

export function findJsonExcess(text: string, limits: JsonLimits): "depth" | "values" | undefined {
  const { maxDepth, maxValues = Number.POSITIVE_INFINITY } = limits;
  let depth = 0;
  let values = 1;
  let justOpened = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= SPACE) continue;
    const bracket = code | BRACE_BIT;
    if (bracket === CLOSING) {
      depth -= 1;
    } else if (justOpened || code === COMMA) {
      // The first value of a container is known by its first character, each other by its comma.
      values += 1;
      if (values > maxValues) return "values";
    }
    justOpened = bracket === OPENING;
    if (justOpened) {
      depth += 1;
      if (depth > maxDepth) return "depth";
    }
    if (code === QUOTE) index = endOfText(text, index);
  }
  return undefined;
}

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
