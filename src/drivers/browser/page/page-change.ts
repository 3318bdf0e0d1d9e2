// Waits until the page is still, then reads its changes and title.

import type { Frame } from "playwright-core";
import type { BrowserTab, PageChange } from "../../../core/browser.js";
import { cutUrl } from "../../../core/index.js";
import type { ElementChanges } from "../elements/tab-elements.js";
import { isOpenUrl } from "../policy/schemes.js";
import { within } from "../session/within.js";
import type { PageParts } from "./create-browser-page.js";
import { isTimeout, shown } from "./errors.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";
import { settle } from "./settle.js";

const CHANGES_MS = 3_000;
const NOTHING: ElementChanges = {
  isNewDocument: false,
  added: [],
  removed: [],
  changed: [],
  counts: { added: 0, removed: 0, changed: 0 },
};

export interface Done {
  readonly frame?: Frame | undefined;
  readonly sinceMs?: number | undefined;
  readonly whenStill?: () => void;
}

export type ChangeReader = ReturnType<typeof createChangeReader>;

export function createChangeReader(
  handle: PageHandle,
  parts: PageParts & { readonly description: PageDescription },
) {
  const { elements } = handle;
  const { inFlight, pendingEvents, description, coming } = parts;
  let last: { readonly url: string; readonly title: string | undefined } | undefined;
  const describe = (tab: BrowserTab): PageChange => ({
    ...NOTHING,
    tab,
    events: pendingEvents.take(),
    isUnsettled: false,
  });
  const tellUnderWay = () => {
    const [first, ...others] = inFlight.list();
    if (first === undefined) return;
    const rest = others.length === 0 ? "" : `, and ${others.length} more`;
    const url = shown(handle.redactUrl(first.url()));
    pendingEvents.tell(`A request is still under way: ${first.method()} ${url}${rest}.`);
  };
  return {
    begin: async (time: WorkTime) => {
      inFlight.begin();
      pendingEvents.begin();
      await elements.watch(time.part());
    },
    read: async (time: WorkTime, done?: Done) => {
      const { isUnsettled } = await settle(handle, { inFlight, time, ...done });
      const address = coming.address();
      if (isUnsettled && address !== undefined) {
        pendingEvents.tell(`${address} has not answered yet; the next call waits for it.`);
        return { ...describe(await description.read(time.signal)), isUnsettled };
      }
      if (isUnsettled) tellUnderWay();
      else done?.whenStill?.();
      const [changes, tab] = await Promise.all([
        elements.changes(time.part(CHANGES_MS)).catch((error: unknown) => {
          // The act is done: a slow page is not a failure.
          if (time.leftMs() === 0 || !isTimeout(error)) throw error;
          pendingEvents.tell("The page took too long to say what changed; snapshot lists it.");
          return NOTHING;
        }),
        description.read(time.signal),
      ]);
      if (last && !changes.isNewDocument) {
        if (last.url !== tab.url) pendingEvents.tell(`The address is now ${tab.url}.`);
        if (isNews(last.title, tab.title)) pendingEvents.tell(`The title is now "${tab.title}".`);
      }
      const before = changes.isNewDocument ? undefined : last?.title;
      last = { url: tab.url, title: description.isTitleKnown() ? tab.title : before };
      return { ...changes, tab, events: pendingEvents.take(), isUnsettled };
    },
    describe,
  };
}

function isNews(before: string | undefined, now: string): boolean {
  return before !== undefined && before !== now;
}

const MAX_TITLE_MS = 500;
const NO_TITLE = /^Loading \S+$/;
const ERROR_SCHEME = "chrome-error";

export type PageDescription = ReturnType<typeof createPageDescription>;

export function createPageDescription(handle: PageHandle) {
  const { page, targetId, redactUrl } = handle;
  let title = "";
  let isTitleKnown = false;
  return {
    isTitleKnown: () => isTitleKnown,
    read: async (signal: AbortSignal) => {
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
