// Waits after an act until the page is still: no changes, no content requests, no short timers.

import type { Frame, Page, Request } from "playwright-core";
import type { Answers } from "../inpage/protocol.js";
import { pause } from "../session/within.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";

const QUIET_MS = 25;
const MAX_SETTLE_MS = 1_500;
const KEPT_MS = 1_000;
const MAX_RESTLESS_MS = 150;
const LOOK_AGAIN_MS = 8;
const TIMER_AGAIN_MS = 25;
const ANSWER_MS = 500;
const COUNTED = ["fetch", "xhr", "document"];

interface SettleRequest {
  readonly inFlight: InFlight;
  readonly time: WorkTime;
  readonly frame?: Frame | undefined;
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
  // The page may react after a moment.
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

function chooseWait(
  answers: readonly (Answers<"quiet"> | undefined)[],
  inFlight: InFlight,
): number {
  if (inFlight.count() > 0) return LOOK_AGAIN_MS;
  let waitMs = 0;
  for (const answer of answers) {
    // A page that loaded before the act may load forever.
    const isLoading = answer?.readyState === "loading" && inFlight.hasNavigated();
    if (!answer || isLoading) return LOOK_AGAIN_MS;
    const restMs = Math.ceil(QUIET_MS - answer.quietMs);
    waitMs = Math.max(waitMs, answer.hasTimer ? TIMER_AGAIN_MS : restMs);
  }
  return waitMs;
}

/** undefined: the document is being replaced, or the page is busy. */
async function askQuiet(
  { elements, page, guardName }: PageHandle,
  frame: Frame,
  time: WorkTime,
): Promise<Answers<"quiet"> | undefined> {
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

export type InFlight = ReturnType<typeof createInFlight>;

export function createInFlight(page: Page, isNavigating: () => boolean) {
  let running = new Set<Request>();
  let hasNavigated = false;

  const onRequest = (request: Request) => {
    if (!COUNTED.includes(request.resourceType())) return;
    running.add(request);
  };
  const onEnd = (request: Request) => running.delete(request);
  const onNavigated = (frame: Frame) => {
    if (frame === page.mainFrame()) hasNavigated = true;
  };
  page.on("request", onRequest);
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  page.on("framenavigated", onNavigated);
  return {
    /** Earlier requests do not count: they may never end. */
    begin: () => {
      running = new Set();
      hasNavigated = false;
    },
    count: () => running.size,
    list: () => [...running],
    isNavigating,
    hasNavigated: () => hasNavigated,
  };
}

export function isOfMainFrame(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // The page does not exist yet, so it is its main frame.
    return true;
  }
}
