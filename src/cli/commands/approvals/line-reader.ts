// Reads the lines a person types in answer to a question; earlier input is dropped.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createSystemClock } from "../../../drivers/clock.js";
import { pause as pauseBy } from "../../../lib/system/pause.js";

/** On a terminal, earlier input cannot be an answer to the question. */
const ARMING_MS = 250;

/** A program that writes into a pipe may be quick, so only a terminal drops lines. */
export function createLineReader(
  input: Readable,
  { isTerminal }: { readonly isTerminal: boolean },
) {
  const reader = createInterface({ input, terminal: false });
  const lines: string[] = [];
  let hasEnded = input.readableEnded || input.destroyed;
  let wake: (() => void) | undefined;
  reader.on("line", (line) => {
    lines.push(line);
    wake?.();
  });
  reader.once("close", () => {
    hasEnded = true;
    wake?.();
  });
  input.once("error", () => reader.close());

  return {
    /** undefined when the input has ended. Rejects when `signal` fires. */
    async next(signal: AbortSignal) {
      if (isTerminal) {
        await pause(ARMING_MS, signal);
        lines.length = 0;
      }
      const onAbort = () => wake?.();
      signal.addEventListener("abort", onAbort);
      try {
        while (lines.length === 0 && !hasEnded && !signal.aborted) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
      signal.throwIfAborted();
      return lines.shift();
    },
    close: () => reader.close(),
  };
}

export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return pauseBy(createSystemClock(), { delayMs, signal });
}
