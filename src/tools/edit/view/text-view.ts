// A text in another form, with the way to it and back. Between the parts that differ, view and
// original are the same byte for byte.

import type { Part, PartList } from "./part-list.js";

export interface TextView {
  readonly bytes: Buffer;
  /** The original place of something that begins here; undefined inside of a part that differs. */
  toStart(place: number): number | undefined;
  /** The original place of something that ends here; what the view left out behind it is not in it. */
  toEnd(place: number): number | undefined;
  /** Where a place of the original is in the view; undefined inside of a part that differs. */
  fromOriginal(place: number): number | undefined;
}

/** The text itself. */
export function createPlainView(bytes: Buffer): TextView {
  const same = (place: number) => place;
  return { bytes, toStart: same, toEnd: same, fromOriginal: same };
}

/** `parts` are in order and do not overlap. */
export function createView(bytes: Buffer, parts: PartList): TextView {
  return {
    bytes,
    toStart(place) {
      const part = lastPart(parts, ({ viewStart }) => viewStart <= place);
      if (part?.viewStart === place && part.viewEnd > place) return part.start;
      return toOriginal(part, place);
    },
    toEnd(place) {
      return toOriginal(
        lastPart(parts, ({ viewStart }) => viewStart < place),
        place,
      );
    },
    fromOriginal(place) {
      const part = lastPart(parts, ({ start }) => start < place);
      if (!part) return place;
      if (place >= part.end) return part.viewEnd + place - part.end;
      return part.viewStart === part.viewEnd ? part.viewStart : undefined;
    },
  };
}

function toOriginal(part: Part | undefined, place: number): number | undefined {
  if (!part) return place;
  return place < part.viewEnd ? undefined : part.end + place - part.viewEnd;
}

/** The last of those that are before something. */
function lastPart(parts: PartList, isBefore: (part: Part) => boolean): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const part = parts.at(middle);
    if (part && isBefore(part)) low = middle + 1;
    else high = middle;
  }
  return parts.at(low - 1);
}
