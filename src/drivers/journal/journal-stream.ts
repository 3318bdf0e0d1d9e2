// Where the journal lies in the store, and its calls as they are read back.

import type { JournalEnd, Store } from "../../core/index.js";
import { type JournalRow, parseBegin, parseEnd, toRow } from "./journal-row.js";

export const JOURNAL_STREAM = "journal.calls";
export const WRITERS_SPACE = "journal.writers";

const PAGE_RECORDS = 1_000;

/** Calls that have ended; the one that began last comes first. */
export async function* listRows(store: Store): AsyncIterable<JournalRow> {
  const ends = new Map<string, JournalEnd>();
  let before: number | undefined;
  do {
    const request = { stream: JOURNAL_STREAM, before, limit: PAGE_RECORDS };
    const { records, next } = await store.log.readLast(request);
    for (const { value } of records) {
      const ended = parseEnd(value);
      // Of two ends the later is the true one: its call was given up too early.
      if (ended && !ends.has(ended.ends)) ends.set(ended.ends, ended.end);
      const begin = ended ? undefined : parseBegin(value);
      const end = begin && ends.get(begin.key);
      if (begin && end) yield toRow(begin, end);
    }
    before = next;
  } while (before !== undefined);
}

/** Every record behind a sequence number, oldest first. */
export async function* readFrom(store: Store, from: number): AsyncIterable<unknown> {
  let after: number | undefined = from;
  do {
    const request = { stream: JOURNAL_STREAM, after, limit: PAGE_RECORDS };
    const { records, next }: { records: readonly { value: unknown }[]; next: number | undefined } =
      await store.log.read(request);
    for (const { value } of records) yield value;
    after = next;
  } while (after !== undefined);
}
