// The line end that a text has at a place. Asked in order, all places together cost one pass.

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The first line end at or behind a place, else the last one before it; undefined when there is none.
 * Each place is at or behind the one before.
 */
export type FindLineEnd = (place: number) => "\r\n" | "\n" | undefined;

export function createLineEndFinder(body: Buffer): FindLineEnd {
  let next = -1;
  let isEndReached = false;
  return (place) => {
    if (!isEndReached && next < place) {
      const found = body.indexOf(LINE_FEED, place);
      isEndReached = found === -1;
      next = isEndReached ? body.lastIndexOf(LINE_FEED) : found;
    }
    if (next === -1) return undefined;
    return body[next - 1] === CARRIAGE_RETURN ? "\r\n" : "\n";
  };
}
