// One row per session: which transcript is current, and what lists and status show. Found by key, id
// or label.

import {
  type KvEntry,
  type Store,
  type StoreOperation,
  ToolError,
  ToolInputError,
} from "../core/index.js";
import { parseSessionKey, type SessionKey } from "./key.js";
import { retryRace } from "./races.js";

const SPACE = "sessions";
const PAGE = 1_000;
const MAX_LABEL_CHARS = 64;

/** Where replies go that no one waits for. */
export interface DeliveryRoute {
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
}

export interface SessionEntry {
  readonly sessionId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Inbox records up to here belong to an earlier transcript. */
  readonly inboxFrom: number;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly spawnedBy?: string | undefined;
  /** 0 for a session that no agent started. */
  readonly depth: number;
  readonly route?: DeliveryRoute | undefined;
  readonly modelOverride?: string | undefined;
  readonly thinking?: string | undefined;
  /** Added to the system prompt. */
  readonly instructions?: string | undefined;
  /** `provider/model` that answered last. */
  readonly model?: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  readonly contextTokens: number;
  readonly contextWindow?: number | undefined;
  readonly compactions: number;
  readonly abortedLastRun: boolean;
  /** Goes when no run is open and nothing waits. */
  readonly isTemporary?: boolean | undefined;
}

export interface FoundEntry {
  readonly key: string;
  readonly parsed: SessionKey;
  readonly entry: SessionEntry;
  readonly revision: number;
}

export interface EntryReference {
  readonly id?: string;
  readonly label?: string;
  readonly agentId?: string;
  /** Others are found only when no session passes. */
  readonly prefer?: (found: FoundEntry) => boolean;
}

export function createEntries({
  store,
  now,
  newId,
}: {
  readonly store: Store;
  readonly now: () => number;
  readonly newId: () => string;
}) {
  const place = (key: string) => ({ space: SPACE, key });
  const get = async (key: string) => {
    const found = await store.kv.get(place(key));
    return found && toFound(found);
  };

  function toEntry(first: Partial<SessionEntry>): SessionEntry {
    const atMs = now();
    return {
      ...{ sessionId: newId(), createdAtMs: atMs, updatedAtMs: atMs, depth: 0, compactions: 0 },
      ...{ inputTokens: 0, outputTokens: 0, usd: 0, contextTokens: 0, abortedLastRun: false },
      inboxFrom: 0,
      ...first,
    };
  }

  /** Made when there is none. */
  async function open(key: string, first: Partial<SessionEntry> = {}): Promise<FoundEntry> {
    const known = await get(key);
    if (known) return known;
    const entry = toEntry(first);
    try {
      const { revision } = await store.kv.put({ ...place(key), value: entry, expectRevision: 0 });
      return toFound({ key, value: entry, revision });
    } catch (error) {
      // Another process made it first.
      const made = await get(key);
      if (made) return made;
      throw error;
    }
  }

  /** Reads, changes and writes again until no one else wrote in between. */
  function change(key: string, edit: (entry: SessionEntry) => SessionEntry): Promise<FoundEntry> {
    return retryRace(async () => {
      const found = await open(key);
      const value = edit(found.entry);
      const expectRevision = found.revision;
      const { revision } = await store.kv.put({ ...place(key), value, expectRevision });
      return toFound({ key, value, revision });
    });
  }

  async function readAll(): Promise<ReadonlyMap<string, FoundEntry>> {
    const found = new Map<string, FoundEntry>();
    let after: string | undefined;
    do {
      const page = await store.kv.list({ space: SPACE, after, limit: PAGE });
      for (const entry of page.entries) found.set(entry.key, toFound(entry));
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  let known: Promise<ReadonlyMap<string, FoundEntry>> | undefined;
  let isWatching = false;
  const forget = () => {
    known = undefined;
  };

  /**
   * Every session by key. A change by another process shows within about 100 ms. Kept until the store
   * reports a change: reading 10,000 rows again takes 35 ms.
   */
  function all(): Promise<ReadonlyMap<string, FoundEntry>> {
    if (!isWatching) store.watch({ kind: "kv", space: SPACE }, forget);
    isWatching = true;
    if (known !== undefined) return known;
    const reading = readAll();
    known = reading;
    reading.catch(() => {
      if (known === reading) forget();
    });
    return reading;
  }

  return {
    get,
    open,
    change,
    all,
    /** For `transact`: a session that does not exist yet. */
    createOperation: (key: string, first: Partial<SessionEntry>): StoreOperation => ({
      ...{ kind: "kv.put", ...place(key), value: toEntry(first), expectRevision: 0 },
    }),
    /** For `transact`: the entry as the caller knows it, replaced. */
    replaceOperation: ({ key, revision }: FoundEntry, entry: SessionEntry): StoreOperation => ({
      ...{ kind: "kv.put", ...place(key), value: entry, expectRevision: revision },
    }),
    /** For `transact`: a session that goes. */
    deleteOperation: (key: string): StoreOperation => ({ kind: "kv.delete", ...place(key) }),
    delete: (key: string) => store.kv.delete(place(key)),
    /** By id or label; throws `not_found`, or `invalid_input` for a label that several have. */
    async find({ id, label, agentId, prefer = () => true }: EntryReference): Promise<FoundEntry> {
      const all = [...(await readAll()).values()].filter(({ key, entry }) =>
        id !== undefined
          ? entry.sessionId === id
          : entry.label === label && (!agentId || key.startsWith(`agent:${agentId}:`)),
      );
      const preferred = all.filter(prefer);
      const named = preferred.length > 0 ? preferred : all.slice(0, 1);
      const [first, second] = named;
      if (first === undefined) {
        throw new ToolError(
          "not_found",
          `No session has the ${id ? "id" : "label"} "${id ?? label}".`,
          { reason: "session_unknown" },
        );
      }
      if (second !== undefined) {
        const keys = named.slice(0, 5).map(({ key }) => key);
        throw new ToolInputError(
          `${named.length} sessions have the label "${label}": ${keys.join(", ")}. Use a session key.`,
          { reason: "label_ambiguous" },
        );
      }
      return first;
    },
  };
}

/** Throws a ToolInputError. */
export function checkLabel(label: string): string {
  const text = label.trim();
  if (text !== "" && text.length <= MAX_LABEL_CHARS) return text;
  throw new ToolInputError(
    `A label has 1 to ${MAX_LABEL_CHARS} characters; this one has ${text.length}.`,
    { reason: "label_invalid" },
  );
}

/** Only this file writes the space. */
function toFound({
  key,
  value,
  revision,
}: Pick<KvEntry, "key" | "value" | "revision">): FoundEntry {
  return { key, parsed: parseSessionKey(key), entry: value as SessionEntry, revision };
}
