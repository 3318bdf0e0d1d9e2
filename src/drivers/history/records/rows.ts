// Rows of the history as they lie in the store; what cannot be read as one is not a row.
import { readAccess } from "../../../core/files/index.js";
import type { Clock, RecordedCall, Store, StoreOperation } from "../../../core/index.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import { type FileState, hashOf } from "../file-state.js";

/** What a call did at one path. */
export interface FileChange {
  /** Relative to the root where it is inside. */
  readonly path: string;
  /**
   * Where it really lay, all links followed, written as `path` is. Without it that is not known: a
   * bridge does not tell, or the record is an older one.
   */
  readonly place?: string | undefined;
  /** Before the first change by the call. */
  readonly before: FileState;
  /** What the call made of it, or was about to make when its process died. */
  readonly after: FileState;
  /** What it made of it one change before, for a call that died between the two. */
  readonly earlier?: FileState | undefined;
  /** The path whose file came here by a move, and which was changed by nothing else. */
  readonly movedFrom?: string | undefined;
}

/** A change with its place in the order in which the call touched its paths. */
export interface NumberedChange {
  readonly index: number;
  readonly change: FileChange;
}

/** Where the record of an id is, and until when. */
interface CallPointer {
  readonly callKey: string;
  readonly expiresAtMs: number;
}

export function parseCall(value: unknown): RecordedCall | undefined {
  const toolCallId = readText(value, "toolCallId");
  const toolName = readText(value, "toolName");
  const atMs = readNumber(value, "atMs");
  if (toolCallId === undefined || toolName === undefined || atMs === undefined) return undefined;
  const sessionKey = readText(value, "sessionKey");
  const agentId = readText(value, "agentId");
  const undoes = readText(value, "undoes");
  const undoneBy = readText(value, "undoneBy");
  return {
    toolCallId,
    toolName,
    atMs,
    ...(sessionKey !== undefined && { sessionKey }),
    ...(agentId !== undefined && { agentId }),
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
  };
}

export function parseChange(value: unknown): FileChange | undefined {
  const path = readText(value, "path");
  const before = parseState(readField(value, "before"));
  const after = parseState(readField(value, "after"));
  if (path === undefined || before === undefined || after === undefined) return undefined;
  const earlier = parseState(readField(value, "earlier"));
  const [place, movedFrom] = [readText(value, "place"), readText(value, "movedFrom")];
  return { path, ...(place !== undefined && { place }), before, after, earlier, movedFrom };
}

/** Of the value of a call: the change that was written with it. */
export function parseFirst(value: unknown): NumberedChange | undefined {
  const first = readField(value, "first");
  const index = readNumber(first, "index");
  const change = parseChange(readField(first, "change"));
  return index === undefined || change === undefined ? undefined : { index, change };
}

function parsePointer(value: unknown): CallPointer | undefined {
  const callKey = readText(value, "callKey");
  const expiresAtMs = readNumber(value, "expiresAtMs");
  return callKey === undefined || expiresAtMs === undefined ? undefined : { callKey, expiresAtMs };
}

function parseState(value: unknown): FileState | undefined {
  const kind = readText(value, "kind");
  if (kind === "absent") return { kind };
  const hash = readText(value, "hash");
  const bytes = readNumber(value, "bytes");
  if (kind === "file" && hash !== undefined && bytes !== undefined) {
    return { kind, hash, bytes, ...readAccess(value) };
  }
  const reason = readText(value, "reason");
  return kind === "unkept" && reason !== undefined ? { kind, reason } : undefined;
}

const IDS_SPACE = "undo.ids";
const REMEMBER_ID_MS = 30 * 24 * 60 * 60_000;
/** A pointer waits that long for others. */
const WRITE_WITHIN_MS = 100;
const IDS_PER_WRITE = 200;
/** While none can be written; of more the oldest are left to who looks at the calls. */
const MAX_WAITING = 10_000;

interface CallId {
  readonly toolCallId: string;
  readonly callKey: string;
}

interface CallIds {
  /** The call has been recorded. */
  add(id: CallId): void;
  /** What takes it back, for the transaction in which the call goes. */
  forget(id: CallId): StoreOperation[];
  /** Where the call of this id is, or lay; undefined when no pointer says it. */
  find(toolCallId: string, scope: string): Promise<string | undefined>;
  /** Writes what waits. Never throws. The store stays open. */
  close(): Promise<void>;
}

interface CallIdsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** As it is in keys. */
  readonly scope: string;
  readonly maxAgeMs: number;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createCallIds(deps: CallIdsDeps): CallIds {
  const { store, clock, maxAgeMs } = deps;
  const waiting = new Map<string, CallPointer>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const placeOf = (toolCallId: string, scope = deps.scope) => ({
    space: IDS_SPACE,
    key: `${scope}/${hashOf(toolCallId)}`,
  });

  function writeSoon(): void {
    cancel ??= clock.after(WRITE_WITHIN_MS, () => {
      cancel = undefined;
      void writeWaiting();
    });
  }

  function writeWaiting(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  /** What cannot be written waits for the next one. */
  async function writeAll(): Promise<void> {
    try {
      while (waiting.size > 0) await writePart([...waiting].slice(0, IDS_PER_WRITE));
    } catch (cause) {
      deps.report({ message: "Ids of calls could not be written for undo yet.", cause });
    }
  }

  async function writePart(part: readonly [string, CallPointer][]): Promise<void> {
    await store.transact(
      part.map(([toolCallId, value]) => ({
        ...{ kind: "kv.put" as const, value, ...placeOf(toolCallId) },
        ttlMs: Math.max(1, value.expiresAtMs + REMEMBER_ID_MS - clock.now()),
      })),
    );
    for (const [toolCallId, pointer] of part) {
      if (waiting.get(toolCallId) === pointer) waiting.delete(toolCallId);
    }
  }

  return {
    add({ toolCallId, callKey }) {
      waiting.delete(toolCallId);
      waiting.set(toolCallId, { callKey, expiresAtMs: clock.now() + maxAgeMs });
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
      writeSoon();
    },
    forget({ toolCallId, callKey }) {
      if (waiting.get(toolCallId)?.callKey === callKey) waiting.delete(toolCallId);
      return [{ kind: "kv.delete", ...placeOf(toolCallId) }];
    },
    async find(toolCallId, scope) {
      const own = scope === deps.scope ? waiting.get(toolCallId) : undefined;
      if (own) return own.callKey;
      const entry = await store.kv.get(placeOf(toolCallId, scope));
      return entry && parsePointer(entry.value)?.callKey;
    },
    async close() {
      cancel?.();
      cancel = undefined;
      await writeWaiting();
    },
  };
}
