// The transcript of one session: appended with compare-and-swap, which keeps two runners of one session
// apart, and opened from its newest compaction.

import type { LogRecord, Store, StoreOperation } from "../core/index.js";
import { createFold, type Fold } from "./fold.js";
import type { StoredRecord, TranscriptRecord } from "./records.js";

const PAGE = 1_000;

export type Transcript = Awaited<ReturnType<typeof openTranscript>>;

export interface AppendOptions {
  /** Written with the records or not at all. */
  readonly also?: readonly StoreOperation[] | undefined;
  /** Default `process`. */
  readonly durability?: "process" | "disk" | undefined;
}

interface TranscriptSource {
  readonly store: Store;
  readonly sessionId: string;
  /** Where the inbox was when the session was made. */
  readonly inboxFrom: number;
  readonly now: () => number;
}

export function transcriptStream(sessionId: string): string {
  return `transcript:${sessionId}`;
}

export async function openTranscript(source: TranscriptSource) {
  const { store, sessionId, now } = source;
  let fold = await readFold(source);
  let line: Promise<unknown> = Promise.resolve();

  async function write(records: readonly TranscriptRecord[], options: AppendOptions) {
    const { also = [], durability } = options;
    const append = { stream: transcriptStream(sessionId), records, expectLast: fold.last };
    if (also.length === 0) await store.log.append({ ...append, durability });
    else await store.transact([{ kind: "log.append", ...append }, ...also], { durability });
    if (records.some(({ type }) => type === "compaction")) {
      fold = await readFold(source);
      return;
    }
    const atMs = now();
    for (const record of records) fold.apply({ sequence: fold.last + 1, atMs, record });
  }

  return {
    sessionId,
    /** Another one after a compaction. */
    get fold(): Fold {
      return fold;
    },
    /**
     * In the order of the calls. Throws `conflict` / `sequence_mismatch` when another process has
     * appended; this transcript is then stale for good.
     */
    append(records: readonly TranscriptRecord[], options: AppendOptions = {}): Promise<void> {
      const written = line.then(() => write(records, options));
      line = written.catch(() => undefined);
      return written;
    },
  };
}

async function readFold(source: TranscriptSource): Promise<Fold> {
  const fold = createFold({ through: source.inboxFrom });
  for (const stored of await readTail(source)) fold.apply(stored);
  return fold;
}

/** From `keep` of the newest compaction, or from the first record. Oldest first. */
async function readTail({ store, sessionId }: TranscriptSource): Promise<StoredRecord[]> {
  const newestFirst: StoredRecord[] = [];
  let keep = 0;
  let before: number | undefined;
  do {
    const page = await store.log.readLast({
      stream: transcriptStream(sessionId),
      before,
      limit: PAGE,
    });
    for (const stored of page.records.map(toStored)) {
      const { sequence, record } = stored;
      if (sequence < keep) return newestFirst.reverse();
      // A compaction inside what a newer one keeps says nothing any more.
      if (record.type === "compaction" && keep > 0) continue;
      if (record.type === "compaction") keep = record.keep;
      newestFirst.push(stored);
    }
    before = page.next;
  } while (before !== undefined);
  return newestFirst.reverse();
}

/** All records after `after`, oldest first. */
export async function readTranscript(
  { store, sessionId }: Pick<TranscriptSource, "store" | "sessionId">,
  { after = 0, limit = Number.POSITIVE_INFINITY } = {},
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  let from: number | undefined = after;
  while (from !== undefined && found.length < limit) {
    const page = await store.log.read({
      ...{ stream: transcriptStream(sessionId), after: from },
      limit: Math.min(PAGE, limit - found.length),
    });
    found.push(...page.records.map(toStored));
    from = page.next;
  }
  return found;
}

/** Newest first, one page. */
export async function readNewest(
  { store, sessionId }: Pick<TranscriptSource, "store" | "sessionId">,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<{ readonly records: readonly StoredRecord[]; readonly next: number | undefined }> {
  const stream = transcriptStream(sessionId);
  const page = await store.log.readLast({ stream, before, limit: Math.min(PAGE, limit) });
  return { records: page.records.map(toStored), next: page.next };
}

/** Only this room writes these streams. */
function toStored({ sequence, atMs, value }: LogRecord): StoredRecord {
  return { sequence, atMs, record: value as TranscriptRecord };
}
