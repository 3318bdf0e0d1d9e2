// A text in loose form, without white space at the ends of lines, with the way back to the original.

import { isAscii } from "node:buffer";
import { codePointAt, sizeOf, startBefore } from "./code-points.js";
import { createFormMemory, type FormMemory, KINDS } from "./loose-form.js";
import type { TextView } from "./text-view.js";
import { createViewBuilder, type ViewBuilder } from "./view-builder.js";

const BLOCK_BYTES = 16 * 1024;
/** A longer cluster is left as it is: putting its marks in order takes the square of their number. */
const MAX_CLUSTER_BYTES = 256;
/** About as many as are read in half a second. */
const MAX_CHANGED = 1_000_000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LAST_ASCII = 0x7f;

export type CreateLooseView = (original: Buffer) => TextView;

/** What it learns of characters is kept for its next view. */
export function createLooseViews(): CreateLooseView {
  const memory = createFormMemory();
  const lineFeed = Buffer.of(LINE_FEED);
  return (original) => {
    const reading = {
      original,
      memory,
      lineFeed,
      builder: createViewBuilder(original, MAX_CHANGED),
    };
    let index = 0;
    while (index < original.length) {
      const block = original.subarray(index, index + BLOCK_BYTES);
      index = isAscii(block) ? passAscii(reading, { index, block }) : passMixed(reading, index);
    }
    reading.builder.trimBefore(original.length);
    return reading.builder.finish();
  };
}

interface Reading {
  readonly original: Buffer;
  readonly memory: FormMemory;
  readonly lineFeed: Buffer;
  readonly builder: ViewBuilder;
}

function passAscii(reading: Reading, { index, block }: { index: number; block: Buffer }): number {
  let end = block.indexOf(LINE_FEED);
  while (end !== -1) {
    passLineEnd(reading, index + end);
    end = block.indexOf(LINE_FEED, end + 1);
  }
  return index + block.length;
}

function passMixed(reading: Reading, from: number): number {
  const { original } = reading;
  const to = Math.min(original.length, from + BLOCK_BYTES);
  let index = from;
  while (index < to) {
    const byte = original[index] ?? 0;
    if (byte > LAST_ASCII) {
      index = passCharacter(reading, index);
      continue;
    }
    if (byte === LINE_FEED) passLineEnd(reading, index);
    index++;
  }
  return index;
}

function passLineEnd({ original, builder, lineFeed }: Reading, index: number): void {
  const isPair = index > builder.done && original[index - 1] === CARRIAGE_RETURN;
  const end = isPair ? index - 1 : index;
  builder.trimBefore(end);
  if (isPair) builder.replace({ start: end, end: index + 1 }, lineFeed);
}

/** Behind the character at `index` and all that joins with it. */
function passCharacter(reading: Reading, index: number): number {
  const { original, memory, builder } = reading;
  const point = codePointAt(original, index);
  if (point === -1) return index + 1;
  const kind = memory.kindOf(point);
  const behind = index + sizeOf(point);
  if (kind === KINDS.plain) return behind;
  const start = kind === KINDS.joins ? startOfBase(reading, index) : index;
  const end = endOfJoined(reading, behind);
  if (end - start > MAX_CLUSTER_BYTES) return end;
  const isSingle = start === index && end === behind;
  const form = isSingle
    ? memory.formOf(point)
    : memory.formOfCluster(original.toString("utf8", start, end));
  if (form) builder.replace({ start, end }, form);
  return end;
}

/** The character before, which a mark joins with, unless it is a line end or in the view already. */
function startOfBase({ original, builder }: Reading, index: number): number {
  const last = original[index - 1];
  const isAlone = index <= builder.done || last === LINE_FEED || last === CARRIAGE_RETURN;
  return isAlone ? index : Math.max(builder.done, startBefore(original, index));
}

function endOfJoined({ original, memory }: Reading, from: number): number {
  let end = from;
  for (;;) {
    const point = codePointAt(original, end);
    if (point <= LAST_ASCII || memory.kindOf(point) !== KINDS.joins) return end;
    end += sizeOf(point);
  }
}
