// Keeps the index up to date: looks for changes, writes them, one round at a time. A search waits for
// a first index and for small changes, and reports everything else.

import type { Clock, MemoryProgress } from "../../../core/index.js";
import { createEmbeddingRun } from "../embeddings/embedder.js";
import type { EmbeddingSearch } from "../embeddings/embedding-search.js";
import type { WriterTurn } from "../embeddings/vectors.js";
import { describeTrouble } from "../index-file/database.js";
import { type IndexFile, isDamage } from "../index-file/open-index.js";
import { listNotes, type NoteList } from "../notes/scan.js";
import type { MemorySettings } from "../settings.js";
import { createKnownFiles, createPace, makePlan, type Plan } from "./known-files.js";
import { createFolderWatch, readPartial, syncNotes } from "./sync.js";

/** A search waits this long for the index, then answers with what is indexed. */
const MAX_WAIT_MS = 5_000;
/** A search waits this long for its embeddings, then answers by words. */
const MAX_EMBEDDING_WAIT_MS = 2_000;
/** Changes up to this many are written before a search answers. */
const FEW_NOTES = 50;

export interface Freshness {
  readonly staleNotes: number;
  readonly partial: { readonly indexed: number; readonly total: number } | undefined;
  readonly warnings: readonly string[];
}

export interface IndexRound {
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: MemoryProgress) => void) | undefined;
}

export interface Keeper {
  refresh(signal: AbortSignal): Promise<Freshness>;
  look(): Promise<Freshness>;
  index(round: IndexRound): Promise<void>;
  readonly turn: WriterTurn;
  close(): Promise<void>;
}

export interface KeeperSource {
  readonly index: IndexFile;
  readonly settings: MemorySettings;
  readonly clock: Clock;
  readonly embeddingSearch: EmbeddingSearch | undefined;
}

interface RoundRequest extends IndexRound {
  readonly count: number;
  readonly plan?: Plan | undefined;
}

interface Seen {
  readonly list: NoteList;
  readonly staleNotes: number;
}

interface Wait {
  readonly signal: AbortSignal;
  readonly maxMs: number;
}

interface Round {
  readonly done: Promise<void>;
  left: number;
}

export function createKeeper({ index, settings, clock, embeddingSearch }: KeeperSource): Keeper {
  const known = createKnownFiles(index.writer);
  const closing = new AbortController();
  const turn: WriterTurn = {
    isTaken: () => running !== undefined,
    wait: async () => running?.done.catch(() => undefined),
  };
  const embeddings =
    embeddingSearch && createEmbeddingRun({ embeddingSearch, index, turn, clock, onDamage });
  const watch = settings.sync.watch ? createFolderWatch(scheduleRound) : undefined;
  let walked: NoteList | undefined;
  let running: Round | undefined;
  let problem: string | undefined;
  /** What was met apart from a search; the next one throws it, so that the index is rebuilt. */
  let damage: { readonly error: unknown } | undefined;
  let noteWarnings: readonly string[] = [];
  let takeBack: (() => void) | undefined;

  async function walk(): Promise<NoteList> {
    walked = await listNotes(settings.places, createPace(closing.signal));
    watch?.follow(walked.folders);
    return walked;
  }

  function start(list: NoteList, request: RoundRequest): Round {
    const signal = AbortSignal.any([closing.signal, request.signal]);
    const pace = createPace(signal);
    const work = async () => {
      noteWarnings = await syncNotes({
        ...{ writer: index.writer, known, list, pace, signal },
        chunking: settings.chunking,
        now: clock.now,
        ...{ isFresh: request.isFresh, plan: request.plan },
        onProgress(progress) {
          round.left = Math.min(round.left, progress.total - progress.done);
          request.onProgress?.(progress);
        },
      });
      problem = undefined;
      embeddings?.want();
    };
    const round: Round = {
      left: request.count,
      done: work().finally(() => {
        if (running === round) running = undefined;
      }),
    };
    running = round;
    round.done.catch((error: unknown) => {
      if (closing.signal.aborted) return;
      noteProblem(error);
    });
    return round;
  }

  /** After a quiet time, so that a file that is being saved is read once. */
  function scheduleRound(): void {
    takeBack?.();
    takeBack = clock.after(settings.sync.debounceMs, () => {
      takeBack = undefined;
      refresh(closing.signal).catch(noteProblem);
    });
  }

  function tell(list: NoteList, staleNotes: number): Freshness {
    return {
      staleNotes,
      partial: readPartial(index.reader, list.notes.length),
      warnings: [
        ...index.warnings,
        ...toList(problem),
        ...list.warnings,
        ...noteWarnings,
        ...toList(embeddings?.warning()),
      ],
    };
  }

  /** The next search reports it. */
  function noteProblem(error: unknown): void {
    problem = `The index is not up to date: ${describeTrouble(error)}.`;
    if (isDamage(error, index)) onDamage(error);
  }

  function onDamage(error: unknown): void {
    damage = { error };
  }

  function assertWhole(): void {
    if (damage) throw damage.error;
  }

  async function refresh(signal: AbortSignal): Promise<Freshness> {
    const { list, staleNotes } = await refreshWords(signal);
    assertWhole();
    const begun = embeddings?.begin();
    if (begun) await waitFor(begun, { signal, maxMs: MAX_EMBEDDING_WAIT_MS });
    assertWhole();
    return tell(list, staleNotes);
  }

  async function refreshWords(signal: AbortSignal): Promise<Seen> {
    const isFirst = readPartial(index.reader, 0) !== undefined;
    if (!settings.sync.onSearch && !isFirst && walked) {
      return { list: walked, staleNotes: running?.left ?? 0 };
    }
    if (running && (isFirst || running.left <= FEW_NOTES)) {
      await waitFor(running.done, { signal, maxMs: MAX_WAIT_MS });
    }
    // What was changed since it began is not in it, but it tells that it is not done.
    if (running) return { list: walked ?? (await walk()), staleNotes: running.left };
    const list = await walk();
    const plan = makePlan(list.notes, known.read());
    const { changed, gone, stale } = plan;
    const count = changed.length + gone.length;
    if (count === 0 && !isFirst) return { list, staleNotes: 0 };
    // Another search may have begun a round during the walk.
    const round =
      running ?? start(list, { isFresh: false, signal: closing.signal, count: stale, plan });
    if (isFirst || count <= FEW_NOTES) await waitFor(round.done, { signal, maxMs: MAX_WAIT_MS });
    if (running) return { list, staleNotes: round.left };
    // What was written last may have been taken back.
    const isWritten = problem === undefined;
    return { list, staleNotes: isWritten ? 0 : makePlan(list.notes, known.read()).stale };
  }

  async function waitFor(work: Promise<void>, { signal, maxMs }: Wait): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      const end = clock.after(maxMs, finish);
      signal.addEventListener("abort", stop, { once: true });
      function finish() {
        end();
        signal.removeEventListener("abort", stop);
        resolve();
      }
      work.then(finish, finish);
    });
  }

  return {
    refresh,
    async look() {
      const list = await walk();
      assertWhole();
      return tell(list, running?.left ?? makePlan(list.notes, known.read()).stale);
    },
    async index(request) {
      while (running) await running.done.catch(() => undefined);
      const list = await walk();
      await start(list, { ...request, count: list.notes.length }).done;
      await embeddings?.finish(request.signal);
      assertWhole();
    },
    turn,
    async close() {
      takeBack?.();
      watch?.close();
      closing.abort();
      await running?.done.catch(() => undefined);
      await embeddings?.close();
    },
  };
}

function toList(sentence: string | undefined): readonly string[] {
  return sentence === undefined ? [] : [sentence];
}
