// The journal in the store: a call that has begun is a keyed value, one that has ended a record of a
// log, and it passes from the one to the other in a single write. What is left of a process that
// died is ended by the next one, as interrupted.

import {
  type Clock,
  isToolError,
  type Journal,
  type JournalEnd,
  type JournalIntent,
  type RandomSource,
  type Store,
} from "../../core/index.js";
import { type JournalRow, parseEndedRow, parseOpenRow, type StoredIntent } from "./journal-row.js";

export const MAX_JOURNAL_ROWS = 10_000;
export const MAX_JOURNAL_AGE_MS = 30 * 24 * 60 * 60_000;
/** An end is on the disk after so long, and whatever else was written with it. */
export const SYNC_WITHIN_MS = 50;
export const ENDS_PER_TRIM = 200;

const OPEN_SPACE = "journal.open";
const ENDED_STREAM = "journal.ended";
const KEY_BYTES = 12;
const MAX_UNSAVED_ENDS = 1_000;
const DEFAULT_RECENT_ROWS = 50;

export interface JournalOwner {
  /** The mark of this process. */
  readonly own: string;
  /** Whether the process with this mark is gone. */
  isDead(mark: string, ageMs: number): boolean;
}

export interface StoreJournalDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owner: JournalOwner;
  /** Told when the end of a call could not be written; it is tried again with the next one. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface StoreJournal extends Journal {
  /**
   * Ends every call of a process that is gone as interrupted, its outcome unknown, and gives these
   * calls; each is given to one process only, also when several start at once.
   */
  recoverInterrupted(): Promise<readonly JournalRow[]>;
  /** Calls that have ended, newest first. */
  recent(limit?: number): Promise<readonly JournalRow[]>;
  /** Writes what is left to write. The store stays open. */
  close(): Promise<void>;
}

interface Ended {
  readonly key: string;
  readonly revision: number;
  readonly row: StoredIntent & { readonly end: JournalEnd };
}

export function createStoreJournal(deps: StoreJournalDeps): StoreJournal {
  const { store, clock, random, owner } = deps;
  const unsaved: Ended[] = [];
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
    try {
      await moveToEnded(store, ended);
      endsUntilTrim--;
    } catch (error) {
      unsaved.push(ended);
      if (unsaved.length > MAX_UNSAVED_ENDS) unsaved.shift();
      report(`The end of call "${ended.row.toolCallId}" could not be written yet.`, error);
    }
  }

  async function trim(): Promise<void> {
    endsUntilTrim = ENDS_PER_TRIM;
    try {
      await store.log.trim({
        stream: ENDED_STREAM,
        keepLast: MAX_JOURNAL_ROWS,
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
    const key = random.hex(KEY_BYTES);
    const row: StoredIntent = { ...intent, owner: owner.own };
    const { revision } = await store.kv.put({ space: OPEN_SPACE, key, value: row });
    let hasEnded = false;
    return async (end) => {
      if (hasEnded) return;
      hasEnded = true;
      unsaved.push({ key, revision, row: { ...row, end } });
      await save();
    };
  }

  return {
    intend,
    async recoverInterrupted() {
      const end = { outcome: "interrupted", atMs: clock.now() } as const;
      const recovered: JournalRow[] = [];
      for await (const { key, revision, row } of listOpen(store)) {
        if (!owner.isDead(row.owner, clock.now() - row.atMs)) continue;
        const ended = { key, revision, row: { ...row, end } };
        if (await takeOver(store, ended)) recovered.push(ended.row);
      }
      if (recovered.length > 0) await sync();
      return recovered;
    },
    async recent(limit = DEFAULT_RECENT_ROWS) {
      const { records } = await store.log.readLast({ stream: ENDED_STREAM, limit });
      return records.flatMap(({ value }) => parseEndedRow(value) ?? []);
    },
    async close() {
      await save();
      if (cancelSync === undefined) return;
      cancelSync();
      cancelSync = undefined;
      await sync();
    },
  };
}

/** Another process may have ended it as interrupted; then the true end is written behind that. */
async function moveToEnded(store: Store, ended: Ended): Promise<void> {
  if (await takeOver(store, ended)) return;
  await store.log.append({ stream: ENDED_STREAM, records: [ended.row] });
}

/** Whether it was still open. */
async function takeOver(store: Store, { key, revision, row }: Ended): Promise<boolean> {
  try {
    await store.transact([
      { kind: "kv.delete", space: OPEN_SPACE, key, expectRevision: revision },
      { kind: "log.append", stream: ENDED_STREAM, records: [row] },
    ]);
    return true;
  } catch (error) {
    if (isToolError(error) && error.reason === "revision_mismatch") return false;
    throw error;
  }
}

async function* listOpen(store: Store) {
  let after: string | undefined;
  do {
    const page = await store.kv.list({ space: OPEN_SPACE, after });
    for (const { key, revision, value } of page.entries) {
      const row = parseOpenRow(value);
      if (row) yield { key, revision, row };
    }
    after = page.next;
  } while (after !== undefined);
}
