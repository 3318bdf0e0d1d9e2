// Approvals over the wire: commands that wait in this process or in another one of the same state
// folder are announced to operators, and the first answer from anywhere counts.

import {
  APPROVAL_DECISIONS,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  abortError,
  type Clock,
  type CommandQuestion,
  isToolError,
  type RandomSource,
  type Store,
  ToolError,
  ToolInputError,
} from "../core/index.js";
import {
  createRequestTable,
  createStoredRows,
  registerApprover,
} from "../drivers/approvals/index.js";
import { createProcessMarks } from "../drivers/store/index.js";
import { coversScope } from "../protocol/index.js";
import type { Connections } from "./connections/connections.js";
import type { GatewayEvents } from "./events.js";

const SCOPE = "operator.approvals";
/** Requests of other processes are looked for this often while an operator can answer them. */
const LOOK_MS = 1_000;
const MAX_WAIT_MS = 24 * 60 * 60_000;

interface WireApproval {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Asked by a client. */
interface WireQuestion extends Pick<WireApproval, "id" | "request"> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface WireAnswer {
  readonly id: string;
  readonly decision: string;
  readonly by: string;
}

interface DeskOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly events: GatewayEvents;
  readonly connections: Connections;
  readonly timeoutMs: () => number;
  /** An event for a session's next turn. */
  readonly notify: (sessionKey: string, text: string) => Promise<void>;
}

interface Waiting {
  readonly shown: WireApproval;
  readonly settle: (answer: ApprovalAnswer) => void;
}

export type ApprovalDesk = ReturnType<typeof createApprovalDesk>;

export function createApprovalDesk(options: DeskOptions) {
  const { store, clock, random, events, connections } = options;
  const waiting = new Map<string, Waiting>();
  const table = createRequestTable({
    rows: createStoredRows(store),
    clock,
    owners: createProcessMarks(),
  });
  const elsewhere = createElsewhere();

  /** Rejects when the signal fires: answered elsewhere, expired, or the call has ended. */
  function wait(shown: WireApproval, signal: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise<ApprovalAnswer>((resolve, reject) => {
      const end = (answer: ApprovalAnswer | undefined) => {
        waiting.delete(shown.id);
        signal.removeEventListener("abort", onAbort);
        events.emit("exec.approval.resolved", {
          id: shown.id,
          decision: answer?.decision ?? null,
          resolvedBy: answer?.by ?? null,
          ts: clock.now(),
        });
      };
      const onAbort = () => {
        end(undefined);
        reject(abortError(signal));
      };
      signal.addEventListener("abort", onAbort);
      waiting.set(shown.id, {
        shown,
        settle(answer) {
          end(answer);
          resolve(answer);
        },
      });
      events.emit("exec.approval.requested", shown);
      if (signal.aborted) onAbort();
    });
  }

  /** Asks operators for the toolkits of this process. */
  const approve: Approver = (request, { signal }) => wait(toShown(request), signal);

  return {
    approve,
    /** Asks operators for a client; waits for the answer, which is null when no one gave it in time. */
    async ask({ id, request, timeoutMs, signal }: WireQuestion) {
      if (waiting.has(id)) {
        throw new ToolError("conflict", "approval id is already pending", { reason: "id_in_use" });
      }
      const limit = new AbortController();
      const createdAtMs = clock.now();
      const lastsMs = Math.min(timeoutMs, MAX_WAIT_MS);
      const stop = clock.after(lastsMs, () => limit.abort());
      const shown = { id, request, createdAtMs, expiresAtMs: createdAtMs + lastsMs };
      const times = { id, createdAtMs, expiresAtMs: shown.expiresAtMs };
      try {
        const answer = await wait(shown, AbortSignal.any([signal, limit.signal]));
        return { ...times, decision: answer.decision };
      } catch (error) {
        if (!limit.signal.aborted) throw error;
        return { ...times, decision: null };
      } finally {
        stop();
      }
    },
    /** Throws `not_found` for an unknown id, `conflict` when it was answered before. */
    async resolve({ id, decision: given, by }: WireAnswer): Promise<void> {
      const decision = APPROVAL_DECISIONS.find((word) => word === given);
      if (decision === undefined) {
        throw new ToolInputError(`decision must be one of ${APPROVAL_DECISIONS.join(", ")}`);
      }
      const own = waiting.get(id) ?? findByPrefix(id);
      if (own) return own.settle({ decision, by });
      try {
        await table.answer({ name: id, decision, by });
      } catch (error) {
        await notifyLate(id, { decision, by });
        throw isToolError(error) && error.code === "not_found" ? unknownApproval() : error;
      }
      elsewhere.noteAnswer(id, { decision, by });
    },
    async list(): Promise<readonly WireApproval[]> {
      const own = [...waiting.values()].map(({ shown }) => shown);
      const others = (await table.list())
        .filter(({ question, isAbandoned }) => !waiting.has(question.id) && !isAbandoned)
        .map(({ question }) => showQuestion(question));
      return [...own, ...others].sort((one, other) => one.createdAtMs - other.createdAtMs);
    },
    close: elsewhere.close,
  };

  /** The answer has no effect; the session that asked can ask again. */
  async function notifyLate(id: string, { decision, by }: ApprovalAnswer): Promise<void> {
    const row = await table.read(id);
    const { sessionKey, command } = row?.question ?? {};
    if (row === undefined || row.answer !== undefined || sessionKey === undefined) return;
    const text = `${by} answered "${decision}" to the approval of "${command}" after its call had ended. Nothing ran. Run the command again if it is still needed.`;
    await options.notify(sessionKey, text);
  }

  function findByPrefix(id: string): Waiting | undefined {
    const near = id.length < 4 ? [] : [...waiting].filter(([key]) => key.startsWith(id));
    return near.length === 1 ? near[0]?.[1] : undefined;
  }

  function toShown({ command, title, toolName, toolCallId }: ApprovalRequest): WireApproval {
    if (command) return showQuestion(command);
    const createdAtMs = clock.now();
    return {
      id: random.hex(16),
      request: { command: title, host: "gateway", toolName, toolCallId },
      createdAtMs,
      expiresAtMs: createdAtMs + options.timeoutMs(),
    };
  }

  /** Requests of other processes. */
  function createElsewhere() {
    const announced = new Set<string>();
    let registration: Awaited<ReturnType<typeof registerApprover>> | undefined;
    let isClosed = false;
    let looking: Promise<void> = Promise.resolve();
    const canAnswer = () =>
      connections.list().some(({ principal }) => coversScope(principal.scopes, SCOPE));

    async function look(): Promise<void> {
      if (!canAnswer()) {
        await registration?.close();
        registration = undefined;
        return;
      }
      registration ??= await registerApprover("clawtools gateway", { store, clock, random });
      const rows = await table.list();
      const open = new Set(rows.map(({ question }) => question.id));
      for (const { question, isAbandoned } of rows) {
        if (isAbandoned || waiting.has(question.id) || announced.has(question.id)) continue;
        announced.add(question.id);
        events.emit("exec.approval.requested", showQuestion(question));
      }
      for (const id of [...announced].filter((one) => !open.has(one))) noteAnswer(id);
    }

    function noteAnswer(id: string, answer?: ApprovalAnswer): void {
      if (!announced.delete(id)) return;
      const { decision = null, by = null } = answer ?? {};
      events.emit("exec.approval.resolved", { id, decision, resolvedBy: by, ts: clock.now() });
    }

    const again = () => {
      if (isClosed) return;
      // A store that cannot be read now is asked again; commands of this process go on without it.
      looking = look().catch(() => undefined);
      void looking.then(() => {
        stop = clock.after(LOOK_MS, again);
      });
    };
    let stop = clock.after(LOOK_MS, again);
    return {
      noteAnswer,
      async close() {
        isClosed = true;
        stop();
        await looking;
        stop();
        await registration?.close();
      },
    };
  }
}

function showQuestion(question: CommandQuestion): WireApproval {
  const { id, command, cwd, host, agentId, sessionKey, planHash, why, toolCallId } = question;
  const { createdAtMs, expiresAtMs, decisions, shown } = question;
  const request = {
    command,
    cwd,
    host,
    agentId: agentId ?? null,
    sessionKey: sessionKey ?? null,
    toolCallId,
    warningText: why,
    planHash: planHash ?? null,
    shown,
    unavailableDecisions: APPROVAL_DECISIONS.filter((word) => !decisions.includes(word)),
  };
  return { id, request, createdAtMs, expiresAtMs };
}

function unknownApproval(): ToolError {
  return new ToolError("not_found", "unknown approval id", {
    reason: "approval_not_found",
    details: { wireCode: "APPROVAL_NOT_FOUND" },
  });
}
