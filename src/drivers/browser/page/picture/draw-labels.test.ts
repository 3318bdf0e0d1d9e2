// Numbers beside their boxes: none covers another box or another number while there is room.

import { describe, expect, it } from "vitest";
import { type Area, placeNumbers } from "./draw-labels.js";

const PICTURE = { width: 400, height: 300 };
const box = (number: number, x: number, y: number, width = 80, height = 20) => ({
  ...{ number, x, y, width, height },
});

function isOver(one: Area, other: Area): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

describe("the places of numbers", () => {
  it.each([
    ["rows that touch", [0, 1, 2, 3].map((row) => box(row + 1, 40, 40 + row * 20))],
    ["a row of buttons", [0, 1, 2].map((column) => box(column + 1, 20 + column * 90, 100))],
    ["checkboxes in a column", [0, 1, 2].map((row) => box(row + 1, 60, 50 + row * 22, 13, 13))],
    ["the corners", [box(1, 0, 0), box(2, 320, 0), box(3, 0, 280), box(4, 320, 280)]],
  ])("cover nothing else: %s", (_, boxes) => {
    const placed = placeNumbers(boxes, PICTURE);
    expect(placed).toHaveLength(boxes.length);
    for (const place of placed) {
      const others = boxes.filter(({ number }) => number !== place.number);
      const numbers = placed.filter((other) => other !== place);
      expect([...others, ...numbers].filter((other) => isOver(place, other))).toEqual([]);
      const { x, y, width, height } = place;
      expect(x >= 0 && y >= 0 && x + width <= 400 && y + height <= 300).toBe(true);
    }
  });

  it("stand above their box where that is free, and in a card that holds it all the same", () => {
    const boxes = [box(1, 10, 50, 300, 200), box(2, 50, 120)];
    expect(placeNumbers(boxes, PICTURE)).toMatchObject([
      { number: 1, x: 10, y: 36 },
      { number: 2, x: 50, y: 106 },
    ]);
  });
});
