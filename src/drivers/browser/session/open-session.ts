// A connected browser at work: its pages as tabs with ids of ours, pop-ups among them, and one typed
// error for all who wait when it is gone.

import type { Page } from "playwright-core";
import {
  type BrowserPage,
  type BrowserTab,
  type PageScope,
  ToolError,
} from "../../../core/index.js";
import { ENGINE, registerWorld } from "../elements/world.js";
import { guardScript } from "../page/guard/guard-script.js";
import type { Connection } from "./connection.js";
import { describeTab, shortUrl } from "./describe-tab.js";
import type { Playwright } from "./load-playwright.js";
import { createPagePort, type PageSource } from "./page-port.js";
import { browserGone, tabClosed, toBrowserError } from "./playwright-errors.js";
import { createTab, type Tab, type TabState } from "./tab.js";
import { createTabList } from "./tab-list.js";
import { within } from "./within.js";

const MAX_NEW_PAGE_MS = 10_000;
const MAX_CLOSE_PAGE_MS = 1_000;
const MAX_FRONT_MS = 2_000;
/** Pop-ups may go beyond the cap by so many; a page that opens more loses them at once. */
const POPUP_ROOM = 4;
const GUARD_NAME_BYTES = 12;
const ENGINE_NAME_BYTES = 4;
/** Pages are told closed before their browser is. */
const MAX_END_MS = 300;
const LOOK_PAUSE_MS = 20;
/** Tabs that closed within this before the browser was gone went with it. */
const LOSS_MS = 1_000;

export interface SessionSource extends Omit<PageSource, "guardName" | "engine"> {
  readonly profile: string;
  readonly connection: Connection;
  readonly playwright: Pick<Playwright, "selectors">;
  readonly maxTabs: number;
  /** `t1`, `t2` …; never the same again. */
  readonly nextTabId: () => string;
  /** Around every call on a page. */
  readonly noteUse: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Once, when the browser is gone without our doing; `wasTold` when somebody waited and knows. */
  readonly onGone: (facts: { readonly wasTold: boolean; readonly hadTabs: boolean }) => void;
}

export interface Session {
  readonly connection: Connection;
  readonly isGone: () => boolean;
  readonly tabCount: () => number;
  tabs(scope: PageScope): Promise<readonly BrowserTab[]>;
  /** A new tab, or the one that nobody has used yet. */
  newTab(scope: PageScope): Promise<Tab>;
  /** Exactly or by the beginning of its id; undefined names the current one. */
  find(targetId: string | undefined): Tab | undefined;
  /** In front, and current. */
  focus(tab: Tab, scope: PageScope): Promise<BrowserTab>;
  use(tab: Tab): void;
  end(): Promise<void>;
}

export async function openSession(source: SessionSource): Promise<Session> {
  const { connection, playwright, random } = source;
  const guardName = `x${random.hex(GUARD_NAME_BYTES)}`;
  // A context that is not ours was there before us, and knows only names that come after it.
  const engine = connection.isOurs ? ENGINE : `${ENGINE}${random.hex(ENGINE_NAME_BYTES)}`;
  await registerWorld(playwright.selectors, engine);
  await connection.context.addInitScript({ content: guardScript(guardName) });
  return createSession({ ...source, guardName, engine });
}

function createSession(source: SessionSource & PageSource): Session {
  const { connection, profile, maxTabs, noteUse } = source;
  const { context } = connection;
  const list = createTabList<Tab>();
  const waiting = new Set<(error: ToolError) => void>();
  /** Pages that we are opening: they get their place from whoever asked for them. */
  const opening = new Set<Promise<unknown>>();
  const tabOf = (page: Page) => list.all().find((tab) => tab.state.page === page);
  let end: "none" | "wanted" | "gone" = "none";
  /** When a tab that somebody used was closed. */
  let lastLossMs: number | undefined;

  const duties = {
    revive,
    through: <Value>(work: () => Promise<Value>) => noteUse(() => raceEnd(work)),
    async toClosedError({ targetId }: TabState) {
      for (let waitedMs = 0; end === "none" && waitedMs < MAX_END_MS; waitedMs += LOOK_PAUSE_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
      }
      return end === "none" ? tabClosed(targetId) : browserGone(profile, "its process ended");
    },
  };

  /** Whoever waits is told as soon as the browser is gone, whatever the driver library does. */
  function raceEnd<Value>(work: () => Promise<Value>): Promise<Value> {
    if (end !== "none") return Promise.reject(browserGone(profile, "it was ended"));
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  }

  function onContextClosed(): void {
    if (end === "gone") return;
    const wasWanted = end === "wanted";
    end = "gone";
    const why = wasWanted ? "it was stopped" : "its process ended";
    const wasTold = waiting.size > 0;
    for (const reject of waiting) reject(browserGone(profile, why));
    waiting.clear();
    const isLost = lastLossMs !== undefined && performance.now() - lastLossMs < LOSS_MS;
    const hadTabs = isLost || list.all().some(({ state }) => !state.isFresh);
    if (!wasWanted) source.onGone({ wasTold, hadTabs });
  }

  function makePort(page: Page, targetId: string): BrowserPage {
    return createPagePort(source, {
      page,
      targetId,
      isCurrent: () => list.current()?.targetId === targetId,
      tabIdOf: (popup) => tabOf(popup)?.targetId,
    });
  }

  function watch(state: TabState, page: Page): void {
    page.on("crash", () => {
      if (state.page !== page) return;
      state.hasUntoldCrash = state.crashedAt === undefined;
      state.crashedAt ??= page.url();
    });
    page.on("close", () => {
      const tab = state.page === page ? tabOf(page) : undefined;
      if (tab === undefined) return;
      list.remove(tab);
      if (!state.isFresh) lastLossMs = performance.now();
    });
  }

  function adopt(page: Page, owner: "ours" | "theirs"): Tab {
    const known = tabOf(page);
    if (known !== undefined) return known;
    const targetId = source.nextTabId();
    const facts = { targetId, isOurs: owner === "ours", page, inner: makePort(page, targetId) };
    const tab = createTab(facts, duties);
    list.add(tab);
    watch(tab.state, page);
    return tab;
  }

  function countOurs(): number {
    return list.all().filter(({ state }) => state.isOurs).length;
  }

  function takeStranger(page: Page): void {
    if (page.isClosed()) return;
    const hasRoom = countOurs() < maxTabs + POPUP_ROOM;
    if (!connection.isOurs) adopt(page, "theirs");
    else if (hasRoom || tabOf(page) !== undefined) adopt(page, "ours");
    else page.close().catch(() => undefined);
  }

  function onPage(page: Page): void {
    // At once where it can be, for its opener tells its id.
    if (opening.size === 0) takeStranger(page);
    else void Promise.allSettled(opening).then(() => takeStranger(page));
  }

  async function openPage<Value>(scope: PageScope, place: (page: Page) => Value): Promise<Value> {
    const timeoutMs = Math.min(scope.timeoutMs ?? MAX_NEW_PAGE_MS, MAX_NEW_PAGE_MS);
    const limit = { timeoutMs, signal: scope.signal, what: "a new tab" };
    const work = context.newPage().then(place);
    opening.add(work);
    const forget = () => opening.delete(work);
    work.then(forget, forget);
    try {
      return await raceEnd(() => within(limit, () => work));
    } catch (error) {
      throw toBrowserError(error, "A new tab");
    }
  }

  async function revive(state: TabState, scope: PageScope): Promise<void> {
    const old = state.page;
    await openPage(scope, (page) => {
      state.page = page;
      state.inner = makePort(page, state.targetId);
      state.crashedAt = undefined;
      watch(state, page);
    });
    const limit = { timeoutMs: MAX_CLOSE_PAGE_MS, signal: scope.signal, what: "its end" };
    await within(limit, () => old.close()).catch(() => undefined);
  }

  for (const page of context.pages()) takeStranger(page);
  context.on("page", onPage);
  context.on("close", onContextClosed);
  context.browser()?.on("disconnected", onContextClosed);

  return {
    connection,
    isGone: () => end !== "none",
    tabCount: () => list.all().length,
    tabs: (scope) =>
      Promise.all(
        list
          .all()
          .map(({ state }) =>
            describeTab(state, {
              isCurrent: list.current()?.state === state,
              signal: scope.signal,
            }),
          ),
      ),
    async newTab(scope) {
      const fresh = list.all().find(({ state }) => state.isOurs && state.isFresh);
      if (fresh !== undefined && fresh.state.page.url() === "about:blank") return fresh;
      if (countOurs() >= maxTabs) throw tabsFull(maxTabs, list.all());
      return openPage(scope, (page) => adopt(page, "ours"));
    },
    find: (targetId) => (targetId === undefined ? list.current() : list.find(targetId)),
    async focus(tab, scope) {
      const limit = {
        timeoutMs: MAX_FRONT_MS,
        signal: scope.signal,
        what: "the tab to come to front",
      };
      await raceEnd(() => within(limit, () => tab.state.page.bringToFront()));
      list.use(tab);
      return describeTab(tab.state, { isCurrent: true, signal: scope.signal });
    },
    use(tab) {
      tab.state.isFresh = false;
      list.use(tab);
    },
    async end() {
      if (end === "none") end = "wanted";
      await connection.end();
      onContextClosed();
    },
  };
}

function tabsFull(maxTabs: number, tabs: readonly Tab[]): ToolError {
  const open = tabs.map(({ targetId, state }) => `${targetId} ${shortUrl(state)}`).join(", ");
  return new ToolError(
    "limit",
    `${maxTabs} tabs are open, which is all that browser.maxTabs allows; close one of ${open}, or navigate one.`,
    { reason: "browser_tabs_full", details: { maxTabs, tabs: tabs.map((tab) => tab.targetId) } },
  );
}
