// Detects a page whose script never ends: it does not answer a question while the browser itself does.

import { pause } from "../session/within.js";
import { pageHung } from "./errors.js";
import type { PageHandle } from "./page-handle.js";

const ANSWER_MS = 2_000;
const TELL_MS = 1_000;
/** A browser slower than this is busy itself. */
const WELL_MS = 250;

interface Patience {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

export type HungWatch = ReturnType<typeof createHungWatch>;

/** `isExcused`: something else blocks the page, such as a dialog. */
export function createHungWatch({ page, clock, targetId }: PageHandle, isExcused: () => boolean) {
  const isWell = async () => {
    const beganMs = clock.now();
    await page.context().cookies("http://localhost/");
    return clock.now() - beganMs < WELL_MS;
  };
  const ask = () => {
    let hasAnswered = false;
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
    during: async (patience: Patience) => {
      const beganMs = clock.now();
      const found = !isExcused() && (await isHung(ask().hasAnswered, patience).catch(() => false));
      if (found) throw hung(beganMs);
      return new Promise<never>(() => undefined);
    },
    before: async ({ signal, patienceMs }: Patience) => {
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
