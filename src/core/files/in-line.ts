// How a call is in the lines of its bridge: while its arguments are read, and while it begins.

import { abortError } from "../errors.js";
import type { CallLine, LinePlace } from "./call-line.js";

const FIRST_STEPS = 16;

interface ReadingInLine<Reader> {
  readonly line: CallLine;
  readonly loaded: Reader | Promise<Reader>;
  readonly use: (reader: Reader) => unknown;
  readonly signal: AbortSignal;
}

export function readInLine<Reader>({ line, loaded, use, signal }: ReadingInLine<Reader>): unknown {
  if (line.size === 0 && !(loaded instanceof Promise)) return use(loaded);
  const place = line.enter();
  const wait = async () => {
    signal.addEventListener("abort", place.leave, { once: true });
    try {
      const reader = await loaded;
      await place.turn();
      return use(reader);
    } finally {
      signal.removeEventListener("abort", place.leave);
      place.leave();
    }
  };
  return wait();
}

interface Beginning<T> {
  readonly place: LinePlace | undefined;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<T>;
}

export async function beginInTurn<T>({ place, signal, begin }: Beginning<T>): Promise<T> {
  if (!place) return begin();
  const turn = place.turn();
  if (turn) await turn;
  if (signal.aborted) throw abortError(signal);
  const running = begin();
  for (let step = 0; step < FIRST_STEPS; step++) await undefined;
  place.leave();
  return running;
}
