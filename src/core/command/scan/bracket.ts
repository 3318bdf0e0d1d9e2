// `[...]` in a plain pattern: letters, digits and ranges of them, with or without a leading `!` or
// `^`. Classes, quotes and everything else in brackets is left to a shell.

const BRACKET = /\[([!^]?)([A-Za-z0-9_.,-]+)\]/y;

export interface Bracket {
  readonly isNegated: boolean;
  readonly singles: string;
  readonly ranges: readonly (readonly [first: string, last: string])[];
  /** Characters of the pattern that it takes. */
  readonly length: number;
}

export function readBracket(text: string, at: number): Bracket | undefined {
  BRACKET.lastIndex = at;
  const match = BRACKET.exec(text);
  if (match === null) return undefined;
  const [whole, sign = "", body = ""] = match;
  const ranges: (readonly [string, string])[] = [];
  let singles = "";
  for (let index = 0; index < body.length; ) {
    const [first = "", dash, last] = [body[index], body[index + 1], body[index + 2]];
    if (dash !== "-" || last === undefined) {
      singles += first;
      index += 1;
      continue;
    }
    const followedByDash = body[index + 3] === "-" && index + 4 < body.length;
    if (first === "-" || last === "-" || first > last || followedByDash) return undefined;
    ranges.push([first, last]);
    index += 3;
  }
  return { isNegated: sign !== "", singles, ranges, length: whole.length };
}

export function isInBracket(bracket: Bracket, character: string): boolean {
  const { isNegated, singles, ranges } = bracket;
  const isListed =
    singles.includes(character) ||
    ranges.some(([first, last]) => character >= first && character <= last);
  return isListed !== isNegated;
}
