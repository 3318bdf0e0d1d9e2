// A page whose script runs without end answers nobody. It is asked when work on it begins, beside the
// work; when no answer comes and the browser itself is well, the page hangs and the work is not waited
// for. What only the work itself keeps busy is left to the time of the work.

import type { Page } from "playwright-core";
import type { Clock } from "../../../../core/index.js";
import { pageHung } from "../errors.js";
import { pause } from "./pause.js";

const ANSWER_MS = 2_000;
/** A browser that takes longer for a question of its own is slow, and its pages with it. */
const WELL_MS = 250;

/** Rejects with `page_hung`; for ever pending otherwise, also when the signal ends. */
export type HungWatch = (
  signal: AbortSignal,
  /** Only what kept the page from answering before the work counts: the work itself navigates. */
  options: { readonly navigates: boolean },
) => Promise<never>;

export function createHungWatch(options: {
  readonly page: Page;
  readonly targetId: string;
  readonly clock: Clock;
  /** Something else keeps the page from answering: a document that comes, a dialog. */
  readonly isExcused: () => boolean;
}): HungWatch {
  const { page, clock, targetId, isExcused } = options;
  const isWell = async () => {
    const beganMs = clock.now();
    await page.context().cookies("http://localhost/");
    return clock.now() - beganMs < WELL_MS;
  };
  const watch: (...args: Parameters<HungWatch>) => Promise<boolean> = async (
    signal,
    { navigates },
  ) => {
    let hasAnswered = false;
    const note = () => {
      hasAnswered = true;
    };
    // One that is gone is told by others.
    page.evaluate("0").then(note, note);
    for (;;) {
      await pause({ clock, ms: ANSWER_MS, signal });
      if (hasAnswered) return false;
      if (!navigates && isExcused()) continue;
      if ((await isWell()) && !hasAnswered) return true;
    }
  };
  return async (signal, manner) => {
    const isHung = isExcused() ? false : await watch(signal, manner).catch(() => false);
    if (isHung) throw pageHung(targetId);
    return new Promise<never>(() => undefined);
  };
}
