// Waits until the page is still, then reads its changes and title.

import type { Frame } from "playwright-core";
import type { BrowserTab, PageChange } from "../../../core/browser.js";
import { cutUrl } from "../../../core/index.js";
import type { ElementChanges } from "../elements/tab-elements.js";
import type { Answers } from "../inpage/protocol.js";
import { isOpenUrl } from "../policy/schemes.js";
import { pause, within } from "../session/within.js";
import { isTimeout, shown } from "./errors.js";
import type { PendingEvents } from "./events.js";
import type { Loading } from "./loading.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";

const CHANGES_MS = 3_000;
const QUIET_MS = 25;
const MAX_SETTLE_MS = 1_500;
const KEPT_MS = 1_000;
const MAX_RESTLESS_MS = 150;
const LOOK_AGAIN_MS = 8;
const TIMER_AGAIN_MS = 25;
const ANSWER_MS = 500;
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

interface ChangeSources {
  readonly loading: Loading;
  readonly pendingEvents: PendingEvents;
  readonly description: PageDescription;
}

export function createChangeReader(
  handle: PageHandle,
  { loading, pendingEvents, description }: ChangeSources,
) {
  const { elements } = handle;
  let last: { readonly url: string; readonly title: string | undefined } | undefined;
  const describe = (tab: BrowserTab): PageChange => ({
    ...NOTHING,
    tab,
    events: pendingEvents.take(),
    isUnsettled: false,
  });
  const tellUnderWay = () => {
    const [first, ...others] = loading.requests();
    if (first === undefined) return;
    const rest = others.length === 0 ? "" : `, and ${others.length} more`;
    const url = shown(handle.redactUrl(first.url()));
    pendingEvents.tell(`A request is still under way: ${first.method()} ${url}${rest}.`);
  };
  return {
    begin: async (time: WorkTime) => {
      loading.begin();
      pendingEvents.begin();
      await elements.watch(time.part());
    },
    read: async (time: WorkTime, done?: Done) => {
      const { isUnsettled } = await settle(handle, { loading, time, ...done });
      const address = loading.address();
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

interface SettleRequest {
  readonly loading: Loading;
  readonly time: WorkTime;
  readonly frame?: Frame | undefined;
  readonly sinceMs?: number | undefined;
}

export async function settle(
  handle: PageHandle,
  request: SettleRequest,
): Promise<{ readonly isUnsettled: boolean }> {
  const { clock, page } = handle;
  const { time, frame, loading } = request;
  const beganMs = clock.now();
  const restMs = QUIET_MS - (beganMs - (request.sinceMs ?? beganMs));
  // The page may react after a moment.
  await pause({ clock, ms: Math.max(0, Math.min(restMs, time.leftMs())), signal: time.signal });
  const frames = new Set([page.mainFrame(), ...(frame && !frame.isDetached() ? [frame] : [])]);
  for (;;) {
    const answers = await Promise.all([...frames].map((one) => askQuiet(handle, one, time)));
    const waitMs = chooseWait(answers, loading);
    if (waitMs === 0) return { isUnsettled: false };
    const isRestless = answers.some((answer) => answer?.wasBusy) && loading.requests().length === 0;
    const maxMs = isRestless ? MAX_RESTLESS_MS : MAX_SETTLE_MS;
    const isOver =
      loading.address() !== undefined
        ? time.leftMs() < KEPT_MS
        : clock.now() - beganMs + waitMs > Math.min(maxMs, time.leftMs());
    if (isOver) return { isUnsettled: true };
    await pause({ clock, ms: waitMs, signal: time.signal });
  }
}

function chooseWait(answers: readonly (Answers<"quiet"> | undefined)[], loading: Loading): number {
  if (loading.requests().length > 0) return LOOK_AGAIN_MS;
  let waitMs = 0;
  for (const answer of answers) {
    // A page that loaded before the act may load forever.
    const isLoading = answer?.readyState === "loading" && loading.hasNavigated();
    if (!answer || isLoading) return LOOK_AGAIN_MS;
    const restMs = Math.ceil(QUIET_MS - answer.quietMs);
    waitMs = Math.max(waitMs, answer.hasTimer ? TIMER_AGAIN_MS : restMs);
  }
  return waitMs;
}

/** undefined: the document is being replaced, or the page is busy. */
async function askQuiet(
  { elements, page, guardName }: PageHandle,
  frame: Frame,
  time: WorkTime,
): Promise<Answers<"quiet"> | undefined> {
  if (frame !== page.mainFrame() && frame.isDetached()) {
    const still = { quietMs: QUIET_MS, wasBusy: false, hasTimer: false };
    return { ...still, readyState: "complete" };
  }
  try {
    return await elements.ask<"quiet">(frame, { op: "quiet", guardName }, time.part(ANSWER_MS));
  } catch (error) {
    if (time.signal.aborted || page.isClosed()) throw error;
    return undefined;
  }
}

const MAX_TITLE_MS = 500;
const NO_TITLE = /^Loading \S+$/;
const ERROR_SCHEME = "chrome-error";

type PageDescription = ReturnType<typeof createPageDescription>;

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
