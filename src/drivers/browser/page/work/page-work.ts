// One piece of work on a page: one after the other, with a limit for all of it, ended at once by a
// dialog that waits for an answer, a crash, or the tab's end. Nothing on a page may wait for ever.

import type { PageScope } from "../../../../core/browser.js";
import type { Clock } from "../../../../core/index.js";
import type { ElementScope } from "../../elements/tab-elements.js";
import { within } from "../../session/within.js";
import { toPageError } from "../errors.js";

export interface WorkRequest {
  readonly scope: PageScope;
  readonly defaultMs: number;
  /** What is waited for, as the error says it. */
  readonly what: string;
  /** `free`: does not wait for others and runs beside a dialog. Default `line`. */
  readonly turn?: "line" | "free";
}

/** What is left of the time of a piece of work. */
export interface WorkTime {
  readonly leftMs: () => number;
  /** Ends with the work, however that ends. */
  readonly signal: AbortSignal;
  /** For questions to the elements; `maxMs` when less than the rest is enough. */
  readonly part: (maxMs?: number) => ElementScope;
  /** Around every call of Playwright. */
  readonly call: <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;
}

export interface PageWork {
  run<Value>(request: WorkRequest, work: (time: WorkTime) => Promise<Value>): Promise<Value>;
  /** All work fails with this until it is lifted; the returned function lifts it. */
  obstruct(error: Error): () => void;
}

interface Obstacle {
  readonly error: Error;
}

export function createPageWork({ clock }: { readonly clock: Clock }): PageWork {
  const obstacles = new Set<Obstacle>();
  const listeners = new Set<(error: Error) => void>();
  let line: Promise<unknown> = Promise.resolve();

  const assertFree = () => {
    for (const { error } of obstacles) throw error;
  };
  const race = async <Value>(
    request: WorkRequest,
    work: (time: WorkTime) => Promise<Value>,
  ): Promise<Value> => {
    const isLined = request.turn !== "free";
    if (isLined) assertFree();
    const ended = new AbortController();
    const timeoutMs = request.scope.timeoutMs ?? request.defaultMs;
    const time = toTime({ clock, untilMs: clock.now() + timeoutMs, signal: ended.signal });
    const limit = { timeoutMs, signal: request.scope.signal, what: request.what };
    try {
      const done = () => within(limit, () => work(time));
      return await (isLined ? untilObstructed(done) : done());
    } catch (error) {
      throw toPageError(error, request.what);
    } finally {
      ended.abort();
    }
  };
  const untilObstructed = <Value>(work: () => Promise<Value>): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      listeners.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => listeners.delete(reject));
    });
  return {
    run: (request, work) => {
      if (request.turn === "free") return race(request, work);
      const { timeoutMs = request.defaultMs, signal } = request.scope;
      const before = line;
      const limit = { timeoutMs, signal, what: "other work on this tab to end" };
      const turn = within(limit, () => before).then(() => race(request, work));
      // The next one goes on whatever came of this one.
      line = turn.catch(() => undefined);
      return turn;
    },
    obstruct: (error) => {
      const obstacle = { error };
      obstacles.add(obstacle);
      for (const tell of [...listeners]) tell(error);
      return () => obstacles.delete(obstacle);
    },
  };
}

function toTime(options: {
  readonly clock: Clock;
  readonly untilMs: number;
  readonly signal: AbortSignal;
}): WorkTime {
  const { clock, untilMs, signal } = options;
  const leftMs = () => Math.max(untilMs - clock.now(), 0);
  return {
    leftMs,
    signal,
    part: (maxMs) => ({ timeoutMs: Math.min(leftMs(), maxMs ?? Infinity), signal }),
    call: (what, work) => within({ timeoutMs: leftMs(), signal, what }, work),
  };
}
