// What two lists have in common, in order (Myers' greedy search), up to a maximum distance.

export interface CommonRun {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

export interface CommonRunsRequest {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** How many elements may be taken out of `before` and put into `after`, together. */
  readonly maxDistance: number;
}

/** In order; undefined when the distance is over the limit. */
export function findCommonRuns(request: CommonRunsRequest): CommonRun[] | undefined {
  const numbers = new Map<string, number>();
  const before = Int32Array.from(request.before, (text) => numberOf(text, numbers));
  const after = Int32Array.from(request.after, (text) => numberOf(text, numbers));
  // What only one list has is on no way; taken out first it costs nothing.
  const beforePlaces = listPlaces(before, new Set(after));
  const afterPlaces = listPlaces(after, new Set(before));
  const alone = before.length - beforePlaces.length + (after.length - afterPlaces.length);
  const pairs = findPath({
    left: beforePlaces.map((place) => before[place] ?? 0),
    right: afterPlaces.map((place) => after[place] ?? 0),
    maxDistance: request.maxDistance - alone,
  });
  return pairs && joinRuns(pairs.map(([x, y]) => [beforePlaces[x] ?? 0, afterPlaces[y] ?? 0]));
}

type Pair = readonly [x: number, y: number];
type Diagonal = Readonly<Record<"distance" | "diagonal" | "zero", number>>;

function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text) ?? numbers.size;
  if (known === numbers.size) numbers.set(text, known);
  return known;
}

function listPlaces(values: Int32Array, known: ReadonlySet<number>): Int32Array {
  return Int32Array.from(values.keys()).filter((place) => known.has(values[place] ?? 0));
}

function findPath(lists: { left: Int32Array; right: Int32Array; maxDistance: number }) {
  const { left, right, maxDistance } = lists;
  const zero = Math.max(0, Math.min(maxDistance, left.length + right.length) + 1);
  const reached = new Int32Array(2 * zero + 1);
  const history: Int32Array[] = [];
  for (let distance = 0; distance < zero; distance++) {
    history.push(reached.slice(zero - distance - 1, zero + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const from = comesFrom(reached, { distance, diagonal, zero });
      let x = (reached[zero + from] ?? 0) + (from < diagonal ? 1 : 0);
      while (x < left.length && left[x] === right[x - diagonal]) x++;
      reached[zero + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) {
        return walkBack(history, [left.length, right.length]);
      }
    }
  }
  return undefined;
}

function comesFrom(reached: Int32Array, { distance, diagonal, zero }: Diagonal): number {
  const below = reached[zero + diagonal - 1] ?? 0;
  const above = reached[zero + diagonal + 1] ?? 0;
  const isDown = diagonal === -distance || (diagonal !== distance && below < above);
  return isDown ? diagonal + 1 : diagonal - 1;
}

function walkBack(history: readonly Int32Array[], [endX, endY]: Pair): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [endX, endY];
  for (const [distance, reached] of [...history.entries()].reverse()) {
    const zero = distance + 1;
    const from = comesFrom(reached, { distance, diagonal: x - y, zero });
    const stepX = reached[zero + from] ?? 0;
    const start = stepX + (from < x - y ? 1 : 0);
    for (; x > start; x--, y--) pairs.push([x - 1, y - 1]);
    [x, y] = [stepX, stepX - from];
  }
  return pairs.reverse();
}

function joinRuns(pairs: readonly Pair[]): CommonRun[] {
  const runs: { before: number; after: number; length: number }[] = [];
  for (const [before, after] of pairs) {
    const last = runs.at(-1);
    const end = last ? last.before + last.length : -1;
    if (last && end === before && after - before === last.after - last.before) last.length++;
    else runs.push({ before, after, length: 1 });
  }
  return runs;
}
