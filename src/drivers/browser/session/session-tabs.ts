// The pages of a browser as tabs with ids; a crashed tab gets a new page.

import type { BrowserContext, Page } from "playwright-core";
import type { NetFilter, PageScope } from "../../../core/browser.js";
import { isToolError, type RandomSource, redactUrl, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { RefCount, RefSource } from "../elements/refs.js";
import { createTabElements } from "../elements/tab-elements.js";
import { createBrowserPage } from "../page/create-browser-page.js";
import type { PageHandle } from "../page/page-handle.js";
import { isOpenUrl, readPageUrl } from "../policy/schemes.js";
import type { Connection } from "./connection.js";
import type { SessionEnd } from "./open-session.js";
import { isCrashMessage, toBrowserError } from "./playwright-errors.js";
import {
  createTab,
  createTabList,
  noteCrash,
  type Tab,
  type TabDuties,
  type TabState,
} from "./tab.js";
import { atMost, type Limit, timedOut, within } from "./within.js";

const MAX_CLOSE_PAGE_MS = 1_000;
/** How long a problem of the filter explains a failure. */
const FRESH_MS = 2_000;
const BLANK = "about:blank";
const MAX_SHOWN_URL_CHARS = 80;
const MAX_NEW_PAGE_MS = 10_000;

export interface SessionTabsSource
  extends Pick<PageHandle, "folders" | "quota" | "evaluateEnabled" | "clock"> {
  readonly filter: NetFilter;
  readonly random: RandomSource;
  readonly guardName: string;
  readonly engine: string;
  readonly connection: Connection;
  readonly end: SessionEnd;
  readonly maxTabs: number;
  readonly nextTabId: () => string;
  readonly refCount: RefCount;
  readonly noteUse: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export function createSessionTabs(source: SessionTabsSource) {
  const { connection, end, maxTabs, noteUse, refCount, filter, clock } = source;
  const { context } = connection;
  const list = createTabList();
  const opener = createPageOpener({ context, end, onStranger: takeStranger });
  const tabOf = (page: Page) => list.all().find((tab) => tab.state.page === page);
  const countOurs = () => list.all().filter(({ state }) => state.isOurs).length;
  const beyondCap = new WeakSet<Page>();

  const duties: TabDuties = {
    async revive(state, scope) {
      const old = state.page;
      await opener.open(scope, (page) => {
        state.page = page;
        state.inner = makePort(page, state.targetId);
        state.crashedAt = undefined;
        watch(state, page);
      });
      await closePage(old);
    },
    findDownload: () => list.all().find(({ state }) => state.inner.hasDownload())?.state,
    async keepOpen(scope) {
      // A browser with windows ends with its last one.
      if (connection.kind === "attached" || connection.headless || list.all().length > 1) return;
      await opener.open(scope, (page) => adopt(page, "ours"));
    },
    through: (work) => noteUse(() => end.race(work)),
    toClosedError: ({ targetId }) => end.toClosedError(targetId),
  };

  function makePort(page: Page, targetId: string) {
    const refs: RefSource = {
      next: () => refCount.next(targetId),
      tabOf: (ref) => {
        const owner = refCount.tabOf(ref);
        if (owner === undefined) return undefined;
        const isOpen = list.all().some((tab) => tab.targetId === owner);
        return { targetId: owner, isThisOne: owner === targetId, isOpen };
      },
    };
    return createBrowserPage({
      ...{ ...source, page, targetId, redactUrl },
      elements: createTabElements({ page, engine: source.engine, refs }),
      isCurrent: () => list.current()?.targetId === targetId,
      tabIdOf: (popup) => tabOf(popup)?.targetId,
      capOn: (popup) => (beyondCap.has(popup) ? maxTabs : undefined),
      assertUrl: readPageUrl,
      judgeUrl: (url, signal) => filter.judge(url, { signal }),
      problemOf: (url) => filter.problemOf(url, { sinceMs: clock.now() - FRESH_MS }),
    });
  }

  function watch(state: TabState, page: Page): void {
    page.on("crash", () => {
      if (state.page === page) noteCrash(state, redactUrl(page.url()));
    });
    page.on("close", () => {
      const tab = state.page === page ? tabOf(page) : undefined;
      if (tab !== undefined) list.remove(tab);
    });
  }

  /** `popup`: ours, but opened by a page. */
  function adopt(page: Page, owner: "ours" | "popup" | "theirs"): Tab {
    const known = tabOf(page);
    if (known !== undefined) return known;
    const targetId = source.nextTabId();
    const [isOurs, isBlank] = [owner !== "theirs", owner === "ours"];
    const tab = createTab(
      { targetId, isOurs, isBlank, page, inner: makePort(page, targetId) },
      duties,
    );
    list.add(tab);
    watch(tab.state, page);
    return tab;
  }

  function takeStranger(page: Page): void {
    if (page.isClosed() || tabOf(page) !== undefined) return;
    if (!connection.isOurs) adopt(page, "theirs");
    else if (countOurs() < maxTabs) adopt(page, "popup");
    else {
      beyondCap.add(page);
      void closePage(page);
    }
  }

  for (const page of context.pages()) adopt(page, connection.isOurs ? "ours" : "theirs");

  return {
    list,
    /** A new or unused tab. Throws `browser_tabs_full`. */
    async open(scope: PageScope) {
      const blank = list.all().find(({ state }) => {
        return state.isBlank && state.crashedAt === undefined && state.page.url() === BLANK;
      });
      if (blank !== undefined) {
        // A concurrent call gets another tab.
        blank.state.isBlank = false;
        return blank;
      }
      if (countOurs() + opener.count() >= maxTabs) throw tabsFull(maxTabs, list.all());
      const tab = await opener.open(scope, (page) => adopt(page, "ours"));
      tab.state.isBlank = false;
      return tab;
    },
    async closeOwn() {
      const pages = list.all().flatMap(({ state }) => (state.isOurs ? state.page : []));
      await Promise.all(pages.map(closePage));
    },
  };
}

/** Never rejects. */
async function closePage(page: Page): Promise<void> {
  await atMost(MAX_CLOSE_PAGE_MS, () => page.close());
}

function shortUrl(url: string): string {
  return (isOpenUrl(url) && toPrintable(redactUrl(url), MAX_SHOWN_URL_CHARS)) || "(no address)";
}

function tabsFull(maxTabs: number, tabs: readonly Tab[]): ToolError {
  const open = tabs
    .map(({ targetId, state }) => `${targetId} ${shortUrl(state.page.url())}`)
    .join(", ");
  return new ToolError(
    "limit",
    `${maxTabs} tabs are open, which is all that browser.maxTabs allows; close one of ${open}, or navigate one.`,
    { reason: "browser_tabs_full", details: { maxTabs, tabs: tabs.map((tab) => tab.targetId) } },
  );
}

interface PageOpenerSource {
  readonly context: BrowserContext;
  readonly end: SessionEnd;
  readonly onStranger: (page: Page) => void;
}

function createPageOpener({ context, end, onStranger }: PageOpenerSource) {
  const opening = new Set<Promise<unknown>>();

  context.on("page", (page) => {
    // At once if possible, because the opener reports the id.
    if (opening.size === 0) onStranger(page);
    else void Promise.allSettled(opening).then(() => onStranger(page));
  });

  /** A page that comes too late is closed. */
  async function attempt<Value>(limit: Limit, place: (page: Page) => Value): Promise<Value> {
    let isLate = false;
    const work = context.newPage().then((page) => {
      if (!isLate) return place(page);
      page.close().catch(() => undefined);
      throw timedOut(limit.what, limit.timeoutMs);
    });
    opening.add(work);
    const forget = () => opening.delete(work);
    work.then(forget, forget);
    try {
      return await end.race(() => within(limit, () => work));
    } catch (error) {
      isLate = true;
      opening.delete(work);
      throw error;
    }
  }

  return {
    count: () => opening.size,
    async open<Value>(scope: PageScope, place: (page: Page) => Value): Promise<Value> {
      const timeoutMs = Math.min(scope.timeoutMs ?? MAX_NEW_PAGE_MS, MAX_NEW_PAGE_MS);
      const limit = { timeoutMs, signal: scope.signal, what: "a new tab" };
      try {
        // Retry: a page whose process dies while opening never comes.
        return await attempt({ ...limit, timeoutMs: timeoutMs / 2 }, place).catch((error) => {
          const isLate = isToolError(error) && error.code === "timeout";
          if (!isLate && !isCrashMessage(error)) throw error;
          return attempt({ ...limit, timeoutMs: timeoutMs / 2 }, place);
        });
      } catch (error) {
        throw toBrowserError(error, "A new tab");
      }
    },
  };
}
