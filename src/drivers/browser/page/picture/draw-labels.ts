// Draws numbered boxes on a picture. The page itself is not touched, so it cannot see them.

import { type Area, type PlacedNumber, placeNumbers } from "./place-numbers.js";
import type { Pixels } from "./png.js";

type Colour = readonly [red: number, green: number, blue: number];

const FRAME: Colour = [255, 120, 0];
const PAPER: Colour = [255, 214, 0];
const INK: Colour = [0, 0, 0];
const LINE_PX = 2;
/** A digit of 3x5 dots, a bit a dot, rows from the top. */
const DIGITS = [
  0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001,
  0b111100111001111, 0b111100111101111, 0b111001010010010, 0b111101111101111, 0b111101111001111,
];
const DIGIT_COLUMNS = 3;
const DIGIT_ROWS = 5;
const DOT_PX = 2;
const GAP_PX = 2;
/** So much another is one that people see. */
const INK_STEP = 40;

export interface LabelBox {
  readonly number: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Changes the pixels in place. */
export function drawLabels(picture: Pixels, labels: readonly LabelBox[]): void {
  const inkOf = (area: Area) => countInk(picture, area);
  const numbers = placeNumbers(labels, { picture, sizeOf, inkOf });
  for (const label of labels) drawFrame(picture, label);
  // Numbers last: no frame runs over them.
  for (const place of numbers) drawNumber(picture, place);
}

/** Pixels of another colour than the first one. */
function countInk({ width, channels, data }: Pixels, area: Area): number {
  const start = (area.y * width + area.x) * channels;
  let count = 0;
  for (let y = area.y; y < area.y + area.height; y += 1) {
    for (let x = area.x; x < area.x + area.width; x += 1) {
      const at = (y * width + x) * channels;
      const difference = [0, 1, 2].some(
        (channel) => Math.abs((data[at + channel] ?? 0) - (data[start + channel] ?? 0)) > INK_STEP,
      );
      if (difference) count += 1;
    }
  }
  return count;
}

function sizeOf(number: number): { readonly width: number; readonly height: number } {
  const digits = String(number).length;
  return {
    width: digits * (DIGIT_COLUMNS * DOT_PX + GAP_PX) + GAP_PX,
    height: DIGIT_ROWS * DOT_PX + GAP_PX * 2,
  };
}

function drawFrame(picture: Pixels, { x, y, width, height }: LabelBox): void {
  const [left, top] = [Math.round(x), Math.round(y)];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  fill(picture, { left, top, right, bottom: top + LINE_PX }, FRAME);
  fill(picture, { left, top: bottom - LINE_PX, right, bottom }, FRAME);
  fill(picture, { left, top, right: left + LINE_PX, bottom }, FRAME);
  fill(picture, { left: right - LINE_PX, top, right, bottom }, FRAME);
}

function drawNumber(
  picture: Pixels,
  { number, x: left, y: top, width, height }: PlacedNumber,
): void {
  fill(picture, { left, top, right: left + width, bottom: top + height }, PAPER);
  [...String(number)].map(Number).forEach((digit, index) => {
    const start = left + GAP_PX + index * (DIGIT_COLUMNS * DOT_PX + GAP_PX);
    drawDigit(picture, { digit, left: start, top: top + GAP_PX });
  });
}

function drawDigit(
  picture: Pixels,
  { digit, left, top }: { digit: number; left: number; top: number },
): void {
  const dots = DIGITS[digit] ?? 0;
  for (let dot = 0; dot < DIGIT_COLUMNS * DIGIT_ROWS; dot += 1) {
    if (((dots >> (DIGIT_COLUMNS * DIGIT_ROWS - 1 - dot)) & 1) === 0) continue;
    const x = left + (dot % DIGIT_COLUMNS) * DOT_PX;
    const y = top + Math.floor(dot / DIGIT_COLUMNS) * DOT_PX;
    fill(picture, { left: x, top: y, right: x + DOT_PX, bottom: y + DOT_PX }, INK);
  }
}

function fill(
  { width, height, channels, data }: Pixels,
  area: { left: number; top: number; right: number; bottom: number },
  colour: Colour,
): void {
  for (let y = Math.max(area.top, 0); y < Math.min(area.bottom, height); y += 1) {
    for (let x = Math.max(area.left, 0); x < Math.min(area.right, width); x += 1) {
      data.set(colour, (y * width + x) * channels);
    }
  }
}
