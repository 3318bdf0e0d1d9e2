// The time guard, made with node:vm: its timeout stops all JavaScript, also a backtracking pattern.
import { type Context, createContext, Script } from "node:vm";
import { type TimeGuard, ToolError } from "../core/index.js";

const TIMEOUT_CODE = "ERR_SCRIPT_EXECUTION_TIMEOUT";
/** On a busy machine the process may not get its turn. */
const MAX_ATTEMPTS = 3;
/** With less CPU time than this it was starved. */
const STARVED_SHARE = 0.5;

/** `work` should only compute: it can be stopped halfway and run again. A call costs about 0.1 ms. */
export function createTimeGuard(): TimeGuard {
  const slot: { work: (() => void) | undefined } = { work: undefined };
  // Created on first use: most processes never need it.
  let engine: { context: Context; script: Script } | undefined;

  /** The outcome, or the engine's error. */
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
      // It may have finished just before the timeout.
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

/** Separates errors of `work` from those of the engine. */
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
