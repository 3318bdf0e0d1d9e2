// Page events that the next answer reports: uncaught errors, refused documents, new tabs.

import type { ConsoleMessage, Page, Response } from "playwright-core";
import { pause } from "../../../lib/system/pause.js";
import { shown } from "./errors.js";
import { isOfMainFrame } from "./loading.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";
import { redactText } from "./records.js";

const MAX_EVENTS = 30;
const QUOTING = /^A request was refused: /;
const EARLY = "Earlier: ";
const FIRST_BAD_STATUS = 400;
/** Chromium reports this only on the console. */
const NOT_OPENED = /^Not allowed to load local resource: (\S+)/;
const MAX_AWAITED_MS = 700;
const LOOK_AGAIN_MS = 10;

export type PendingEvents = ReturnType<typeof createPendingEvents>;

export function createPendingEvents() {
  let events: (string | (() => string))[] = [];
  let early = 0;
  let left = 0;
  let said: string | undefined;
  const isSaid = (event: string | (() => string)) =>
    said !== undefined && typeof event === "string" && isSame(event, said);
  return {
    /** A function is called when the event is reported; an empty text is skipped. */
    tell: (event: string | (() => string)) => {
      if (isSaid(event)) return;
      if (events.length < MAX_EVENTS) events.push(event);
      else left += 1;
    },
    /** The error said this already, so matching events are skipped. */
    forget: (sentence: string) => {
      said = sentence;
      early = events.slice(0, early).filter((event) => !isSaid(event)).length;
      events = events.filter((event) => !isSaid(event));
    },
    begin: () => {
      early = events.length;
    },
    take: () => {
      const sentences = events
        .map((event, index) => {
          const sentence = typeof event === "string" ? event : event();
          return index < early && sentence !== "" ? `${EARLY}${sentence}` : sentence;
        })
        .filter((sentence) => sentence !== "");
      if (left > 0) sentences.push(`${left} more things happened.`);
      events = [];
      early = 0;
      left = 0;
      said = undefined;
      return sentences;
    },
  };
}

function isSame(event: string, sentence: string): boolean {
  return event.includes(sentence) || sentence.includes(event.replace(QUOTING, ""));
}

/** Until the returned function is called. One line for all errors of an act. */
export function followAct(handle: PageHandle, tell: PendingEvents["tell"]): () => void {
  const { page, clock, redactUrl } = handle;
  const beganMs = clock.now();
  const thrown: string[] = [];
  const onError = (error: Error) => {
    const [first = ""] = String(error).split("\n");
    thrown.push(shown(redactText(first, redactUrl)));
    if (thrown.length === 1) tell(() => describeThrown(thrown));
  };
  const onResponse = (response: Response) => {
    const status = response.status();
    if (status < FIRST_BAD_STATUS || !isOfMainFrame(response.request(), page)) return;
    const problem = handle.problemOf(response.url());
    // The filter answered, and its own message is reported.
    if (problem && problem.atMs >= beganMs) return;
    tell(describeStatus(response));
  };
  const onConsole = (message: ConsoleMessage) => {
    const [, url] = NOT_OPENED.exec(message.text()) ?? [];
    if (url) tell(`${shown(redactUrl(url))} is not opened: a page may not lead there.`);
  };
  page.on("console", onConsole);
  page.on("pageerror", onError);
  page.on("response", onResponse);
  return () => {
    page.off("console", onConsole);
    page.off("pageerror", onError);
    page.off("response", onResponse);
  };
}

function describeThrown([first = "", ...others]: readonly string[]): string {
  const rest = others.length === 0 ? "" : `; ${others.length} more, errors lists them`;
  return `The page did not catch an error: ${first}${rest}`;
}

export function describeStatus(response: Response): string {
  return `The server answered ${response.status()} ${response.statusText()}`.trim().concat(".");
}

export function createPopups(handle: PageHandle, tell: PendingEvents["tell"]) {
  const { page, clock } = handle;
  let count = 0;
  let expecting = 0;
  let capped = 0;
  const reported = new WeakSet<Page>();
  const tellCapped = (cap: number) => {
    capped += 1;
    if (capped > 1) return;
    tell(() => {
      const sentence = describeCapped(capped, cap);
      capped = 0;
      return sentence;
    });
  };
  const onPopup = (popup: Page) => {
    if (reported.has(popup)) return;
    reported.add(popup);
    count += 1;
    const cap = handle.capOn?.(popup);
    if (cap === undefined) tell(() => describePopup(handle, popup));
    else tellCapped(cap);
  };
  // Tabs opened by the middle button or a modifier key have no opener.
  const onPage = (other: Page) => {
    if (expecting > 0 && other !== page) onPopup(other);
  };
  page.on("popup", onPopup);
  page.context().on("page", onPage);
  return {
    count: () => count,
    /** Until the returned function is called, also counts tabs without an opener. */
    expectAny: () => {
      expecting += 1;
      return () => {
        expecting -= 1;
      };
    },
    moreThan: async (before: number, { signal }: WorkTime) => {
      const untilMs = clock.now() + MAX_AWAITED_MS;
      while (count <= before && !signal.aborted && clock.now() < untilMs) {
        await pause(clock, { delayMs: LOOK_AGAIN_MS, signal });
      }
    },
    close: () => page.context().off("page", onPage),
  };
}

function describeCapped(count: number, cap: number): string {
  const closed = count === 1 ? "One more tab was" : `${count} more tabs were`;
  return `${closed} closed at once: at most ${cap} are open (browser.maxTabs); close one first.`;
}

function describePopup(handle: PageHandle, popup: Page): string {
  const { tabIdOf, redactUrl, problemOf } = handle;
  if (popup.isClosed()) return "A new tab opened and closed again.";
  const id = tabIdOf(popup);
  const url = popup.url();
  const at = url === "" || url === "about:blank" ? "" : ` at ${redactUrl(url)}`;
  const opened = id ? `A new tab opened: ${id}${at}.` : `A new tab opened${at}.`;
  const problem = problemOf(url);
  // The new tab itself may never be asked.
  return problem ? `${opened} It shows nothing of it: ${problem.error.message}` : opened;
}
