// New pages of a context: those that we open get their place from anyone who asked for them, those that
// come meanwhile wait until it is clear whose they are.

import type { BrowserContext, Page } from "playwright-core";
import type { PageScope } from "../../../core/browser.js";
import { isToolError } from "../../../core/index.js";
import { isCrashMessage, toBrowserError } from "./playwright-errors.js";
import type { SessionEnd } from "./session-end.js";
import { type Limit, timedOut, within } from "./within.js";

const MAX_NEW_PAGE_MS = 10_000;

export interface PageOpener {
  /** How many are on their way. */
  count(): number;
  open<Value>(scope: PageScope, place: (page: Page) => Value): Promise<Value>;
}

export interface PageOpenerSource {
  readonly context: BrowserContext;
  readonly end: SessionEnd;
  /** One that came without our asking. */
  readonly onStranger: (page: Page) => void;
}

export function createPageOpener({ context, end, onStranger }: PageOpenerSource): PageOpener {
  const opening = new Set<Promise<unknown>>();

  context.on("page", (page) => {
    // At once where it can be, for its opener tells its id.
    if (opening.size === 0) onStranger(page);
    else void Promise.allSettled(opening).then(() => onStranger(page));
  });

  /** One that comes too late is closed: someone has another by then. */
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
    async open(scope, place) {
      const timeoutMs = Math.min(scope.timeoutMs ?? MAX_NEW_PAGE_MS, MAX_NEW_PAGE_MS);
      const limit = { timeoutMs, signal: scope.signal, what: "a new tab" };
      try {
        // A page whose process dies while it is made never comes, or crashed; the next one does.
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
