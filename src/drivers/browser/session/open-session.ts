// A connected browser: its tabs, and how waiting calls learn of its end.

import { setMaxListeners } from "node:events";
import type { BrowserTab, PageScope } from "../../../core/browser.js";
import { ENGINE, registerWorld } from "../elements/world.js";
import { guardScript } from "../page/guard-script.js";
import type { Playwright } from "./connection.js";
import { browserGone, tabClosed } from "./playwright-errors.js";
import { createSessionTabs, type SessionTabsSource } from "./session-tabs.js";
import type { Tab, TabState } from "./tab.js";
import { createInterrupts, within } from "./within.js";

const MAX_FRONT_MS = 2_000;
const GUARD_NAME_BYTES = 12;
const ENGINE_NAME_BYTES = 4;
const MAX_END_MS = 300;
const LOOK_PAUSE_MS = 20;

export interface SessionSource extends Omit<SessionTabsSource, "end" | "guardName" | "engine"> {
  readonly profile: string;
  readonly playwright: Pick<Playwright, "selectors">;
  /** When the browser is gone unexpectedly; `wasReported` if a waiting call heard of it. */
  readonly onGone: (facts: { readonly wasReported: boolean }) => void;
}

export type Session = Awaited<ReturnType<typeof openSession>>;

export async function openSession(source: SessionSource) {
  const { connection, playwright, random } = source;
  const guardName = `x${random.hex(GUARD_NAME_BYTES)}`;
  // An existing context only knows engines registered later.
  const engine = connection.isOurs ? ENGINE : `${ENGINE}${random.hex(ENGINE_NAME_BYTES)}`;
  await registerWorld(playwright.selectors, engine);
  // People also type in visible or foreign browsers.
  const young = connection.isOurs && connection.headless ? "stop" : "pass";
  await connection.context.addInitScript({ content: guardScript(guardName, { young }) });
  const end = createSessionEnd(source);
  const tabs = createSessionTabs({ ...source, guardName, engine, end });
  const { list } = tabs;
  connection.context.on("close", end.note);
  connection.context.browser()?.on("disconnected", end.note);

  return {
    connection,
    isGone: end.isOver,
    tabCount: () => list.all().length,
    waiting: () =>
      list.all().flatMap(({ targetId, state }) => {
        const dialog = state.inner.dialog();
        return dialog ? [{ targetId, dialog }] : [];
      }),
    tabs: (scope: PageScope) => {
      const signal = AbortSignal.any([scope.signal]);
      setMaxListeners(0, signal);
      return Promise.all(list.all().map(({ state }) => describeTab(state, signal)));
    },
    newTab: tabs.open,
    /** By id or its beginning; undefined: the current tab. */
    find: (targetId: string | undefined) =>
      targetId === undefined ? list.current() : list.find(targetId),
    async focus(tab: Tab, { signal }: PageScope) {
      const limit = { timeoutMs: MAX_FRONT_MS, signal, what: "the tab to come to front" };
      await end.race(() => within(limit, () => tab.state.page.bringToFront()));
      list.use(tab);
      return describeTab(tab.state, signal);
    },
    use: list.use,
    forget: list.remove,
    async end() {
      if (!end.isOver() && connection.closesOwnTabs) await tabs.closeOwn();
      end.want();
      await connection.end();
      end.note();
    },
  };
}

async function describeTab(
  { inner, crashedAt }: TabState,
  signal: AbortSignal,
): Promise<BrowserTab> {
  const dialog = inner.dialog();
  return {
    ...(await inner.tab({ signal })),
    ...(crashedAt !== undefined && { title: "", urlUnavailableReason: "the page crashed" }),
    ...(dialog && { dialog }),
  };
}

export type SessionEnd = ReturnType<typeof createSessionEnd>;

function createSessionEnd({ profile, onGone }: Pick<SessionSource, "profile" | "onGone">) {
  const interrupts = createInterrupts();
  let state: "none" | "wanted" | "gone" = "none";
  const isOver = () => state !== "none";

  return {
    isOver,
    race: <Value>(work: () => Promise<Value>): Promise<Value> =>
      isOver() ? Promise.reject(browserGone(profile, "it was ended")) : interrupts.race(work),
    want() {
      if (state === "none") state = "wanted";
    },
    note() {
      if (state === "gone") return;
      const wasWanted = state === "wanted";
      const wasReported = !interrupts.isIdle();
      state = "gone";
      interrupts.end(browserGone(profile, wasWanted ? "it was stopped" : "its process ended"));
      if (!wasWanted) onGone({ wasReported });
    },
    async toClosedError(targetId: string) {
      for (let waitedMs = 0; !isOver() && waitedMs < MAX_END_MS; waitedMs += LOOK_PAUSE_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
      }
      return isOver() ? browserGone(profile, "its process ended") : tabClosed(targetId);
    },
  };
}
