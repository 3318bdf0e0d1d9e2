// The journal in the store: the beginning and the end of a call are a record each of one log, because
// an append is the cheapest write there is. A journal that may have calls without an end says so in
// a mark; the marks of dead processes are looked after in `interrupted-calls.ts`.
import type {
  Clock,
  Journal,
  JournalEnd,
  JournalIntent,
  RandomSource,
  Store,
} from "../../core/index.js";
import {
  type BeginRecord,
  type EndRecord,
  endInterrupted,
  JOURNAL_STREAM,
  type JournalOwner,
  type JournalRow,
  listRows,
  WRITERS_SPACE,
  type WriterMark,
} from "./interrupted-calls.js";

export const MAX_JOURNAL_ROWS = 10_000;
export const MAX_JOURNAL_AGE_MS = 30 * 24 * 60 * 60_000;
/** An end is on the disk after that long, and whatever else was written with it. */
export const SYNC_WITHIN_MS = 50;
export const ENDS_PER_TRIM = 200;
const RECORDS_PER_ROW = 2;
const KEY_BYTES = 12;
const MAX_UNSAVED_ENDS = 1_000;
const DEFAULT_RECENT_ROWS = 50;
/** Others that cannot ask whether this process lives go by the age of its mark. */
const RENEW_MARK_MS = 60 * 60_000;

export interface StoreJournalDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owner: JournalOwner;
  readonly root?: string | undefined;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface StoreJournal extends Journal {
  /** Ends calls of dead processes as interrupted; each is given to one process only. */
  recoverInterrupted(): Promise<readonly JournalRow[]>;
  recent(limit?: number): Promise<readonly JournalRow[]>;
  interrupted(limit?: number): Promise<readonly JournalRow[]>;
  close(): Promise<void>;
}

interface Ended extends EndRecord {
  readonly toolCallId: string;
}

export function createStoreJournal(deps: StoreJournalDeps): StoreJournal {
  const { store, clock, random, owner } = deps;
  const mark = createMark(deps);
  const unsaved: Ended[] = [];
  const open = new Set<string>();
  let cancelSync: (() => void) | undefined;
  let endsUntilTrim = 0;

  const report = (message: string, cause: unknown) => deps.report({ message, cause });

  /** Never throws: the call has ended, whether that can be written or not. */
  async function save(): Promise<void> {
    const ends = unsaved.splice(0);
    await Promise.all(ends.map(saveOne));
    if (ends.length > 0) syncSoon();
    if (endsUntilTrim <= 0) await trim();
  }

  async function saveOne(ended: Ended): Promise<void> {
    const { toolCallId, ...record } = ended;
    try {
      await store.log.append({ stream: JOURNAL_STREAM, records: [record] });
      open.delete(ended.ends);
      endsUntilTrim--;
    } catch (error) {
      unsaved.push(ended);
      if (unsaved.length > MAX_UNSAVED_ENDS) unsaved.shift();
      report(`The end of call "${toolCallId}" could not be written yet.`, error);
    }
  }

  /** What began more than this many records ago and has not ended yet is forgotten with the others. */
  async function trim(): Promise<void> {
    endsUntilTrim = ENDS_PER_TRIM;
    try {
      await store.log.trim({
        stream: JOURNAL_STREAM,
        keepLast: MAX_JOURNAL_ROWS * RECORDS_PER_ROW,
        maxAgeMs: MAX_JOURNAL_AGE_MS,
      });
    } catch (error) {
      report("Old calls could not be removed from the journal.", error);
    }
  }

  function syncSoon(): void {
    cancelSync ??= clock.after(SYNC_WITHIN_MS, () => {
      cancelSync = undefined;
      void sync();
    });
  }

  async function sync(): Promise<void> {
    try {
      await store.sync();
    } catch (error) {
      report("The journal could not be brought to the disk.", error);
    }
  }

  async function intend(intent: JournalIntent): Promise<(end: JournalEnd) => Promise<void>> {
    await mark.set();
    const key = random.hex(KEY_BYTES);
    const { root } = deps;
    const begin: BeginRecord = { key, writer: mark.writer, ...intent, owner: owner.own, root };
    await store.log.append({ stream: JOURNAL_STREAM, records: [begin] });
    open.add(key);
    let hasEnded = false;
    return async (end) => {
      if (hasEnded) return;
      hasEnded = true;
      unsaved.push({ ends: key, end, toolCallId: intent.toolCallId });
      await save();
    };
  }

  return {
    intend,
    async recoverInterrupted() {
      const rows = await endInterrupted({ store, clock, owner });
      if (rows.length > 0) await sync();
      return rows;
    },
    recent: (limit = DEFAULT_RECENT_ROWS) => takeRows(store, { limit, isWanted: () => true }),
    interrupted: (limit = DEFAULT_RECENT_ROWS) => {
      const isWanted = ({ end, root }: JournalRow) =>
        end.outcome === "interrupted" && root === deps.root;
      return takeRows(store, { limit, isWanted });
    },
    async close() {
      await save();
      if (open.size === 0) {
        await mark.clear().catch((error: unknown) => {
          report("The journal could not be closed; the next start looks after it.", error);
        });
      }
      if (cancelSync === undefined) return;
      cancelSync();
      cancelSync = undefined;
      await sync();
    },
  };
}

interface Mark {
  readonly writer: string;
  set(): Promise<void>;
  clear(): Promise<void>;
}

function createMark({ store, clock, random, owner }: StoreJournalDeps): Mark {
  const writer = random.hex(KEY_BYTES);
  let from: number | undefined;
  let setAtMs = Number.NEGATIVE_INFINITY;
  let setting: Promise<void> | undefined;

  async function write(): Promise<void> {
    const atMs = clock.now();
    from ??= await readLastSequence(store);
    const value: WriterMark = { owner: owner.own, from, atMs };
    await store.kv.put({ space: WRITERS_SPACE, key: writer, value });
    setAtMs = atMs;
  }

  return {
    writer,
    async set() {
      if (clock.now() - setAtMs < RENEW_MARK_MS) return;
      setting ??= write().finally(() => {
        setting = undefined;
      });
      await setting;
    },
    async clear() {
      if (from === undefined) return;
      setAtMs = Number.NEGATIVE_INFINITY;
      await store.kv.delete({ space: WRITERS_SPACE, key: writer });
    },
  };
}

async function readLastSequence(store: Store): Promise<number> {
  const { records } = await store.log.readLast({ stream: JOURNAL_STREAM, limit: 1 });
  return records[0]?.sequence ?? 0;
}

async function takeRows(
  store: Store,
  wish: { readonly limit: number; readonly isWanted: (row: JournalRow) => boolean },
): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  for await (const row of listRows(store)) {
    if (rows.length >= wish.limit) break;
    if (wish.isWanted(row)) rows.push(row);
  }
  return rows;
}
