// Tells a slip of the pen from a name that is merely unknown: two letters at most lie between.

const MAX_LETTERS = 2;

/** The known name nearest to `name`, if at most two letters differ; a swap counts one. */
export function nearestTypo(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  for (const candidate of known) {
    if (isWithin({ from: name, to: candidate, letters: 1 })) return candidate;
    if (nearest === undefined && isWithin({ from: name, to: candidate, letters: MAX_LETTERS })) {
      nearest = candidate;
    }
  }
  return nearest;
}

interface Span {
  readonly from: string;
  readonly to: string;
  /** How many letters may still be changed. */
  readonly letters: number;
}

function isWithin({ from, to, letters }: Span): boolean {
  if (Math.abs(from.length - to.length) > letters) return false;
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  if (start === from.length && start === to.length) return true;
  if (letters === 0) return false;
  const left = letters - 1;
  const after = (fromStep: number, toStep: number) =>
    isWithin({ from: from.slice(start + fromStep), to: to.slice(start + toStep), letters: left });
  const isSwap = from[start] === to[start + 1] && from[start + 1] === to[start];
  return after(1, 1) || after(1, 0) || after(0, 1) || (isSwap && after(2, 2));
}
