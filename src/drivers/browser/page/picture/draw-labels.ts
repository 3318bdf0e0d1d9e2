// Draws numbered boxes on a picture, placing numbers where they cover least.

import type { Pixels } from "./png.js";

const FRAME: Colour = [255, 120, 0];
const PAPER: Colour = [255, 214, 0];
const INK: Colour = [0, 0, 0];
const LINE_PX = 2;
const DIGITS = [
  0b111101101101111, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001,
  0b111100111001111, 0b111100111101111, 0b111001010010010, 0b111101111101111, 0b111101111001111,
];
const DIGIT_COLUMNS = 3;
const DIGIT_ROWS = 5;
const DOT_PX = 2;
const GAP_PX = 2;
/** A difference that people see. */
const INK_STEP = 40;
const NUMBER_WEIGHT = 4;
const OWN_WEIGHT = 0.5;

type Colour = readonly [red: number, green: number, blue: number];

export interface LabelBox {
  readonly number: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function drawLabels(picture: Pixels, labels: readonly LabelBox[]): void {
  const inkOf = (area: Area) => countInk(picture, area);
  const numbers = placeNumbers(labels, { picture, sizeOf, inkOf });
  for (const label of labels) drawFrame(picture, label);
  // Numbers last, above all frames.
  for (const place of numbers) drawNumber(picture, place);
}

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

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface PlacedNumber extends Area {
  readonly number: number;
}

interface Paper {
  readonly picture: Size;
  readonly sizeOf: (number: number) => Size;
  readonly inkOf: (area: Area) => number;
}

export function placeNumbers(
  boxes: readonly (Area & { readonly number: number })[],
  { picture, sizeOf, inkOf }: Paper,
): readonly PlacedNumber[] {
  const placed: PlacedNumber[] = [];
  for (const box of boxes) {
    const size = sizeOf(box.number);
    const others = boxes.filter((other) => other !== box && !contains(other, box));
    const cost = (area: Area) =>
      sum(others, area) +
      sum(placed, area) * NUMBER_WEIGHT +
      overlap(box, area) * OWN_WEIGHT +
      inkOf(area);
    let best: Area | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const area of listPlaces(box, size).map((place) => keepInside(place, picture))) {
      const found = cost(area);
      if (found >= least) continue;
      best = area;
      least = found;
    }
    if (best) placed.push({ ...best, number: box.number });
  }
  return placed;
}

function listPlaces(box: Area, size: Size): Area[] {
  const left = Math.round(box.x);
  const top = Math.round(box.y);
  const right = Math.round(box.x + box.width);
  const bottom = Math.round(box.y + box.height);
  const places = [
    [left, top - size.height],
    [left - size.width, top],
    [right - size.width, top - size.height],
    [right, top],
    [left, bottom],
    [left - size.width, top - size.height],
    [right, bottom - size.height],
    [left, top],
    [right - size.width, top],
  ] as const;
  return places.map(([x, y]) => ({ x, y, ...size }));
}

function keepInside(area: Area, picture: Size): Area {
  const x = Math.max(0, Math.min(area.x, picture.width - area.width));
  const y = Math.max(0, Math.min(area.y, picture.height - area.height));
  return { ...area, x, y };
}

/** A card is covered by the number of its button anyway. */
function contains(outer: Area, inner: Area): boolean {
  return overlap(outer, inner) >= inner.width * inner.height;
}

function sum(areas: readonly Area[], area: Area): number {
  return areas.reduce((all, other) => all + overlap(other, area), 0);
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
