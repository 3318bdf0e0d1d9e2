// Requests for an approval over time: opened by anyone who wants to run a command, answered once by
// anyone who comes first, used once.

import type { ApprovalDecision, Clock, CommandQuestion } from "../../../core/index.js";
import type { ProcessOwners } from "../../../lib/system/rename-lock.js";
import { abandoned, alreadyResolved, requestUnknown } from "../errors.js";
import type { FoundRow, RecordedAnswer, RequestRow, RequestRows, RequestState } from "./rows.js";

const MIN_NAME_CHARS = 4;
/** The owner of a released request. */
const RELEASED = "";

export interface AnswerRequest {
  /** The id, or its beginning. */
  readonly name: string;
  readonly decision: ApprovalDecision;
  readonly reason?: string | undefined;
  readonly by: string;
}

export interface ListedRequest {
  readonly question: CommandQuestion;
  /** Anyone who asked has ended; the same question asked again takes the request over. */
  readonly isAbandoned: boolean;
}

export interface RequestTable {
  /** The request to wait for: a new one, or the same one that an ended process left open. */
  open(question: CommandQuestion, binding: string): Promise<CommandQuestion>;
  /** Pending ones, oldest first. */
  list(): Promise<readonly ListedRequest[]>;
  read(id: string): Promise<RequestRow | undefined>;
  /**
   * The first answer counts. Throws `not_found` / `approval_unknown`, `conflict` /
   * `already_resolved`, `approval_abandoned` when no one waits for the answer any more.
   */
  answer(request: AnswerRequest): Promise<RequestRow>;
  /** Closes a request that no one answered; the row as it is then, maybe answered after all. */
  end(id: string, state: "expired" | "withdrawn"): Promise<RequestRow | undefined>;
  /** Leaves it for anyone who asks the same again: the process that waited goes on without it. */
  release(id: string): Promise<void>;
  /** Whether this was the first use of the answer. */
  use(id: string): Promise<boolean>;
}

export interface RequestTableDeps {
  readonly rows: RequestRows;
  readonly clock: Clock;
  readonly owners: ProcessOwners;
}

export function createRequestTable({ rows, clock, owners }: RequestTableDeps): RequestTable {
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

  /** Over what is there; false when the row is in another state than `from`. */
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

  /** Everything stays as it was shown, but for the call that waits for it now and has the values. */
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
    async open(question, binding) {
      const adopted = await adopt(question, binding);
      if (adopted) return adopted;
      const row = { question, binding, owner: owners.own, state: "pending" } as const;
      await rows.put(row, 0);
      return question;
    },
    async list() {
      return (await rows.pending())
        .filter(isOpen)
        .map((found) => ({ question: found.row.question, isAbandoned: isAbandoned(found) }))
        .sort((one, other) => one.question.createdAtMs - other.question.createdAtMs);
    },
    read: async (id) => (await rows.get(id))?.row,
    async answer({ name, decision, reason, by }) {
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
    async end(id, state) {
      await move(id, { from: "pending", to: { state } });
      return (await rows.get(id))?.row;
    },
    async release(id) {
      await move(id, { from: "pending", to: { owner: RELEASED } });
    },
    use: (id) => move(id, { from: "answered", to: { state: "used" } }),
  };
}
