// Requests of a page that its content waits for. Pictures, media, fonts and streams are not: they may
// go on for ever, and nobody reads them.

import type { Page, Request } from "playwright-core";

const COUNTED = ["fetch", "xhr", "document"];

export interface InFlight {
  /** From now on is counted: what began earlier may never end. */
  begin(): void;
  count(): number;
  /** A document was asked for by the main frame, or came, since `begin`. */
  isNavigating(): boolean;
  hasNavigated(): boolean;
  close(): void;
}

export function createInFlight(page: Page): InFlight {
  let running = new Set<Request>();
  let navigation: Request | undefined;
  let hasNavigated = false;

  const onRequest = (request: Request) => {
    if (!COUNTED.includes(request.resourceType())) return;
    running.add(request);
    if (isOfMainFrame(request, page)) navigation = request;
  };
  const onEnd = (request: Request) => {
    running.delete(request);
    if (navigation === request) navigation = undefined;
  };
  const onNavigated = (frame: unknown) => {
    if (frame === page.mainFrame()) hasNavigated = true;
  };
  page.on("request", onRequest);
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  page.on("framenavigated", onNavigated);
  return {
    begin: () => {
      running = new Set();
      navigation = undefined;
      hasNavigated = false;
    },
    count: () => running.size,
    isNavigating: () => navigation !== undefined,
    hasNavigated: () => hasNavigated,
    close: () => {
      page.off("request", onRequest);
      page.off("requestfinished", onEnd);
      page.off("requestfailed", onEnd);
      page.off("framenavigated", onNavigated);
    },
  };
}

function isOfMainFrame(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // The frame of a request to a page that is not there yet cannot be asked for: it is the main one.
    return true;
  }
}
