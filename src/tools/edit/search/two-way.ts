// The two-way string search of Crochemore and Perrin: linear time, no tables. The needle is cut at a
// critical place; its right part is compared first, then its left part.

/** The first place at or behind `from`, -1 when there is none. */
export type FindNext = (from: number) => number;

interface Cut {
  /** The right part begins behind this index. */
  readonly before: number;
  readonly period: number;
}

export function createTwoWaySearch(bytes: Uint8Array, needle: Uint8Array): FindNext {
  const cut = findCut(needle);
  const isPeriodic = hasPeriod(needle, cut);
  const shift = isPeriodic
    ? cut.period
    : Math.max(cut.before + 1, needle.length - cut.before - 1) + 1;
  const last = bytes.length - needle.length;
  return (from) => {
    // How much of the needle's beginning is known to match after a shift by the period.
    let known = -1;
    for (let place = from; place <= last; ) {
      let right = Math.max(cut.before, known) + 1;
      while (right < needle.length && needle[right] === bytes[place + right]) right++;
      if (right < needle.length) {
        place += right - cut.before;
        known = -1;
        continue;
      }
      let left = cut.before;
      while (left > known && needle[left] === bytes[place + left]) left--;
      if (left <= known) return place;
      place += shift;
      known = isPeriodic ? needle.length - shift - 1 : -1;
    }
    return -1;
  };
}

/** Of the two greatest suffixes, by either order of bytes, the shorter one. */
function findCut(needle: Uint8Array): Cut {
  const rising = greatestSuffix(needle, (one, other) => one < other);
  const falling = greatestSuffix(needle, (one, other) => one > other);
  return rising.before > falling.before ? rising : falling;
}

function greatestSuffix(needle: Uint8Array, isLess: (one: number, other: number) => boolean): Cut {
  let cut = { before: -1, period: 1 };
  let start = 0;
  let offset = 1;
  while (start + offset < needle.length) {
    const one = needle[start + offset] ?? 0;
    const other = needle[cut.before + offset] ?? 0;
    if (one === other) {
      if (offset === cut.period) {
        start += cut.period;
        offset = 1;
      } else offset++;
    } else if (isLess(one, other)) {
      start += offset;
      offset = 1;
      cut = { before: cut.before, period: start - cut.before };
    } else {
      cut = { before: start, period: 1 };
      start++;
      offset = 1;
    }
  }
  return cut;
}

function hasPeriod(needle: Uint8Array, { before, period }: Cut): boolean {
  for (let index = 0; index <= before; index++) {
    if (needle[index] !== needle[index + period]) return false;
  }
  return true;
}
