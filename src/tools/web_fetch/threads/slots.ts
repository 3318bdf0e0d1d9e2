// How many jobs run at once, and how many wait for their turn: first come, first served, no longer
// than each wants to wait.

import { abortError, ToolError } from "../../../core/index.js";

export interface SlotLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

export interface Turn {
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
}

export interface Slots {
  /** Runs the job when it is its turn. Rejects with `unavailable` when that does not come. */
  run<Answer>(job: () => Promise<Answer>, turn: Turn): Promise<Answer>;
}

export function createSlots({ maxRunning, maxWaiting }: SlotLimits): Slots {
  const waiting: (() => void)[] = [];
  let running = 0;

  const waitForTurn = ({ maxWaitMs, signal }: Turn) =>
    new Promise<void>((resolve, reject) => {
      const leave = (why: () => Error) => {
        waiting.splice(waiting.indexOf(begin), 1);
        end();
        reject(why());
      };
      const onAbort = () => leave(() => abortError(signal));
      const timer = setTimeout(() => leave(tooMany), maxWaitMs);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const begin = () => {
        end();
        resolve();
      };
      signal.addEventListener("abort", onAbort);
      waiting.push(begin);
    });

  return {
    async run(job, turn) {
      if (turn.signal.aborted) throw abortError(turn.signal);
      if (running < maxRunning) running++;
      else if (waiting.length >= maxWaiting) throw tooMany();
      // Anyone who ends hands its place over, so the count stays.
      else await waitForTurn(turn);
      try {
        return await job();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

function tooMany(): ToolError {
  return new ToolError(
    "unavailable",
    "Too many large pages are being read at the same time; try again when some are done.",
    { reason: "page_busy" },
  );
}
