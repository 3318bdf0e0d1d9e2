// Approval requests: opened by a command, answered once, used once.
import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  type Clock,
  type CommandQuestion,
  isToolError,
  type KvEntry,
  type Store,
  type StoreOperation,
} from "../../../core/index.js";
import { readField } from "../../../lib/read-field.js";
import type { ProcessOwners } from "../../../lib/system/rename-lock.js";
import { abandoned, alreadyResolved, requestUnknown } from "../errors.js";

const MIN_NAME_CHARS = 4;
const RELEASED = "";

interface AnswerRequest {
  readonly name: string;
  readonly decision: ApprovalDecision;
  readonly reason?: string | undefined;
  readonly by: string;
}

export interface ListedRequest {
  readonly question: CommandQuestion;
  /** The process that asked has ended; asking the same again continues the request. */
  readonly isAbandoned: boolean;
}

export type RequestTable = ReturnType<typeof createRequestTable>;

interface RequestTableDeps {
  readonly rows: RequestRows;
  readonly clock: Clock;
  readonly owners: ProcessOwners;
}

export function createRequestTable({ rows, clock, owners }: RequestTableDeps) {
  const isOpen = ({ row }: FoundRow) =>
    row.state === "pending" && row.question.expiresAtMs > clock.now();
  const isAbandoned = ({ row }: FoundRow) =>
    row.owner === RELEASED ||
    (row.owner !== owners.own && owners.isDead(row.owner, clock.now() - row.question.createdAtMs));

  async function find(name: string): Promise<FoundRow> {
    const exact = await rows.get(name);
    if (exact) return exact;
    const near = name.length < MIN_NAME_CHARS ? [] : await rows.find(name);
    const [only] = near;
    if (only === undefined || near.length > 1) throw requestUnknown(name, near.length);
    return only;
  }

  /** False when the row is not in state `from`. */
  async function move(
    id: string,
    { from, to }: { readonly from: RequestState; readonly to: Partial<RequestRow> },
  ): Promise<boolean> {
    for (;;) {
      const found = await rows.get(id);
      if (found?.row.state !== from) return false;
      if (await rows.put({ ...found.row, ...to }, found.revision)) return true;
    }
  }

  /** Everything stays as shown, except for the call that waits now. */
  async function adopt(
    { toolCallId, env, shown }: CommandQuestion,
    binding: string,
  ): Promise<CommandQuestion | undefined> {
    for (const found of await rows.pending()) {
      const isSame = found.row.binding === binding && isOpen(found) && isAbandoned(found);
      const question = { ...found.row.question, toolCallId, env, shown };
      const own = { ...found.row, question, owner: owners.own };
      if (isSame && (await rows.put(own, found.revision))) return question;
    }
    return undefined;
  }

  return {
    /** A new request, or the same one that an ended process left open. */
    async open(question: CommandQuestion, binding: string): Promise<CommandQuestion> {
      const adopted = await adopt(question, binding);
      if (adopted) return adopted;
      const row = { question, binding, owner: owners.own, state: "pending" } as const;
      await rows.put(row, 0);
      return question;
    },
    /** Oldest first. */
    async list(): Promise<readonly ListedRequest[]> {
      return (await rows.pending())
        .filter(isOpen)
        .map((found) => ({ question: found.row.question, isAbandoned: isAbandoned(found) }))
        .sort((one, other) => one.question.createdAtMs - other.question.createdAtMs);
    },
    read: async (id: string) => (await rows.get(id))?.row,
    /** The first answer counts. Throws `approval_unknown`, `already_resolved`, `approval_abandoned`. */
    async answer({ name, decision, reason, by }: AnswerRequest): Promise<RequestRow> {
      const { row, revision } = await find(name);
      const found = { row, revision };
      if (!isOpen(found)) throw alreadyResolved(row);
      if (isAbandoned(found)) throw abandoned(row.question);
      const answer: RecordedAnswer = {
        decision,
        ...(reason === undefined ? {} : { reason }),
        by,
        atMs: clock.now(),
      };
      const answered: RequestRow = { ...row, state: "answered", answer };
      if (await rows.put(answered, revision)) return answered;
      throw alreadyResolved((await rows.get(row.question.id))?.row ?? row);
    },
    /** Returns the row as it is then; it may have been answered meanwhile. */
    async end(id: string, state: "expired" | "withdrawn") {
      await move(id, { from: "pending", to: { state } });
      return (await rows.get(id))?.row;
    },
    /** Leaves it open for the same question from another process. */
    async release(id: string) {
      await move(id, { from: "pending", to: { owner: RELEASED } });
    },
    /** True for the first use of the answer. */
    use: (id: string) => move(id, { from: "answered", to: { state: "used" } }),
  };
}

const SPACE = "approvals.requests";
/** An index, so that old requests do not slow it down. */
const PENDING_SPACE = "approvals.pending";
/** After it has expired. */
const KEPT_MS = 24 * 60 * 60_000;
const MAX_PENDING = 1_000;
const NOT_STORED = "[not stored]";
const VARIABLE = /^(Environment: [^=]*)=.*$/;
const STATES = ["pending", "answered", "expired", "withdrawn", "used"] as const;

type RequestState = (typeof STATES)[number];

interface RecordedAnswer {
  readonly decision: ApprovalDecision;
  readonly reason?: string;
  readonly by: string;
  readonly atMs: number;
}

export interface RequestRow {
  readonly question: CommandQuestion;
  /** The hash of everything that the answer covers. */
  readonly binding: string;
  readonly owner: string;
  readonly state: RequestState;
  readonly answer?: RecordedAnswer;
}

interface FoundRow {
  readonly row: RequestRow;
  readonly revision: number;
}

interface RequestRows {
  get(id: string): Promise<FoundRow | undefined>;
  /** At most two whose id begins so, in any state. */
  find(prefix: string): Promise<readonly FoundRow[]>;
  pending(): Promise<readonly FoundRow[]>;
  /** False when the row has another revision; 0 for a new one. */
  put(row: RequestRow, revision: number): Promise<boolean>;
}

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

/** Variables may hold keys, so only their names are stored. */
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
        // No one looks it up any more.
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

/** Only this driver writes rows; those of another version are ignored. */
function parseRow(value: unknown): RequestRow | undefined {
  const question = readField(value, "question");
  const isWhole =
    typeof readField(question, "id") === "string" &&
    typeof readField(question, "expiresAtMs") === "number" &&
    Array.isArray(readField(question, "shown")) &&
    Array.isArray(readField(question, "grants")) &&
    STATES.some((state) => state === readField(value, "state")) &&
    isAnswer(readField(value, "answer"));
  // Checked just now; the rest was written by `put`.
  return isWhole ? (value as RequestRow) : undefined;
}

function isAnswer(value: unknown): boolean {
  if (value === undefined) return true;
  return APPROVAL_DECISIONS.some((decision) => decision === readField(value, "decision"));
}
