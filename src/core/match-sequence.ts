// Matches a list of items against parts of which some stand for any number of items. Backtracks to
// the last such part only, so that the time is bounded by the product of both lengths.

interface Sequence<Part, Item> {
  readonly parts: readonly Part[];
  readonly items: readonly Item[];
  readonly isStar: (part: Part) => boolean;
  readonly matches: (part: Part, item: Item) => boolean;
}

export function matchesSequence<Part, Item>(sequence: Sequence<Part, Item>): boolean {
  const { parts, items, isStar, matches } = sequence;
  let star = -1;
  let resume = 0;
  let next = 0;
  let at = 0;
  for (let item = items[at]; item !== undefined; item = items[at]) {
    const part = parts[next];
    if (part !== undefined && isStar(part)) {
      star = next;
      resume = at;
      next += 1;
    } else if (part !== undefined && matches(part, item)) {
      next += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      resume += 1;
      at = resume;
      next = star + 1;
    }
  }
  return parts.slice(next).every(isStar);
}
