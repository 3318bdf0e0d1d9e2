// A text as if all its line ends were line feeds, with the way back to the original characters.

export interface LineFeedView {
  readonly text: string;
  /** From a place in `text` to the same place in the original; CR and LF are never parted. */
  toOriginal(index: number): number;
}

export function createLineFeedView(original: string): LineFeedView {
  const removed = findCarriageReturns(original);
  if (removed.length === 0) return { text: original, toOriginal: (index) => index };
  const text = original.replaceAll("\r\n", "\n");
  return { text, toOriginal: (index) => index + countBelow(removed, index) };
}

/** For each CRLF, the place its line feed has in the view. */
function findCarriageReturns(original: string): number[] {
  const places: number[] = [];
  let index = original.indexOf("\r\n");
  while (index !== -1) {
    places.push(index - places.length);
    index = original.indexOf("\r\n", index + 2);
  }
  return places;
}

/** How many of the ascending `places` are below `limit`. */
function countBelow(places: readonly number[], limit: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
