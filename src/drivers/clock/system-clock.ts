// The machine's time and chance behind the ports of core.

import type { Clock, RandomSource } from "../../core/index.js";

const STOCK_BYTES = 512;

const CHARS_PER_BYTE = 2;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** The same time, but what waits by it does not keep the process from ending. */
export function createQuietClock(): Clock {
  return {
    now: () => Date.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}

export function createSystemRandom(): RandomSource {
  return createRandomStock({
    // The global is loaded at its first use; importing node:crypto would cost every start.
    hex: (byteCount) =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(byteCount))).toString("hex"),
  });
}

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
