// Runs work on a page one after the other, with a time limit; a dialog, crash or close ends it at once.

import { setMaxListeners } from "node:events";
import type { PageScope } from "../../../core/browser.js";
import { type Clock, createCountdown } from "../../../core/index.js";
import type { ElementScope } from "../elements/tab-elements.js";
import { atMost, tryBriefly, within } from "../session/within.js";
import { interruptedBy, isTimeout, toPageError } from "./errors.js";
import type { HungWatch } from "./hung-page.js";

/** Time to release keys and guards after work ended. */
const MAX_END_MS = 3_000;
/** The same beyond a time that the caller named. */
const REST_MS = 400;
/** How long the next work waits for leftovers of an ended one. */
const MAX_HELD_MS = 8_000;
const PATIENCE = { all: 1, half: 0.5, short: 0 } as const;

export interface WorkRequest {
  readonly scope: PageScope;
  readonly defaultMs: number;
  readonly what: string;
  /** `free`: no waiting, and works next to a dialog. Default `line`. */
  readonly turn?: "line" | "free";
  /** `any`: does not wait for a document that is loading. Default `ready`. */
  readonly page?: "ready" | "any";
  /** Share of the time to wait for a busy page. Default `all` if the caller named a time. */
  readonly patience?: keyof typeof PATIENCE;
  readonly interrupted?: (error: Error) => Error;
}

export interface WorkTime {
  readonly leftMs: () => number;
  readonly allMs: number;
  readonly signal: AbortSignal;
  readonly part: (maxMs?: number) => ElementScope;
  readonly call: <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;
  /** For every input: when it rejects, no late input follows. */
  readonly step: <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;
}

export interface PageWork {
  run<Value>(request: WorkRequest, work: (time: WorkTime) => Promise<Value>): Promise<Value>;
  /** Work fails until the returned function is called. `navigable`: navigation is allowed. */
  obstruct(error: Error, kind?: "navigable"): () => void;
}

interface Obstacle {
  readonly error: Error;
  readonly kind: "navigable" | undefined;
}

interface PageWorkOptions {
  readonly clock: Clock;
  readonly ready: (time: WorkTime) => Promise<void>;
  readonly watch: HungWatch;
}

export function createPageWork({ clock, ready, watch }: PageWorkOptions): PageWork {
  const obstacles = new Set<Obstacle>();
  const listeners = new Set<(error: Error) => void>();
  let line: Promise<unknown> = Promise.resolve();
  let rest: Promise<unknown> = Promise.resolve();

  const assertFree = ({ page }: WorkRequest) => {
    for (const { error, kind } of obstacles) {
      if (kind !== "navigable" || page !== "any") throw error;
    }
  };
  const race = async <Value>(
    request: WorkRequest,
    work: (time: WorkTime) => Promise<Value>,
  ): Promise<Value> => {
    const isLined = request.turn !== "free";
    if (isLined) assertFree(request);
    const ended = new AbortController();
    setMaxListeners(0, ended.signal);
    const timeoutMs = request.scope.timeoutMs ?? request.defaultMs;
    const limit = { timeoutMs, signal: request.scope.signal, what: request.what };
    const patience = {
      signal: ended.signal,
      patienceMs: timeoutMs * PATIENCE[patienceOf(request)],
    };
    const time = toTime({ clock, allMs: timeoutMs, signal: ended.signal });
    const endMs = () =>
      request.scope.timeoutMs === undefined
        ? MAX_END_MS
        : Math.min(MAX_END_MS, time.leftMs() + REST_MS);
    let running: Promise<Value> | undefined;
    const begin = () => {
      running = work(time);
      return running;
    };
    const done = () =>
      within(limit, async () => {
        if (!isLined) return begin();
        if (request.page === "any") {
          await watch.before(patience);
          return begin();
        }
        await ready(time);
        return Promise.race([begin(), watch.during(patience)]);
      });
    try {
      return await (isLined ? untilObstructed(done, request.interrupted ?? interruptedBy) : done());
    } catch (error) {
      ended.abort();
      const left = running?.then(
        () => undefined,
        (own: unknown) => own,
      );
      if (isLined) rest = atMost(MAX_HELD_MS, async () => left);
      // A page with a dialog cannot finish the rest now.
      const own = obstacles.size === 0 ? await atMost(endMs(), async () => left) : undefined;
      // The work may know better what timed out.
      throw toPageError(isTimeout(error) && isTimeout(own) ? own : error, request.what);
    } finally {
      ended.abort();
    }
  };
  const untilObstructed = <Value>(
    work: () => Promise<Value>,
    interrupted: (error: Error) => Error,
  ): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      const end = (error: Error) => reject(interrupted(error));
      listeners.add(end);
      work()
        .then(resolve, reject)
        .finally(() => listeners.delete(end));
    });
  return {
    run: (request, work) => {
      if (request.turn === "free") return race(request, work);
      const { timeoutMs = request.defaultMs, signal } = request.scope;
      const before = line;
      const left = createCountdown(request.scope, () => clock.now());
      const limit = { timeoutMs, signal, what: "other work on this tab to end" };
      const wait = async () => {
        assertFree(request);
        await before;
      };
      // A dialog ends the wait.
      const waited = within(limit, () => untilObstructed(wait, (error) => error));
      const turn = waited.then(() => race({ ...request, scope: left() }, work));
      // A failure does not stop the next one.
      line = turn.catch(() => undefined).then(() => rest);
      return turn;
    },
    obstruct: (error, kind) => {
      const obstacle = { error, kind };
      obstacles.add(obstacle);
      for (const tell of [...listeners]) tell(error);
      return () => obstacles.delete(obstacle);
    },
  };
}

function patienceOf({ patience, scope }: WorkRequest): keyof typeof PATIENCE {
  return patience ?? (scope.timeoutMs === undefined ? "short" : "all");
}

function toTime(options: {
  readonly clock: Clock;
  readonly allMs: number;
  readonly signal: AbortSignal;
}): WorkTime {
  const { clock, allMs, signal } = options;
  const untilMs = clock.now() + allMs;
  const leftMs = () => Math.max(untilMs - clock.now(), 0);
  return {
    leftMs,
    allMs,
    signal,
    part: (maxMs) => ({ timeoutMs: Math.min(leftMs(), maxMs ?? Infinity), signal }),
    call: (what, work) => within({ timeoutMs: leftMs(), signal, what }, work),
    step: async (what, work) => {
      let begun: Promise<unknown> | undefined;
      try {
        return await within({ timeoutMs: leftMs(), signal, what }, () => {
          const made = work();
          begun = made;
          return made;
        });
      } catch (error) {
        const late = begun;
        if (late) await tryBriefly(() => late);
        throw error;
      }
    },
  };
}
