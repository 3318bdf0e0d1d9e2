// Joins pieces of text up to a length and describes the rest.

interface JoinLimit {
  /** What the joined text may hold, without the words about the rest. */
  readonly maxChars: number;
  readonly describeRest: (count: number) => string;
}

export function joinWithin(pieces: readonly string[], limit: JoinLimit): string {
  let chars = 0;
  const over = pieces.findIndex((piece) => {
    chars += piece.length;
    return chars > limit.maxChars;
  });
  if (over === -1) return pieces.join("");
  return pieces.slice(0, over).join("") + limit.describeRest(pieces.length - over);
}
