// A document that the tab is about to load. Until then Chromium blocks questions to the old page, so
// all work waits, but not forever.

import type { Frame, Page, Request } from "playwright-core";
import { pause, tryBriefly } from "../session/within.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";
import { isOfMainFrame } from "./settle.js";

const LOOK_AGAIN_MS = 20;
const MAX_KEPT_MS = 2_000;
const KEPT_PART = 1 / 3;
const ERROR_PAGE = "chrome-error:";

export type ComingDocument = ReturnType<typeof createComingDocument>;

type Source = Pick<PageHandle, "page" | "clock" | "redactUrl">;

export function createComingDocument(
  { page, clock, redactUrl }: Source,
  tell: (event: string | (() => string)) => void,
) {
  let coming: Request | undefined;
  let stopped: string | undefined;
  let arrivals = 0;
  const onRequest = (request: Request) => {
    if (isOfMainFrame(request, page)) coming = request;
  };
  const onEnd = (request: Request) => {
    if (coming === request) coming = undefined;
  };
  const onNavigated = (frame: Frame) => {
    if (!coming || frame !== page.mainFrame() || !isThere(frame, coming)) return;
    coming = undefined;
    arrivals += 1;
  };
  page.on("request", onRequest);
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  page.on("framenavigated", onNavigated);

  const stop = async () => {
    coming = undefined;
    await tryBriefly(() => stopLoading(page));
  };
  return {
    address: () => coming && redactUrl(coming.url()),
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
    arrivals: () => arrivals,
    takeStopped: () => {
      const message = stopped;
      stopped = undefined;
      return message;
    },
  };
}

async function stopLoading(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send("Page.stopLoading");
  } finally {
    await session.detach();
  }
}

/** The requested document arrived. */
function isThere(frame: Frame, request: Request): boolean {
  const plain = (url: string) => url.split("#")[0];
  return plain(frame.url()) === plain(request.url()) || frame.url().startsWith(ERROR_PAGE);
}
