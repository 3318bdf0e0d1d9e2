// Time limits for Playwright calls, which ignore signals and sometimes never end.

import type { CDPSession, Page } from "playwright-core";
import { abortError, type Clock, isToolError, ToolError } from "../../../core/index.js";
import { pause as wait } from "../../../lib/system/pause.js";

const MAX_TIMER_MS = 2 ** 31 - 1;
const BRIEF_MS = 1_000;

export interface Limit {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly what: string;
}

/** Rejects with `browser_timeout`, the abort, or the error of the work. */
export function within<Value>(limit: Limit, work: () => Promise<Value>): Promise<Value> {
  const { timeoutMs, signal, what } = limit;
  return new Promise<Value>((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError(signal));
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const giveUp = () => {
      end();
      reject(abortError(signal));
    };
    const timer = setTimeout(
      () => {
        end();
        reject(timedOut(what, timeoutMs));
      },
      Math.min(Math.max(timeoutMs, 0), MAX_TIMER_MS),
    );
    signal.addEventListener("abort", giveUp, { once: true });
    const fail = (error: unknown) =>
      reject(isOwnTimeout(error) ? timedOut(what, timeoutMs) : error);
    start(work).then(resolve, fail).finally(end);
  });
}

export function atMost<Value>(
  timeoutMs: number,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const { signal } = new AbortController();
  return within({ timeoutMs, signal, what: "" }, work).catch(() => undefined);
}

/** For cleanup after a call ended. Never rejects. */
export async function tryBriefly(work: () => Promise<unknown>): Promise<void> {
  await atMost(BRIEF_MS, work);
}

/** Work with a DevTools session of its own. */
export async function withDevTools<Value>(
  page: Page,
  work: (session: CDPSession) => Promise<Value>,
): Promise<Value> {
  const session = await page.context().newCDPSession(page);
  try {
    return await work(session);
  } finally {
    await session.detach().catch(() => undefined);
  }
}

/** Playwright has the same time limit and may be first. */
function isOwnTimeout(error: unknown): boolean {
  return error instanceof Error && !isToolError(error) && error.name === "TimeoutError";
}

async function start<Value>(work: () => Promise<Value>): Promise<Value> {
  return work();
}

export function timedOut(what: string, timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `Waited ${Math.round(timeoutMs)} ms for ${what}; try again, with a larger timeoutMs if the page is slow.`,
    { reason: "browser_timeout", details: { waitedFor: what, timeoutMs } },
  );
}

export async function pause(request: {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { clock, ms: delayMs, signal } = request;
  await wait(clock, { delayMs, signal });
  if (signal.aborted) throw abortError(signal);
}

export type Interrupts = ReturnType<typeof createInterrupts>;

/** Running work that ends early with one error. */
export function createInterrupts() {
  const waiting = new Set<(error: Error) => void>();
  return {
    isIdle: () => waiting.size === 0,
    race: <Value>(
      work: () => Promise<Value>,
      toError: (error: Error) => Error = (error) => error,
    ): Promise<Value> =>
      new Promise((resolve, reject) => {
        const interrupt = (error: Error) => reject(toError(error));
        waiting.add(interrupt);
        work()
          .then(resolve, reject)
          .finally(() => waiting.delete(interrupt));
      }),
    end: (error: Error) => {
      for (const interrupt of [...waiting]) interrupt(error);
      waiting.clear();
    },
  };
}
