// One tab, whose id stays when its page is replaced after a crash, and the list of tabs.

import type { Page } from "playwright-core";
import type { BrowserPage, PageScope } from "../../../core/browser.js";
import { createCountdown, isToolError, redactUrl, ToolError } from "../../../core/index.js";
import type { DrivenPage } from "../page/create-browser-page.js";
import { isClosedMessage, isCrashMessage, pageCrashed } from "./playwright-errors.js";
import { createInterrupts, type Interrupts } from "./within.js";

const CRASH_REASON = "page_crashed";
const CLOSED_REASON = "tab_not_found";
const HUNG_REASON = "page_hung";
/** For a replacement page after a wait used up the time. */
const RENEW_MS = 1_500;
const MAX_NAMED = 8;

const now = () => performance.now();

export interface TabState {
  readonly targetId: string;
  readonly isOurs: boolean;
  isBlank: boolean;
  page: Page;
  inner: DrivenPage;
  /** The redacted address, until a new page is there. */
  crashedAt: string | undefined;
  hasUnreportedCrash: boolean;
  readonly calls: Interrupts;
}

export interface Tab {
  readonly targetId: string;
  readonly state: TabState;
  readonly port: BrowserPage;
}

export interface TabDuties {
  revive(state: TabState, scope: PageScope): Promise<void>;
  findDownload(): TabState | undefined;
  keepOpen(scope: PageScope): Promise<void>;
  /** Around every call: counts as use, and rejects when the browser is gone. */
  through<Value>(work: () => Promise<Value>): Promise<Value>;
  toClosedError(state: TabState): Promise<ToolError>;
}

type NewTab = Pick<TabState, "targetId" | "isOurs" | "isBlank" | "page" | "inner">;

export function createTab(facts: NewTab, duties: TabDuties): Tab {
  const state: TabState = {
    ...facts,
    crashedAt: undefined,
    hasUnreportedCrash: false,
    calls: createInterrupts(),
  };
  return { targetId: facts.targetId, state, port: createTabPort(state, duties) };
}

export function noteCrash(state: TabState, url: string): void {
  if (state.crashedAt === undefined) state.hasUnreportedCrash = state.calls.isIdle();
  state.crashedAt ??= url;
  state.calls.end(pageCrashed(state.targetId, url));
}

/** `begins`: the call replaces the page, so an earlier crash does not matter. */
type Manner = "looks" | "begins";

function createTabPort(tab: TabState, duties: TabDuties): BrowserPage {
  async function run<Value>(
    scope: PageScope,
    { work, manner = "looks" }: { work: () => Promise<Value>; manner?: Manner },
  ): Promise<Value> {
    return duties.through(async () => {
      if (tab.crashedAt !== undefined) await renew(scope, manner);
      try {
        return await tab.calls.race(work);
      } catch (error) {
        throw await tellEnd(error);
      }
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

export function createTabList() {
  const tabs: Tab[] = [];
  const used: Tab[] = [];

  function drop(list: Tab[], tab: Tab): void {
    const index = list.indexOf(tab);
    if (index >= 0) list.splice(index, 1);
  }

  return {
    all: (): readonly Tab[] => [...tabs],
    add(tab: Tab) {
      tabs.push(tab);
      // Behind used tabs: no one asked for it.
      used.unshift(tab);
    },
    remove(tab: Tab) {
      drop(tabs, tab);
      drop(used, tab);
    },
    current: () => used.at(-1),
    use(tab: Tab) {
      if (!tabs.includes(tab)) return;
      drop(used, tab);
      used.push(tab);
    },
    /** By id or its beginning. Throws `tab_not_found` or `tab_ambiguous`. */
    find(targetId: string): Tab {
      const wanted = targetId.trim();
      const exact = tabs.find((tab) => tab.targetId === wanted);
      if (exact) return exact;
      const alike = wanted === "" ? [] : tabs.filter((tab) => tab.targetId.startsWith(wanted));
      const [first] = alike;
      if (first === undefined) throw notFound(wanted, tabs);
      if (alike.length > 1) throw ambiguous(wanted, alike);
      return first;
    },
  };
}

function listIds(tabs: readonly Tab[]): string {
  const shown = tabs.slice(0, MAX_NAMED).map(({ targetId }) => targetId);
  const more = tabs.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function notFound(targetId: string, tabs: readonly Tab[]): ToolError {
  const there =
    tabs.length === 0
      ? "no tab is open"
      : `there ${tabs.length === 1 ? "is" : "are"} ${listIds(tabs)}`;
  const message = `Unknown tab "${targetId.slice(0, 80)}"; ${there}. Leave targetId out for the current tab, or open one.`;
  return new ToolError("not_found", message, {
    reason: "tab_not_found",
    details: { targetId, tabs: tabs.map((tab) => tab.targetId) },
  });
}

function ambiguous(targetId: string, tabs: readonly Tab[]): ToolError {
  return new ToolError(
    "conflict",
    `"${targetId}" is the beginning of several tabs: ${listIds(tabs)}; write the whole id.`,
    { reason: "tab_ambiguous", details: { targetId, tabs: tabs.map((tab) => tab.targetId) } },
  );
}
