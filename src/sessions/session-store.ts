// Sessions as a whole: rows for lists, reset, delete, export and retention. Who may see them is decided
// by `visibility.ts`, what runs in them by the agent.

import type { Clock, RandomSource, Store } from "../core/index.js";
import type { SessionListRequest, SessionRow } from "../core/server.js";
import { toUuid } from "../lib/uuid.js";
import { createEntries, type FoundEntry } from "./entry.js";
import { exportLines, type HistoryRequest, readHistory } from "./history.js";
import { emptyInbox, lastOfInbox } from "./inbox.js";
import { channelOfSession, isHiddenKey, kindOfSession } from "./key.js";
import { openTranscript, readNewest, type Transcript, transcriptStream } from "./transcript.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface SessionStoreSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore({ store, clock, random }: SessionStoreSource) {
  const now = () => clock.now();
  const newId = () => toUuid(random.hex(16));
  const entries = createEntries({ store, now, newId });

  /** Whether there was one. */
  async function remove(key: string): Promise<boolean> {
    const found = await entries.get(key);
    if (found === undefined) return false;
    await entries.delete(key);
    await dropRest(found);
    return true;
  }

  /** What a deleted session leaves. `through`: what waits behind this record of the inbox stays. */
  async function dropRest({ key, entry }: FoundEntry, through?: number): Promise<void> {
    await store.log.trim({ stream: transcriptStream(entry.sessionId), keepLast: 0 });
    await emptyInbox(store, key, through);
  }

  return {
    entries,
    openTranscript: ({ entry: { sessionId, inboxFrom } }: FoundEntry) =>
      openTranscript({ store, now, sessionId, inboxFrom }),
    /** Whether no one else has appended, and the session was not reset. */
    async isCurrent({ sessionId, fold }: Transcript, { entry }: FoundEntry): Promise<boolean> {
      if (sessionId !== entry.sessionId) return false;
      const { records } = await readNewest({ store, sessionId }, { limit: 1 });
      return (records[0]?.sequence ?? 0) === fold.last;
    },
    history: ({ entry }: FoundEntry, request: HistoryRequest) =>
      readHistory({ store, sessionId: entry.sessionId }, request),
    export: ({ entry }: FoundEntry) => exportLines({ store, sessionId: entry.sessionId }),
    /** A new, empty transcript under the same key; settings stay, counters start again. */
    async reset(key: string): Promise<FoundEntry> {
      const inboxFrom = await lastOfInbox(store, key);
      return entries.change(key, (entry) => ({
        ...{ ...entry, sessionId: newId(), inboxFrom, updatedAtMs: now(), compactions: 0 },
        ...{ inputTokens: 0, outputTokens: 0, usd: 0, contextTokens: 0, abortedLastRun: false },
      }));
    },
    delete: remove,
    dropRest,
    /** Deletes sessions that were not used for this many days, except main and busy ones; their keys. */
    async purge(retentionDays: number, isBusy: (key: string) => boolean = () => false) {
      const before = now() - retentionDays * DAY_MS;
      const old = [...(await entries.all()).values()].filter(
        ({ key, parsed, entry }) =>
          entry.updatedAtMs < before && kindOfSession(parsed) !== "main" && !isBusy(key),
      );
      for (const { key } of old) await remove(key);
      return old.map(({ key }) => key);
    },
  };
}

/** Those that match, newest first; hidden placeholders are left out. */
export function matchSessions(
  found: Iterable<FoundEntry>,
  { request, nowMs }: { readonly request: SessionListRequest; readonly nowMs: number },
): FoundEntry[] {
  const { kinds, activeMinutes, label, agentId, spawnedBy } = request;
  const search = request.search?.toLowerCase();
  const matching = [...found].filter(({ key, parsed, entry }) => {
    if (isHiddenKey(parsed)) return false;
    if (kinds?.length && !kinds.includes(kindOfSession(parsed))) return false;
    if (agentId !== undefined && parsed.agentId !== agentId) return false;
    if (label !== undefined && entry.label !== label) return false;
    if (spawnedBy !== undefined && entry.spawnedBy !== spawnedBy) return false;
    if (activeMinutes !== undefined && entry.updatedAtMs < nowMs - activeMinutes * MINUTE_MS) {
      return false;
    }
    if (search === undefined) return true;
    return [key, entry.label, entry.displayName].some((text) =>
      text?.toLowerCase().includes(search),
    );
  });
  return matching.sort((left, right) => right.entry.updatedAtMs - left.entry.updatedAtMs);
}

export function toSessionRow(
  { key, parsed, entry }: FoundEntry,
  live: { readonly running: boolean },
): SessionRow {
  const {
    inboxFrom: _from,
    createdAtMs: _created,
    depth: _depth,
    route,
    instructions: _text,
    isTemporary: _temporary,
    ...shown
  } = entry;
  return {
    ...{ ...shown, ...live, key, agentId: parsed.agentId, kind: kindOfSession(parsed) },
    channel: route?.channel ?? channelOfSession(parsed),
  };
}
