// One tab: its id stays, its page is replaced when it crashed. What a caller holds is the port, which
// always means the page that is there now.

import type { Page } from "playwright-core";
import type { BrowserPage, PageScope } from "../../../core/browser.js";
import { createCountdown, isToolError, type ToolError } from "../../../core/index.js";
import type { DrivenPage } from "../page/create-browser-page.js";
import { redactUrl } from "../policy/redact-url.js";
import { isClosedMessage, isCrashMessage, pageCrashed } from "./playwright-errors.js";

const CRASH_REASON = "page_crashed";
const CLOSED_REASON = "tab_not_found";
const HUNG_REASON = "page_hung";
/** For another page, also when all the time has gone into waiting for the one before. */
const RENEW_MS = 1_500;
const now = () => performance.now();

export interface TabState {
  readonly targetId: string;
  /** Opened by us or by a page of ours; others are someone else's. */
  readonly isOurs: boolean;
  /** No one has used it yet. */
  isFresh: boolean;
  /** Empty since its beginning, so an address may be opened in it. */
  isBlank: boolean;
  page: Page;
  inner: DrivenPage;
  /** Where it was when it crashed, secrets replaced, until a new page is there. */
  crashedAt: string | undefined;
  /** A crash that no call has been informed of. */
  hasUnreportedCrash: boolean;
  /** Calls under way. */
  readonly waiting: Set<(error: ToolError) => void>;
}

export interface Tab {
  readonly targetId: string;
  readonly state: TabState;
  readonly port: BrowserPage;
}

export interface TabDuties {
  /** Puts a new page in the place of a crashed one. */
  revive(state: TabState, scope: PageScope): Promise<void>;
  /** One in which a download waits to be saved. */
  findDownload(): TabState | undefined;
  /** Before a tab is closed. */
  keepOpen(scope: PageScope): Promise<void>;
  /** Around every call: counts as use, and rejects when the browser is gone. */
  through<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The tab is closed: by itself, or with the whole browser, which is known a moment later. */
  toClosedError(state: TabState): Promise<ToolError>;
}

export type NewTab = Pick<TabState, "targetId" | "isOurs" | "isBlank" | "page" | "inner">;

export function createTab(facts: NewTab, duties: TabDuties): Tab {
  const state: TabState = {
    ...facts,
    isFresh: true,
    crashedAt: undefined,
    hasUnreportedCrash: false,
    waiting: new Set(),
  };
  return { targetId: facts.targetId, state, port: createTabPort(state, duties) };
}

/** Its page crashed: anyone who waits is reported at once, else anyone who comes next. */
export function noteCrash(state: TabState, url: string): void {
  if (state.crashedAt === undefined) state.hasUnreportedCrash = state.waiting.size === 0;
  state.crashedAt ??= url;
  for (const reject of state.waiting) reject(pageCrashed(state.targetId, url));
  state.waiting.clear();
}

/** `begins`: the call makes a new page of it, so a crash before it needs no telling. */
type Manner = "looks" | "begins";

function createTabPort(tab: TabState, duties: TabDuties): BrowserPage {
  async function run<Value>(
    scope: PageScope,
    { work, manner = "looks" }: { work: () => Promise<Value>; manner?: Manner },
  ): Promise<Value> {
    return duties.through(async () => {
      if (tab.crashedAt !== undefined) await renew(scope, manner);
      try {
        return await raceCrash(work);
      } catch (error) {
        throw await tellEnd(error);
      }
    });
  }

  function raceCrash<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      tab.waiting.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => tab.waiting.delete(reject));
    });
  }

  async function renew(scope: PageScope, manner: Manner): Promise<void> {
    const url = tab.crashedAt ?? "";
    const isReported = !tab.hasUnreportedCrash;
    await duties.revive(tab, scope);
    tab.hasUnreportedCrash = false;
    if (!isReported && manner === "looks") throw pageCrashed(tab.targetId, url);
  }

  async function tellEnd(error: unknown): Promise<unknown> {
    const isCrash = isToolError(error) ? error.reason === CRASH_REASON : isCrashMessage(error);
    if (isCrash) {
      const url = tab.crashedAt ?? redactUrl(tab.page.url());
      tab.crashedAt = url;
      tab.hasUnreportedCrash = false;
      return pageCrashed(tab.targetId, url);
    }
    return isClosedMessage(error) ? duties.toClosedError(tab) : error;
  }

  /** A page that hangs is not left by going elsewhere: another takes its place. */
  const navigate: BrowserPage["navigate"] = async (request) => {
    const left = createCountdown(request, now);
    try {
      return await tab.inner.navigate(request);
    } catch (error) {
      if (!isToolError(error) || error.reason !== HUNG_REASON) throw error;
    }
    const rest = createCountdown(withRoom(left()), now);
    await duties.revive(tab, rest());
    const change = await tab.inner.navigate(rest());
    const ended = "The previous page did not answer and was ended.";
    return { ...change, events: [ended, ...change.events] };
  };

  const download: BrowserPage["download"] = async (request) => {
    const isOpen = request.anyTab && request.ref === undefined && !tab.inner.hasDownload();
    const other = isOpen ? duties.findDownload() : undefined;
    if (other === undefined) return tab.inner.download(request);
    return { ...(await other.inner.download(request)), targetId: other.targetId };
  };

  /** An act may close its tab; a browser that is gone closes all of them. */
  const act: BrowserPage["act"] = async (action, scope) => {
    const { page, inner } = tab;
    const outcome = await inner.act(action, scope);
    if (!page.isClosed()) return outcome;
    const end = await duties.toClosedError(tab);
    if (end.reason !== CLOSED_REASON) throw end;
    return outcome;
  };

  return {
    targetId: tab.targetId,
    tab: (scope) => run(scope, { work: () => tab.inner.tab(scope), manner: "begins" }),
    navigate: (request) => run(request, { work: () => navigate(request), manner: "begins" }),
    history: (request) => run(request, { work: () => tab.inner.history(request) }),
    list: (request) => run(request, { work: () => tab.inner.list(request) }),
    act: (action, scope) => run(scope, { work: () => act(action, scope) }),
    screenshot: (request) => run(request, { work: () => tab.inner.screenshot(request) }),
    pdf: (request) => run(request, { work: () => tab.inner.pdf(request) }),
    text: (request) => run(request, { work: () => tab.inner.text(request) }),
    console: (request) => run(request, { work: () => tab.inner.console(request) }),
    errors: (request) => run(request, { work: () => tab.inner.errors(request) }),
    requests: (request) => run(request, { work: () => tab.inner.requests(request) }),
    upload: (request) => run(request, { work: () => tab.inner.upload(request) }),
    download: (request) => run(request, { work: () => download(request) }),
    answerDialog: (request) => run(request, { work: () => tab.inner.answerDialog(request) }),
    close: (scope) =>
      duties.through(async () => {
        await duties.keepOpen(scope);
        await tab.inner.close(scope);
      }),
  };
}

function withRoom<Scope extends PageScope>(scope: Scope): Scope {
  const { timeoutMs } = scope;
  return timeoutMs === undefined ? scope : { ...scope, timeoutMs: Math.max(timeoutMs, RENEW_MS) };
}
