// What is remembered between calls: answers found lately, and the turns of each provider. It belongs
// to a network port and goes with it, so that nobody sees what another policy let in.

import type { Net, SearchAnswer, SearchProvider } from "../../core/index.js";

const MAX_ENTRIES = 100;

interface KeptAnswer {
  readonly answer: SearchAnswer;
  readonly foundAtMs: number;
}

export interface SearchMemory {
  readAnswer(
    key: string,
    limits: { readonly nowMs: number; readonly maxAgeMs: number },
  ): SearchAnswer | undefined;
  keepAnswer(key: string, kept: KeptAnswer): void;
  /** One for each provider and address. */
  paceOf(provider: SearchProvider, baseUrl: string | undefined): Pace;
}

/** By identity: what is kept goes with the port. */
const MEMORIES = new WeakMap<Net, SearchMemory>();

export function memoryOf(net: Net): SearchMemory {
  const known = MEMORIES.get(net);
  if (known !== undefined) return known;
  const made = createSearchMemory();
  MEMORIES.set(net, made);
  return made;
}

function createSearchMemory(): SearchMemory {
  const answers = new Map<string, KeptAnswer>();
  const paces = new Map<string, Pace>();
  return {
    readAnswer(key, { nowMs, maxAgeMs }) {
      const kept = answers.get(key);
      if (kept === undefined) return undefined;
      if (nowMs - kept.foundAtMs < maxAgeMs) return kept.answer;
      answers.delete(key);
      return undefined;
    },
    keepAnswer(key, kept) {
      answers.delete(key);
      answers.set(key, kept);
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ENTRIES) break;
        answers.delete(oldest);
      }
    },
    paceOf({ id, requestsPerSecond = 1, burst = 1 }, baseUrl = "") {
      const key = `${id} ${baseUrl}`;
      const pace = paces.get(key) ?? createPace({ perSecond: requestsPerSecond, burst });
      paces.set(key, pace);
      return pace;
    },
  };
}

interface Pace {
  /** Milliseconds until the turn, which is then taken; `undefined` when it is later than that. */
  take(at: { readonly nowMs: number; readonly maxWaitMs: number }): number | undefined;
  /** Milliseconds until the next turn. */
  waitMs(nowMs: number): number;
  pauseUntil(timeMs: number): void;
}

export function createPace(rate: { readonly perSecond: number; readonly burst: number }): Pace {
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
    take({ nowMs, maxWaitMs }) {
      const wait = waitMs(nowMs);
      if (wait > maxWaitMs) return undefined;
      fullAtMs = Math.max(fullAtMs, nowMs + wait) + intervalMs;
      return wait;
    },
    pauseUntil(timeMs) {
      pausedUntilMs = Math.max(pausedUntilMs, timeMs);
    },
  };
}
