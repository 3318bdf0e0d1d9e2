// The time guard made real with node:vm: its timeout stops the JavaScript of the whole isolate,
// and with it a pattern that backtracks without end.
import { type Context, createContext, Script } from "node:vm";
import { type TimeGuard, ToolError } from "../core/index.js";

const TIMEOUT_CODE = "ERR_SCRIPT_EXECUTION_TIMEOUT";
/** On a busy machine the clock runs on while the process waits for its turn. */
const MAX_ATTEMPTS = 3;
/** A stopped work that had less than this share of the time on the processor was starved. */
const STARVED_SHARE = 0.5;

/**
 * What `work` throws passes through as it is. Work that was stopped may have done half of what it
 * does, and starved work is begun again, so it should only compute. A call costs the start of one
 * thread, 0.05 to 0.1 ms.
 */
export function createTimeGuard(): TimeGuard {
  const slot: { work: (() => void) | undefined } = { work: undefined };
  // Made at the first run: most processes never need one, and it costs a millisecond.
  let engine: { context: Context; script: Script } | undefined;

  /** The outcome of `work`, or the engine's error when it was stopped. */
  function attempt<T>(work: () => T, limitMs: number): Outcome<T> | Stopped {
    const outer = slot.work;
    let outcome: Outcome<T> | undefined;
    slot.work = () => {
      outcome = settle(work);
    };
    engine ??= {
      context: createContext({ call: () => slot.work?.() }),
      script: new Script("call()"),
    };
    const before = process.cpuUsage();
    try {
      engine.script.runInContext(engine.context, { timeout: Math.max(1, Math.ceil(limitMs)) });
    } catch (error) {
      // It may have ended just before the engine wanted to stop it.
      if (outcome === undefined && !isTimeout(error)) throw error;
      const { user, system } = process.cpuUsage(before);
      const starved = (user + system) / 1_000 < limitMs * STARVED_SHARE;
      return outcome ?? { stoppedBy: error, starved };
    } finally {
      slot.work = outer;
    }
    return outcome ?? { stoppedBy: undefined, starved: false };
  }

  function run<T>(work: () => T, limitMs: number): T {
    let outcome = attempt(work, limitMs);
    for (let tries = 1; tries < MAX_ATTEMPTS && "starved" in outcome; tries += 1) {
      if (!outcome.starved) break;
      outcome = attempt(work, limitMs);
    }
    if ("starved" in outcome) throw timeoutError(limitMs, outcome.stoppedBy);
    if ("thrown" in outcome) throw outcome.thrown;
    return outcome.value;
  }

  return { run };
}

type Outcome<T> = { readonly value: T } | { readonly thrown: unknown };

interface Stopped {
  readonly stoppedBy: unknown;
  readonly starved: boolean;
}

/** Keeps what `work` throws apart from what the engine throws; being stopped cannot be caught. */
function settle<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (thrown) {
    return { thrown };
  }
}

function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "code") === TIMEOUT_CODE;
}

function timeoutError(limitMs: number, cause?: unknown): ToolError {
  return new ToolError(
    "limit",
    `A check took longer than ${limitMs} ms and was stopped; send shorter values, or simplify the pattern.`,
    { reason: "pattern_timeout", cause },
  );
}
