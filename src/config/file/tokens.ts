// JSON5 text cut into tokens: brackets, names and values, spaces and comments. Whether they make sense
// together is left to others.

const SPACE_OR_COMMENT = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/y;
const BARE = /[^\s{}[\]:,"'/]+|\//y;

/** A token has at least one character, so that anyone who goes on by its length always ends. */
export function createTokenReader(text: string): (offset: number) => string {
  const patterns = [SPACE_OR_COMMENT, QUOTED, BARE].map((pattern) => new RegExp(pattern));
  return (offset) => {
    for (const pattern of patterns) {
      pattern.lastIndex = offset;
      const token = pattern.exec(text)?.[0];
      if (token) return token;
    }
    return text.charAt(offset);
  };
}

/** Spaces and comments. */
export function isSkipped(token: string): boolean {
  return /^(?:\s|\/[/*])/.test(token);
}

/** `decode` is asked only for a name with escapes. */
export function toName(token: string, decode: (raw: string) => string): string {
  if (token.includes("\\")) return decode(token);
  return /^["']/.test(token) ? token.slice(1, -1) : token;
}
