// Requests of a page that its content waits for. Pictures, media, fonts and streams are not: they may
// go on for ever, and no one reads them.

import type { Frame, Page, Request } from "playwright-core";

const COUNTED = ["fetch", "xhr", "document"];
/** What comes when a document does not. */
const ERROR_PAGE = "chrome-error:";

export interface InFlight {
  /** From now on is counted: what began earlier may never end. */
  begin(): void;
  count(): number;
  /** Those that are counted, the first at the beginning. */
  list(): readonly Request[];
  /** A document was asked for by the main frame since `begin`, and has not come. */
  isNavigating(): boolean;
  /** One came, or the address changed in it. */
  hasNavigated(): boolean;
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
  const onNavigated = (frame: Frame) => {
    if (frame !== page.mainFrame()) return;
    hasNavigated = true;
    if (navigation && isThere(frame, navigation)) navigation = undefined;
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
    list: () => [...running],
    isNavigating: () => navigation !== undefined,
    hasNavigated: () => hasNavigated,
  };
}

/** The document that was asked for is there; a page may also change its address by itself meanwhile. */
export function isThere(frame: Frame, request: Request): boolean {
  const plain = (url: string) => url.split("#")[0];
  return plain(frame.url()) === plain(request.url()) || frame.url().startsWith(ERROR_PAGE);
}

export function isOfMainFrame(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // The frame of a request to a page that is not there yet cannot be asked for: it is the main one.
    return true;
  }
}
