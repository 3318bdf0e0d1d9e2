// One provider asked in its turn, and once more when it said that it was too early.

import {
  abortError,
  type Clock,
  isToolError,
  type Net,
  type SearchAnswer,
  type SearchProvider,
  type SearchRequest,
} from "../../core/index.js";
import { createTimedCache } from "../../lib/http/timed-cache.js";
import { assertAddress, field, listOf } from "./ask-server.js";
import type { Candidate } from "./choose-providers.js";
import { notReached, providerThrew, rateLimited, unreadable } from "./failures.js";

const MAX_ENTRIES = 100;
const MEMORIES = new WeakMap<Net, ReturnType<typeof createSearchMemory>>();

const MAX_WAIT_MS = 10_000;
const MAX_ATTEMPTS = 3;
const DEFAULT_RETRY_MS = 1_000;

export interface Asking extends Pick<SearchRequest, "query" | "net" | "timeoutMs" | "signal"> {
  readonly candidate: Candidate;
  readonly clock: Clock;
}

export async function askProvider(asking: Asking): Promise<SearchAnswer> {
  const { candidate, clock, query, net, timeoutMs, signal } = asking;
  const { provider, settings } = candidate;
  assertAddress(provider, settings);
  const pace = memoryOf(net).paceOf(provider, settings.baseUrl);
  for (let attempt = 1; ; attempt++) {
    const waitMs = pace.take({ nowMs: clock.now(), maxWaitMs: MAX_WAIT_MS });
    if (waitMs === undefined) {
      throw rateLimited(provider, { retryAfterMs: pace.waitMs(clock.now()) });
    }
    await wait(waitMs, { clock, signal });
    try {
      const nowMs = clock.now();
      const answer = await provider.search({ query, settings, net, timeoutMs, signal, nowMs });
      if (!isAnswer(answer))
        throw unreadable(provider, { what: "something that is not an answer" });
      return answer;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isToolError(error)) throw providerThrew(provider, error);
      if (error.reason !== "search_rate_limited")
        throw notReached(provider, { error, baseUrl: settings.baseUrl });
      const nowMs = clock.now();
      pace.pauseUntil(nowMs + (readWait(error.details) ?? DEFAULT_RETRY_MS * attempt));
      if (attempt === MAX_ATTEMPTS || pace.waitMs(nowMs) > MAX_WAIT_MS) throw error;
    }
  }
}

/** Plugins are plain JavaScript. */
function isAnswer(value: unknown): value is SearchAnswer {
  if (field(value, "kind") === "results") return hasAddresses(field(value, "hits"));
  const isProse = field(value, "kind") === "answer" && typeof field(value, "content") === "string";
  return isProse && hasAddresses(field(value, "citations"));
}

function hasAddresses(value: unknown): boolean {
  const rows = listOf(value);
  return rows?.every((row) => typeof field(row, "url") === "string") === true;
}

function readWait(details: unknown): number | undefined {
  const value = field(details, "retryAfterMs");
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function wait(
  delayMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  if (delayMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      cancel();
      reject(abortError(signal));
    };
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}

export function memoryOf(net: Net) {
  const known = MEMORIES.get(net);
  if (known !== undefined) return known;
  const made = createSearchMemory();
  MEMORIES.set(net, made);
  return made;
}

function createSearchMemory() {
  const paces = new Map<string, ReturnType<typeof createPace>>();
  return {
    answers: createTimedCache<SearchAnswer>({ maxEntries: MAX_ENTRIES }),
    paceOf({ id, requestsPerSecond = 1, burst = 1 }: SearchProvider, baseUrl = "") {
      const key = `${id} ${baseUrl}`;
      const pace = paces.get(key) ?? createPace({ perSecond: requestsPerSecond, burst });
      paces.set(key, pace);
      return pace;
    },
  };
}

export function createPace(rate: { readonly perSecond: number; readonly burst: number }) {
  const intervalMs = 1_000 / rate.perSecond;
  const headStartMs = (rate.burst - 1) * intervalMs;
  /** When the bucket will be full again. */
  let fullAtMs = 0;
  let pausedUntilMs = 0;

  function waitMs(nowMs: number): number {
    return Math.max(0, fullAtMs - headStartMs - nowMs, pausedUntilMs - nowMs);
  }

  return {
    waitMs,
    /** How long to wait for the turn that is taken; undefined when that is too long. */
    take({ nowMs, maxWaitMs }: { nowMs: number; maxWaitMs: number }): number | undefined {
      const wait = waitMs(nowMs);
      if (wait > maxWaitMs) return undefined;
      fullAtMs = Math.max(fullAtMs, nowMs + wait) + intervalMs;
      return wait;
    },
    pauseUntil(timeMs: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, timeMs);
    },
  };
}
