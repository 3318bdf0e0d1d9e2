// Which document gave which numbers. A tab has one counter for all its documents, and no number is given
// twice; so a document is known by the ranges it was handed.

import type { Frame } from "playwright-core";

/** After an answer that never came: the page may have given up to this many. Nobody is told of them. */
const LOST_NUMBERS = 250_000;

export interface RefOwner {
  readonly frame: Frame;
}

interface Range extends RefOwner {
  readonly from: number;
  /** Not in it. */
  to: number;
}

export interface RefRanges {
  /** The first number that is free. */
  next(): number;
  /** All numbers up to here went to this frame. */
  taken(frame: Frame, nextRef: number): void;
  /** Nobody knows how many were taken. */
  lost(frame: Frame): void;
  ownerOf(ref: number): RefOwner | undefined;
}

export function createRefRanges(): RefRanges {
  const ranges: Range[] = [];
  let next = 1;
  const taken = (frame: Frame, nextRef: number) => {
    if (nextRef <= next) return;
    const last = ranges.at(-1);
    if (last?.frame === frame) last.to = nextRef;
    else ranges.push({ frame, from: next, to: nextRef });
    next = nextRef;
  };
  return {
    next: () => next,
    taken,
    lost: (frame) => taken(frame, next + LOST_NUMBERS),
    ownerOf: (ref) => ranges.find(({ from, to }) => ref >= from && ref < to),
  };
}
