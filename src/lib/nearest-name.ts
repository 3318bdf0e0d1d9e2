// The known name that a mistyped one most likely meant.

/** Longer names are no typing slip, and comparing them would cost. */
const MAX_NAME_CHARS = 64;

/** `undefined` when nothing is near: more than a third of the letters, or more than three, differ. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined;
  const wanted = fold(name);
  let nearest: string | undefined;
  let best = Math.min(3, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of known) {
    if (candidate.length > MAX_NAME_CHARS) continue;
    const distance = editDistance(wanted, fold(candidate));
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Letter case, `_` and `-` are no difference between names. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Insertions, deletions, replacements, and swaps of neighbours each count one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? a.length;
}
