// Reads the lines a person types in answer to a question; earlier input is dropped.

import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createSystemClock } from "../../../drivers/clock.js";
import { pause as pauseBy } from "../../../lib/system/pause.js";

/** On a terminal, earlier input cannot be an answer to the question. */
const ARMING_MS = 250;

export interface LineReaderOptions {
  readonly input: Readable;
  /** A program that writes into a pipe may be quick. */
  readonly isTerminal: boolean;
}

export function createLineReader({ input, isTerminal }: LineReaderOptions) {
  const decoder = new StringDecoder("utf8");
  const lines: string[] = [];
  let rest = "";
  let hasEnded = input.readableEnded || input.destroyed;
  let wake: (() => void) | undefined;

  const onData = (chunk: string | Buffer) => {
    const parts = (rest + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => line.replace(/\r$/, "")));
    wake?.();
  };
  const onEnd = () => {
    if (rest !== "") lines.push(rest);
    rest = "";
    hasEnded = true;
    wake?.();
  };
  input.on("data", onData).on("end", onEnd).on("error", onEnd);

  return {
    /** undefined when the input has ended. Rejects when `signal` fires. */
    async next(signal: AbortSignal) {
      input.resume();
      if (isTerminal) {
        await pause(ARMING_MS, signal);
        lines.length = 0;
        rest = "";
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
    close() {
      input.off("data", onData).off("end", onEnd).off("error", onEnd);
      input.pause();
    },
  };
}

export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return pauseBy(createSystemClock(), { delayMs, signal });
}
