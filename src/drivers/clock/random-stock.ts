// Random digits drawn ahead: each question to the system costs as much as the rest of a name.

import type { RandomSource } from "../../core/index.js";

const STOCK_BYTES = 512;
const CHARS_PER_BYTE = 2;

/** No digit is given out twice. */
export function createRandomStock(source: RandomSource): RandomSource {
  let stock = "";
  return {
    hex(byteCount) {
      const length = byteCount * CHARS_PER_BYTE;
      if (stock.length < length) stock = source.hex(Math.max(STOCK_BYTES, byteCount));
      const taken = stock.slice(0, length);
      stock = stock.slice(length);
      return taken;
    },
  };
}
