// Random digits drawn ahead: each is given out once, and more than the stock is drawn when asked for.
import { describe, expect, it } from "vitest";
import { createRandomStock } from "./system-clock.js";

function createCounter() {
  const drawn: number[] = [];
  let next = 0;
  const hex = (byteCount: number) => {
    drawn.push(byteCount);
    return Array.from({ length: byteCount }, () =>
      (next++ % 256).toString(16).padStart(2, "0"),
    ).join("");
  };
  return { drawn, hex };
}

describe("a stock of random digits", () => {
  it("gives out each digit once and asks its source seldom", () => {
    const source = createCounter();
    const stock = createRandomStock(source);
    expect(Array.from({ length: 8 }, () => stock.hex(2))).toEqual([
      "0001",
      "0203",
      "0405",
      "0607",
      "0809",
      "0a0b",
      "0c0d",
      "0e0f",
    ]);
    expect(source.drawn).toHaveLength(1);
  });

  it("gives as many as are asked for, also more than it holds", () => {
    const stock = createRandomStock(createCounter());
    stock.hex(500);
    expect(stock.hex(100)).toHaveLength(200);
    expect(stock.hex(5_000)).toHaveLength(10_000);
  });
});
