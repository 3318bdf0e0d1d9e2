// A page whose script runs without end answers no one. It is asked when work on it begins, next to the
// work; when no answer comes in time and the browser itself is well, the page hangs and the work is not waited
// for. What only the work itself keeps busy is left to the time of the work.

import { pause } from "../session/within.js";
import { pageHung } from "./errors.js";
import type { PageHandle } from "./page-handle.js";

const ANSWER_MS = 2_000;
const TELL_MS = 1_000;
/** A browser that takes longer for a question of its own is slow, and its pages with it. */
const WELL_MS = 250;

interface Patience {
  readonly signal: AbortSignal;
  /** The page may be busy for that long; less than what it takes to tell counts as that. */
  readonly patienceMs: number;
}

/** Both reject with `page_hung`. */
export interface HungWatch {
  /** For ever pending otherwise, also when the signal ends. */
  during(patience: Patience): Promise<never>;
  /** Until the page has answered; for work that leaves it, because no one can ask until the new one comes. */
  before(patience: Patience): Promise<void>;
}

/** `isExcused`: something else keeps the page from answering, such as a dialog. */
export function createHungWatch(
  { page, clock, targetId }: PageHandle,
  isExcused: () => boolean,
): HungWatch {
  const isWell = async () => {
    const beganMs = clock.now();
    await page.context().cookies("http://localhost/");
    return clock.now() - beganMs < WELL_MS;
  };
  const ask = () => {
    let hasAnswered = false;
    // One that is gone is reported by others.
    const answered = page
      .mainFrame()
      .evaluate("0")
      .then(
        () => undefined,
        () => undefined,
      );
    answered.then(() => {
      hasAnswered = true;
    });
    return { answered, hasAnswered: () => hasAnswered };
  };
  const isHung = async (
    hasAnswered: () => boolean,
    { signal, patienceMs }: Patience,
  ): Promise<boolean> => {
    let ms = Math.max(ANSWER_MS, patienceMs - TELL_MS);
    for (;;) {
      await pause({ clock, ms, signal });
      if (hasAnswered()) return false;
      if (!isExcused() && (await isWell()) && !hasAnswered()) return true;
      ms = WELL_MS;
    }
  };
  const hung = (beganMs: number) => pageHung(targetId, clock.now() - beganMs);
  return {
    during: async (patience) => {
      const beganMs = clock.now();
      const found = !isExcused() && (await isHung(ask().hasAnswered, patience).catch(() => false));
      if (found) throw hung(beganMs);
      return new Promise<never>(() => undefined);
    },
    before: async ({ signal, patienceMs }) => {
      if (isExcused()) return;
      const beganMs = clock.now();
      const { answered, hasAnswered } = ask();
      const ended = new AbortController();
      const either = AbortSignal.any([signal, ended.signal]);
      const judged = isHung(hasAnswered, { signal: either, patienceMs }).catch(() => false);
      const found = await Promise.race([answered.then(() => false), judged]);
      ended.abort();
      if (found) throw hung(beganMs);
    },
  };
}
