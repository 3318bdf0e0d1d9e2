// Waits until a page is still after something was done: nothing changed for a short while, nothing that
// its content waits for is under way, no short timer of its own answer runs, a new document is read.
// Never for everything to be loaded.

import type { Frame } from "playwright-core";
import type { QuietAnswer } from "../../inpage/protocol.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";
import { pause } from "../work/pause.js";
import type { InFlight } from "./in-flight.js";

/** Still for that long is still. */
const QUIET_MS = 25;
const MAX_SETTLE_MS = 1_500;
/** Another document is waited for as long as there is time, but for this. */
const KEPT_MS = 1_000;
/** For a page that changed all the time before anything was done. */
const MAX_RESTLESS_MS = 150;
const LOOK_AGAIN_MS = 8;
const TIMER_AGAIN_MS = 25;
/** A page that does not answer for that long is busy. */
const ANSWER_MS = 500;

export interface SettleRequest {
  readonly inFlight: InFlight;
  readonly time: WorkTime;
  /** Where the action was: it is watched too. */
  readonly frame?: Frame | undefined;
  /** When it was over; now when absent. */
  readonly sinceMs?: number | undefined;
}

export async function settle(
  handle: PageHandle,
  request: SettleRequest,
): Promise<{ readonly isUnsettled: boolean }> {
  const { clock, page } = handle;
  const { time, frame, inFlight } = request;
  const beganMs = clock.now();
  const restMs = QUIET_MS - (beganMs - (request.sinceMs ?? beganMs));
  // What was just done may show after a moment only: that is waited for in any case.
  await pause({ clock, ms: Math.max(0, Math.min(restMs, time.leftMs())), signal: time.signal });
  const frames = new Set([page.mainFrame(), ...(frame && !frame.isDetached() ? [frame] : [])]);
  for (;;) {
    const answers = await Promise.all([...frames].map((one) => askQuiet(handle, one, time)));
    const waitMs = chooseWait(answers, inFlight);
    if (waitMs === 0) return { isUnsettled: false };
    const isRestless = answers.some((answer) => answer?.wasBusy) && inFlight.count() === 0;
    const maxMs = isRestless ? MAX_RESTLESS_MS : MAX_SETTLE_MS;
    const isOver = inFlight.isNavigating()
      ? time.leftMs() < KEPT_MS
      : clock.now() - beganMs + waitMs > Math.min(maxMs, time.leftMs());
    if (isOver) return { isUnsettled: true };
    await pause({ clock, ms: waitMs, signal: time.signal });
  }
}

/** 0: it is still. */
function chooseWait(answers: readonly (QuietAnswer | undefined)[], inFlight: InFlight): number {
  if (inFlight.count() > 0) return LOOK_AGAIN_MS;
  let waitMs = 0;
  for (const answer of answers) {
    // One that was loading before anything was done may load for ever.
    const isLoading = answer?.readyState === "loading" && inFlight.hasNavigated();
    if (!answer || isLoading) return LOOK_AGAIN_MS;
    const restMs = Math.ceil(QUIET_MS - answer.quietMs);
    waitMs = Math.max(waitMs, answer.hasTimer ? TIMER_AGAIN_MS : restMs);
  }
  return waitMs;
}

/** undefined while a document is exchanged for another, or the page is busy. */
async function askQuiet(
  { elements, page, guardName }: PageHandle,
  frame: Frame,
  time: WorkTime,
): Promise<QuietAnswer | undefined> {
  if (frame !== page.mainFrame() && frame.isDetached()) {
    const still = { quietMs: QUIET_MS, mutations: 0, wasBusy: false, hasTimer: false };
    return { ...still, readyState: "complete" };
  }
  try {
    return await elements.ask<"quiet">(frame, { op: "quiet", guardName }, time.part(ANSWER_MS));
  } catch (error) {
    if (time.signal.aborted || page.isClosed()) throw error;
    return undefined;
  }
}
