// Stores requests: in the store, so that other processes see and answer them, or in memory without a
// store. A row is replaced only over the revision that was read.

import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  type CommandQuestion,
  isToolError,
  type KvEntry,
  type Store,
  type StoreOperation,
} from "../../../core/index.js";
import { readField } from "../../../lib/read-field.js";

const SPACE = "approvals.requests";
/** An index of the pending requests, so that finding them does not slow down with old ones. */
const PENDING_SPACE = "approvals.pending";
/** How long a request can be looked up after it has expired. */
const KEPT_MS = 24 * 60 * 60_000;
/** More than anybody could answer. */
const MAX_PENDING = 1_000;
const NOT_STORED = "[not stored]";
/** As `showCommand` writes it. */
const VARIABLE = /^(Environment: [^=]*)=.*$/;
const STATES = ["pending", "answered", "expired", "withdrawn", "used"] as const;

export type RequestState = (typeof STATES)[number];

export interface RecordedAnswer {
  readonly decision: ApprovalDecision;
  readonly reason?: string;
  /** Who said it, in words. */
  readonly by: string;
  readonly atMs: number;
}

export interface RequestRow {
  readonly question: CommandQuestion;
  /** Of everything that the answer holds for. */
  readonly binding: string;
  /** The process that waits for the answer. */
  readonly owner: string;
  readonly state: RequestState;
  readonly answer?: RecordedAnswer;
}

export interface FoundRow {
  readonly row: RequestRow;
  readonly revision: number;
}

export interface RequestRows {
  get(id: string): Promise<FoundRow | undefined>;
  /** At most two of those whose id begins so, in whatever state. */
  find(prefix: string): Promise<readonly FoundRow[]>;
  /** Those that wait. */
  pending(): Promise<readonly FoundRow[]>;
  /** Whether it was written: false when the row is not of this revision any more; 0 for a new one. */
  put(row: RequestRow, revision: number): Promise<boolean>;
}

/** On the disk before it is reported. */
export function createStoredRows(store: Store): RequestRows {
  const get = async (id: string) => toFound(await store.kv.get({ space: SPACE, key: id }));
  return {
    get,
    async find(prefix) {
      const { entries } = await store.kv.list({ space: SPACE, prefix, limit: 2 });
      return entries.flatMap((entry) => toFound(entry) ?? []);
    },
    async pending() {
      const { entries } = await store.kv.list({ space: PENDING_SPACE, limit: MAX_PENDING });
      const rows = await Promise.all(entries.map(({ key }) => get(key)));
      return rows.flatMap((row) => (row?.row.state === "pending" ? [row] : []));
    },
    async put(row, revision) {
      const { id: key, createdAtMs, expiresAtMs } = row.question;
      const ttlMs = Math.max(1, expiresAtMs - createdAtMs);
      const write: StoreOperation = {
        kind: "kv.put",
        space: SPACE,
        key,
        value: { ...row, question: withoutValues(row.question) },
        ttlMs: ttlMs + KEPT_MS,
        expectRevision: revision,
      };
      const mark: StoreOperation =
        row.state === "pending"
          ? { kind: "kv.put", space: PENDING_SPACE, key, value: true, ttlMs }
          : { kind: "kv.delete", space: PENDING_SPACE, key };
      try {
        await store.transact([write, mark], { durability: "disk" });
        return true;
      } catch (error) {
        if (isToolError(error) && error.reason === "revision_mismatch") return false;
        throw error;
      }
    },
  };
}

/** Variables may hold keys: other processes see their names; the answer holds for their values too. */
function withoutValues(question: CommandQuestion): CommandQuestion {
  const names = Object.keys(question.env).map((name) => [name, NOT_STORED]);
  const shown = question.shown.map((line) => line.replace(VARIABLE, `$1="${NOT_STORED}"`));
  return { ...question, env: Object.fromEntries(names), shown };
}

export function createMemoryRows(): RequestRows {
  const rows = new Map<string, FoundRow>();
  return {
    get: async (id) => rows.get(id),
    async find(prefix) {
      const ids = [...rows.keys()].filter((id) => id.startsWith(prefix));
      return ids.slice(0, 2).flatMap((id) => rows.get(id) ?? []);
    },
    pending: async () => [...rows.values()].filter(({ row }) => row.state === "pending"),
    async put(row, revision) {
      const { id } = row.question;
      if ((rows.get(id)?.revision ?? 0) !== revision) return false;
      if (row.state === "pending" || row.state === "answered") {
        rows.set(id, { row, revision: revision + 1 });
      } else {
        // No one looks it up any more; anyone who comes late finds nothing to answer.
        rows.delete(id);
      }
      return true;
    },
  };
}

function toFound(entry: KvEntry | undefined): FoundRow | undefined {
  const row = entry && parseRow(entry.value);
  return entry && row && { row, revision: entry.revision };
}

/** Rows are written by this driver alone; one of another version is as good as none. */
function parseRow(value: unknown): RequestRow | undefined {
  const question = readField(value, "question");
  const isWhole =
    typeof readField(question, "id") === "string" &&
    typeof readField(question, "expiresAtMs") === "number" &&
    Array.isArray(readField(question, "shown")) &&
    Array.isArray(readField(question, "grants")) &&
    STATES.some((state) => state === readField(value, "state")) &&
    isAnswer(readField(value, "answer"));
  // Looked at just now; the rest was written by `put`.
  return isWhole ? (value as RequestRow) : undefined;
}

function isAnswer(value: unknown): boolean {
  if (value === undefined) return true;
  return APPROVAL_DECISIONS.some((decision) => decision === readField(value, "decision"));
}
