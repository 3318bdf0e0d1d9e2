// Lines found in the bytes of a text, before anything is decoded.

import type { Encoding } from "../../../lib/encoding/encodings.js";

const LINE_FEED = 0x0a;

export type FindLineFeed = (bytes: Buffer, from: number) => number;

/** Gives a function that finds the index behind the next line feed from `from` on, or -1. */
export function lineFeedFinder(encoding: Encoding | undefined): FindLineFeed {
  if (encoding === "utf-16le") return (bytes, from) => behindUnit({ bytes, from, highAt: 1 });
  if (encoding === "utf-16be") return (bytes, from) => behindUnit({ bytes, from, highAt: 0 });
  return (bytes, from) => bytes.indexOf(LINE_FEED, from) + 1 || -1;
}

export interface SkippedLines {
  /** How many line feeds were passed. */
  readonly lines: number;
  /** Behind the last of them. */
  readonly index: number;
}

export interface LinesToSkip {
  readonly bytes: Buffer;
  readonly from: number;
  readonly maxLines: number;
  readonly find: FindLineFeed;
}

export function skipLines({ bytes, from, maxLines, find }: LinesToSkip): SkippedLines {
  let lines = 0;
  let index = from;
  while (lines < maxLines) {
    const next = find(bytes, index);
    if (next === -1) break;
    index = next;
    lines++;
  }
  return { lines, index };
}

interface UnitSearch {
  readonly bytes: Buffer;
  /** Even, as every block begins at an even place of the file. */
  readonly from: number;
  /** Where in the two bytes of a line feed the zero is. */
  readonly highAt: 0 | 1;
}

function behindUnit({ bytes, from, highAt }: UnitSearch): number {
  let index = bytes.indexOf(LINE_FEED, from);
  while (index !== -1) {
    const start = index - (index % 2);
    const isWhole = index - start === 1 - highAt && bytes[start + highAt] === 0;
    if (isWhole) return start + 2;
    index = bytes.indexOf(LINE_FEED, index + 1);
  }
  return -1;
}
