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
  /** Resolves when the page answered; for work that leaves the page. */
  const before = async ({ signal, patienceMs }: Patience): Promise<void> => {
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
  const during = async (patience: Patience): Promise<never> => {
    await before(patience);
    return new Promise<never>(() => undefined);
  };
  return { before, during };
}
