// Patterns with `*`, which means any letters or none. Matched in linear time, without a
// regular expression, because patterns come from outside.

const STAR = "*";

export function isPattern(text: string): boolean {
  return text.includes(STAR);
}

/** `*` alone, however often. */
export function isEverything(text: string): boolean {
  return text !== "" && [...text].every((letter) => letter === STAR);
}

export function compilePattern(pattern: string): (text: string) => boolean {
  const [head = "", ...rest] = pattern.split(STAR);
  const tail = rest.pop() ?? "";
  const middle = rest.filter((part) => part !== "");
  return (text) => {
    if (text.length < head.length + tail.length) return false;
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let at = head.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
