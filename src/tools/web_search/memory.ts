// What is remembered between calls: answers found lately, and the turns of each provider. It belongs
// to a network port and goes with it, so that nobody sees what another policy let in.

import type { Net, SearchAnswer, SearchProvider } from "../../core/index.js";
import { createPace, type Pace } from "./pace.js";

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
