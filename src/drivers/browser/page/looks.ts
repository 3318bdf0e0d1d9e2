// Reads a page without acting: elements, text, pictures, console, requests.

import type { BrowserPage, ListRequest, PageListing } from "../../../core/browser.js";
import { pause } from "../session/within.js";
import type { PageParts } from "./create-browser-page.js";
import { isTimeout, pageRestless, selectorMissing } from "./errors.js";
import type { PageHandle } from "./page-handle.js";
import type { PageWork, WorkTime } from "./page-work.js";
import { printPage, takeScreenshot } from "./picture/screenshot.js";

const LIST_MS = 10_000;
const PICTURE_MS = 15_000;
const SHORT_MS = 5_000;
const MAX_EMPTY_MS = 3_000;
const EMPTY_AGAIN_MS = 100;
const MAX_ARRIVALS = 3;

type Looks = Pick<
  BrowserPage,
  "tab" | "list" | "screenshot" | "pdf" | "text" | "console" | "errors" | "requests"
>;

export function createLooks(handle: PageHandle, parts: PageParts): Looks {
  const { work, said, requests, description, loading } = parts;
  const { page, elements, targetId, clock } = handle;
  const reading: PageWork["run"] = async (request, look) => {
    const before = loading.arrivals();
    return work.run(request, look).catch((error: unknown) => {
      const count = loading.arrivals() - before;
      throw isTimeout(error) && count > MAX_ARRIVALS ? pageRestless(targetId, count) : error;
    });
  };
  /** Waits for a page that shows nothing yet. */
  const listLoaded = async (request: ListRequest, time: WorkTime): Promise<PageListing> => {
    const untilMs = clock.now() + Math.min(MAX_EMPTY_MS, time.leftMs() / 2);
    for (;;) {
      const listing = await elements.list(request, time.part());
      const isAsked = request.ref ?? request.selector ?? request.frame;
      if (listing.elements.length > 0 || isAsked !== undefined) return listing;
      const pending = await describePending(time);
      if (pending === undefined) return listing;
      if (clock.now() >= untilMs) return { ...listing, gaps: [...listing.gaps, pending] };
      await pause({ clock, ms: EMPTY_AGAIN_MS, signal: time.signal });
    }
  };
  const describePending = async (time: WorkTime): Promise<string | undefined> => {
    const count = loading.requests().length;
    const again = "it shows nothing yet; take another snapshot in a moment.";
    if (count > 0) return `The page waits for ${count} request${count === 1 ? "" : "s"}: ${again}`;
    const asks = { op: "quiet" } as const;
    const { readyState } = await elements.ask<"quiet">(page.mainFrame(), asks, time.part());
    return readyState === "complete" ? undefined : `The page is still loading: ${again}`;
  };
  return {
    tab: (scope) =>
      // A short limit of its own, so that it works when the time is over.
      work.run(
        { scope: { signal: scope.signal }, defaultMs: SHORT_MS, what: "the tab", turn: "free" },
        ({ signal }) => description.read(signal),
      ),
    list: (request) =>
      reading({ scope: request, defaultMs: LIST_MS, what: "the page to be read" }, async (time) => {
        const listing = await listLoaded(request, time);
        const stopped = loading.takeStopped();
        return stopped ? { ...listing, gaps: [...listing.gaps, stopped] } : listing;
      }),
    screenshot: (request) =>
      work.run({ scope: request, defaultMs: PICTURE_MS, what: "the picture" }, (time) =>
        takeScreenshot(handle, { ...request, time }),
      ),
    pdf: (request) =>
      work.run({ scope: request, defaultMs: PICTURE_MS, what: "the PDF" }, (time) =>
        printPage(handle, { path: request.path, time }),
      ),
    text: (request) =>
      reading({ scope: request, defaultMs: LIST_MS, what: "the text" }, async (time) => {
        const { selector, frame: name, maxChars } = request;
        const frame =
          name === undefined ? page.mainFrame() : await elements.frame(name, time.part());
        const asks = { op: "text", maxChars, ...(selector !== undefined && { selector }) } as const;
        const answer = await elements.ask<"text">(frame, asks, time.part());
        if (answer.isMissing) throw selectorMissing(selector ?? "body");
        const { text, totalChars } = answer;
        return { text, totalChars, frameCount: frame.childFrames().length };
      }),
    console: async (request) => said.read(request),
    errors: async (request) => said.errors(request),
    requests: async (request) => requests.read(request),
  };
}
