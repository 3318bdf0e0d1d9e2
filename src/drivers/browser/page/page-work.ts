// Runs work on a page one after the other, with a time limit. A dialog, crash or close ends it at once,
// and so does a script that never ends: then the page does not answer while the browser itself does.

import { setMaxListeners } from "node:events";
import type { PageScope } from "../../../core/browser.js";
import { type Clock, createCountdown } from "../../../core/index.js";
import type { ElementScope } from "../elements/tab-elements.js";
import { atMost, createInterrupts, pause, tryBriefly, within } from "../session/within.js";
import { interruptedBy, isTimeout, pageHung, toPageError } from "./errors.js";
import type { PageHandle } from "./page-handle.js";

/** Time to release keys and guards after work ended. */
const MAX_END_MS = 3_000;
/** The same beyond a time that the caller named. */
const REST_MS = 400;
/** How long the next work waits for leftovers of an ended one. */
const MAX_HELD_MS = 8_000;
const HUNG_MS = 2_000;
const TELL_MS = 1_000;
/** A browser slower than this is busy itself. */
const WELL_MS = 250;
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
  /** A call or step began. */
  readonly hasBegun: () => boolean;
  /** When the last call or step ended. */
  readonly lastMs: () => number | undefined;
}

export type PageWork = ReturnType<typeof createPageWork>;

interface Obstacle {
  readonly error: Error;
  readonly kind: "navigable" | undefined;
}

interface PageWorkOptions {
  readonly ready: (time: WorkTime) => Promise<void>;
  /** Something else blocks the page, such as a dialog. */
  readonly isExcused: () => boolean;
}

export function createPageWork(handle: PageHandle, { ready, isExcused }: PageWorkOptions) {
  const { clock } = handle;
  const obstacles = new Set<Obstacle>();
  const interrupts = createInterrupts();
  const assertAnswers = createHungWatch(handle, isExcused);
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
          await assertAnswers(patience);
          return begin();
        }
        await ready(time);
        const hung = assertAnswers(patience).then(() => new Promise<never>(() => undefined));
        return Promise.race([begin(), hung]);
      });
    try {
      if (!isLined) return await done();
      return await interrupts.race(done, request.interrupted ?? interruptedBy);
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
  return {
    run: <Value>(
      request: WorkRequest,
      work: (time: WorkTime) => Promise<Value>,
    ): Promise<Value> => {
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
      const waited = within(limit, () => interrupts.race(wait));
      const turn = waited.then(() => race({ ...request, scope: left() }, work));
      // A failure does not stop the next one.
      line = turn.catch(() => undefined).then(() => rest);
      return turn;
    },
    /** Work fails until the returned function is called. `navigable`: navigation is allowed. */
    obstruct: (error: Error, kind?: "navigable") => {
      const obstacle = { error, kind };
      obstacles.add(obstacle);
      interrupts.end(error);
      return () => void obstacles.delete(obstacle);
    },
  };
}

interface Patience {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

/** Resolves when the page answered, rejects with `page_hung`. */
function createHungWatch({ page, clock, targetId }: PageHandle, isExcused: () => boolean) {
  const isWell = async () => {
    const beganMs = clock.now();
    await page.context().cookies("http://localhost/");
    return clock.now() - beganMs < WELL_MS;
  };
  const isHung = async (hasAnswered: () => boolean, { signal, patienceMs }: Patience) => {
    let ms = Math.max(HUNG_MS, patienceMs - TELL_MS);
    for (;;) {
      await pause({ clock, ms, signal });
      if (hasAnswered()) return false;
      if (!isExcused() && (await isWell()) && !hasAnswered()) return true;
      ms = WELL_MS;
    }
  };
  return async ({ signal, patienceMs }: Patience): Promise<void> => {
    if (isExcused()) return;
    const beganMs = clock.now();
    let hasAnswered = false;
    const note = () => {
      hasAnswered = true;
      return false;
    };
    const answered = page.mainFrame().evaluate("0").then(note, note);
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const judged = isHung(() => hasAnswered, { signal: either, patienceMs }).catch(() => false);
    const found = await Promise.race([answered, judged]);
    ended.abort();
    if (found) throw pageHung(targetId, clock.now() - beganMs);
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
  let hasBegun = false;
  let lastMs: number | undefined;
  const leftMs = () => Math.max(untilMs - clock.now(), 0);
  const call: WorkTime["call"] = async (what, work) => {
    hasBegun = true;
    const value = await within({ timeoutMs: leftMs(), signal, what }, work);
    lastMs = clock.now();
    return value;
  };
  return {
    leftMs,
    allMs,
    signal,
    part: (maxMs) => ({ timeoutMs: Math.min(leftMs(), maxMs ?? Infinity), signal }),
    call,
    step: async (what, work) => {
      let begun: Promise<unknown> | undefined;
      try {
        return await call(what, () => {
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
    hasBegun: () => hasBegun,
    lastMs: () => lastMs,
  };
}
