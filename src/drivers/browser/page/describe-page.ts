// The tab as answers tell it. A page that hangs does not answer for its title: the last known one is used.

import type { BrowserTab } from "../../../core/browser.js";
import { isOpenUrl } from "../policy/schemes.js";
import { within } from "../session/within.js";
import { shown } from "./errors.js";
import { cutUrl } from "./events/cut-url.js";
import type { PageHandle } from "./page-handle.js";

const MAX_TITLE_MS = 500;

/** What Playwright says while another document is awaited. */
const NO_TITLE = /^Loading \S+$/;
/** Where Chromium shows why something could not be opened. */
const ERROR_SCHEME = "chrome-error";

export interface PageDescription {
  read(signal: AbortSignal): Promise<BrowserTab>;
  /** Whether the page itself gave the title that was read last. */
  isTitleKnown(): boolean;
}

export function createPageDescription(handle: PageHandle): PageDescription {
  const { page, targetId, redactUrl } = handle;
  let title = "";
  let isTitleKnown = false;
  return {
    isTitleKnown: () => isTitleKnown,
    read: async (signal) => {
      const limit = { timeoutMs: MAX_TITLE_MS, signal, what: "the title" };
      const url = page.url();
      const read = await within(limit, () => page.title()).catch(() => undefined);
      isTitleKnown = read !== undefined && !NO_TITLE.test(read);
      if (read !== undefined && isTitleKnown) title = read;
      const [scheme = ""] = url.split(":");
      const address = isOpenUrl(url)
        ? { url: cutUrl(redactUrl(url)) }
        : { url: "", urlUnavailableReason: unavailable(scheme) };
      return { targetId, title: shown(title), ...address, isCurrent: handle.isCurrent() };
    },
  };
}

function unavailable(scheme: string): string {
  if (scheme === ERROR_SCHEME) return "the page could not be opened";
  return `pages of ${shown(scheme)}: are not shown`;
}
