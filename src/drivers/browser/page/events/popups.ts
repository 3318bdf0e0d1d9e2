// Tabs that a page opens. They come a little after what opened them, so anyone who expects one waits.

import type { Page } from "playwright-core";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";
import { hostOf } from "./host-of.js";
import type { PendingEvents } from "./pending-events.js";

const MAX_AWAITED_MS = 700;

export interface Popups {
  /** How many came so far. */
  count(): number;
  /** From here to the end that it gives, tabs that no one in a page opened are reported too. */
  expectAny(): () => void;
  /** Until there are more than this, or none comes. */
  moreThan(count: number, time: WorkTime): Promise<void>;
  close(): void;
}

export function createPopups(handle: PageHandle, tell: PendingEvents["tell"]): Popups {
  const { page, clock } = handle;
  let count = 0;
  let expecting = 0;
  let waiting: (() => void)[] = [];
  let capped = 0;
  const reported = new WeakSet<Page>();
  /** In one sentence, however many they are when it is reported. */
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
    for (const goOn of waiting) goOn();
  };
  // A link that is opened by the middle button, or with a key held down, has no opener.
  const onPage = (other: Page) => {
    if (expecting > 0 && other !== page) onPopup(other);
  };
  page.on("popup", onPopup);
  page.context().on("page", onPage);
  return {
    count: () => count,
    expectAny: () => {
      expecting += 1;
      return () => {
        expecting -= 1;
      };
    },
    moreThan: (before, { signal }) => {
      if (count > before || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const goOn = () => {
          takeBack();
          signal.removeEventListener("abort", goOn);
          waiting = waiting.filter((other) => other !== goOn);
          resolve();
        };
        const takeBack = clock.after(MAX_AWAITED_MS, goOn);
        signal.addEventListener("abort", goOn, { once: true });
        waiting = [...waiting, goOn];
      });
    },
    close: () => page.context().off("page", onPage),
  };
}

function describeCapped(count: number, cap: number): string {
  const closed = count === 1 ? "One more tab was" : `${count} more tabs were`;
  return `${closed} closed at once: at most ${cap} are open (browser.maxTabs); close one first.`;
}

function describePopup(handle: PageHandle, popup: Page): string {
  const { tabIdOf, redactUrl, refusedBy } = handle;
  if (popup.isClosed()) return "A new tab opened and closed again.";
  const id = tabIdOf(popup);
  const url = popup.url();
  const at = url === "" || url === "about:blank" ? "" : ` at ${redactUrl(url)}`;
  const opened = id ? `A new tab opened: ${id}${at}.` : `A new tab opened${at}.`;
  const denial = refusedBy(hostOf(url));
  // Its own answers would tell it, and no one may ask that tab.
  return denial ? `${opened} It shows nothing of it: ${denial.message}` : opened;
}
