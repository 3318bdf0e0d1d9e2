// What a page loads: content requests since an act began, and a document about to replace it. Until
// that comes, Chromium blocks questions to the old page, so all work waits, but not forever.

import type { Frame, Page, Request } from "playwright-core";
import { pause, tryBriefly, withDevTools } from "../session/within.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";

const COUNTED = ["fetch", "xhr", "document"];
const LOOK_AGAIN_MS = 20;
const MAX_KEPT_MS = 2_000;
const KEPT_PART = 1 / 3;
const ERROR_PAGE = "chrome-error:";

export type Loading = ReturnType<typeof createLoading>;

export function createLoading(
  { page, clock, redactUrl }: PageHandle,
  tell: (event: string | (() => string)) => void,
) {
  let running = new Set<Request>();
  let hasNavigated = false;
  let coming: Request | undefined;
  let lastUrl: string | undefined;
  let stopped: string | undefined;
  let arrivals = 0;
  const onEnd = (request: Request) => {
    running.delete(request);
    if (coming === request) coming = undefined;
  };
  page.on("request", (request) => {
    if (COUNTED.includes(request.resourceType())) running.add(request);
    if (!isOfMainFrame(request, page)) return;
    coming = request;
    lastUrl = request.url();
  });
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) return;
    hasNavigated = true;
    if (!coming || !isThere(frame, coming)) return;
    coming = undefined;
    arrivals += 1;
  });

  const stop = async () => {
    coming = undefined;
    await tryBriefly(() => withDevTools(page, (session) => session.send("Page.stopLoading")));
  };
  return {
    /** Earlier requests do not count: they may never end. */
    begin: () => {
      running = new Set();
      hasNavigated = false;
      lastUrl = undefined;
    },
    /** Of the last document asked for: after redirects, the one that failed. */
    lastUrl: () => lastUrl,
    requests: () => [...running],
    hasNavigated: () => hasNavigated,
    /** Of the coming document. */
    address: () => coming && redactUrl(coming.url()),
    arrivals: () => arrivals,
    stop,
    ready: async (time: WorkTime) => {
      const keptMs = Math.min(time.leftMs() * KEPT_PART, MAX_KEPT_MS);
      while (coming && time.leftMs() > keptMs) {
        await pause({ clock, ms: LOOK_AGAIN_MS, signal: time.signal });
      }
      if (!coming) return;
      const message = `${redactUrl(coming.url())} did not answer: its loading was stopped, and the previous page stays.`;
      await stop();
      stopped = message;
      tell(() => (stopped === message ? message : ""));
    },
    takeStopped: () => {
      const message = stopped;
      stopped = undefined;
      return message;
    },
  };
}

/** The requested document arrived. */
function isThere(frame: Frame, request: Request): boolean {
  const plain = (url: string) => url.split("#")[0];
  return plain(frame.url()) === plain(request.url()) || frame.url().startsWith(ERROR_PAGE);
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
