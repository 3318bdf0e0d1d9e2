// Makes the embeddings that are missing, apart from the search by words: a slow or failing provider
// holds up no note that is to be found by its words.

import type { Clock } from "../../../core/index.js";
import type { IndexFile } from "../index-file/open-index.js";
import { judgeTrouble } from "../index-file/sqlite-errors.js";
import type { EmbeddingSearch } from "./embedding-search.js";
import type { WriterTurn } from "./vectors.js";

/** A provider that failed is asked again after that long. */
const RETRY_AFTER_MS = 30_000;

export interface EmbeddingRun {
  /** Pieces without an embedding may be there. */
  want(): void;
  /** The run that this call began, if it began one. Never rejects. */
  begin(): Promise<void> | undefined;
  /** Waits until there is nothing left to do; rejects with the caller's abort alone. */
  finish(signal: AbortSignal): Promise<void>;
  /** A sentence when the last run did not end well. */
  warning(): string | undefined;
  close(): Promise<void>;
}

export interface EmbeddingRunSource {
  readonly embeddingSearch: EmbeddingSearch;
  readonly index: IndexFile;
  readonly turn: WriterTurn;
  readonly clock: Clock;
  /** Index corruption is not a provider error. */
  readonly onDamage: (error: unknown) => void;
}

export function createEmbeddingRun(source: EmbeddingRunSource): EmbeddingRun {
  const { embeddingSearch, index, turn, clock, onDamage } = source;
  const closing = new AbortController();
  // Anyone who was here before may have been stopped in the middle.
  let isWanted = true;
  let warning: string | undefined;
  let failedMs: number | undefined;
  let running: Promise<void> | undefined;

  async function work(signal: AbortSignal): Promise<void> {
    isWanted = false;
    try {
      warning = await embeddingSearch.sync({ index, turn, signal });
      if (warning !== undefined) isWanted = true;
      failedMs = warning === undefined ? undefined : clock.now();
    } catch (error) {
      isWanted = true;
      // An abort is the end that was asked for.
      if (signal.aborted) return;
      if (judgeTrouble(error) !== "damaged") throw error;
      onDamage(error);
    }
  }

  function start(signal: AbortSignal): Promise<void> {
    const run = work(AbortSignal.any([closing.signal, signal])).finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  }

  return {
    want() {
      isWanted = true;
    },
    begin() {
      const isResting = failedMs !== undefined && clock.now() - failedMs < RETRY_AFTER_MS;
      if (!isWanted || isResting || running !== undefined) return undefined;
      return start(closing.signal);
    },
    async finish(signal) {
      while (running) await running;
      if (isWanted) await start(signal);
      signal.throwIfAborted();
    },
    warning: () => warning,
    async close() {
      closing.abort();
      await running;
    },
  };
}
