// Tabs that a page opens. They come a little after what opened them, so whoever expects one waits.

import type { Page } from "playwright-core";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";
import type { Told } from "./told.js";

const MAX_AWAITED_MS = 700;

export interface Popups {
  /** How many came so far. */
  count(): number;
  /** Until there are more than this, or none comes. */
  moreThan(count: number, time: WorkTime): Promise<void>;
  close(): void;
}

export function createPopups(handle: PageHandle, tell: Told["tell"]): Popups {
  const { page, clock } = handle;
  let count = 0;
  let waiting: (() => void)[] = [];
  const onPopup = (popup: Page) => {
    count += 1;
    tell(() => describePopup(handle, popup));
    for (const goOn of waiting) goOn();
  };
  page.on("popup", onPopup);
  return {
    count: () => count,
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
    close: () => page.off("popup", onPopup),
  };
}

function describePopup({ tabIdOf, redactUrl }: PageHandle, popup: Page): string {
  if (popup.isClosed()) return "A new tab opened and closed again.";
  const id = tabIdOf(popup);
  const url = popup.url();
  const at = url === "" || url === "about:blank" ? "" : ` at ${redactUrl(url)}`;
  return id ? `A new tab opened: ${id}${at}.` : `A new tab opened${at}.`;
}
