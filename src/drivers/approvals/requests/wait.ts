// Waits for the answer to one request: from the program's approver, another process, or no one.
import { showInput, showWord } from "../../../core/command/index.js";
import {
  APPROVAL_DECISIONS,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  abortError,
  type Clock,
  type CommandGrant,
  type CommandQuestion,
  isClosing,
  isToolError,
  type RandomSource,
  type Store,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import { pause } from "../../../lib/system/pause.js";
import { askingFailed, describeOutcome } from "../errors.js";
import type { RequestRow, RequestTable } from "./table.js";

const POLL_MS = 100;
const LOOK_MS = 1_000;
const MAX_MISSES = 2;
const BAD_ANSWER = `approve gave no answer: { decision } must be ${APPROVAL_DECISIONS.join(", ")}.`;
const MAX_NAME_CHARS = 200;
const CALLBACK_NAME = "the program's approver";
/** Someone else has answered. */
const LATE = ["already_resolved", "approval_unknown"];

interface Waiting {
  readonly table: RequestTable;
  readonly approver: Approver | undefined;
  /** Whether another process listens. */
  readonly isHeard: () => Promise<boolean>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type AnswerOutcome = RequestRow | "expired" | "unheard";

/** Throws the abort, or `approval_failed`. */
export async function waitForAnswer(
  question: CommandQuestion,
  { table, approver, isHeard, clock, signal }: Waiting,
): Promise<AnswerOutcome> {
  const { id } = question;
  /** Ends a pause, when the approver is done or the call is aborted. */
  const wake = new AbortController();
  const wakeUp = () => wake.abort();
  const over = new AbortController();
  const failures: unknown[] = [];
  let lookAtMs = clock.now() + LOOK_MS;
  let misses = 0;
  let last: RequestRow | undefined;
  signal.addEventListener("abort", wakeUp);
  if (approver) {
    askCallback(question, { approver, table, signal: over.signal })
      .catch((error: unknown) => failures.push(error))
      .finally(wakeUp);
  }
  try {
    for (;;) {
      if (signal.aborted) throw abortError(signal);
      const row = await table.read(id);
      last = row;
      if (row?.state !== "pending") return row?.answer ? row : "expired";
      if (failures.length > 0) throw askingFailed(question.command, failures[0]);
      const leftMs = question.expiresAtMs - clock.now();
      if (leftMs <= 0) {
        last = await table.end(id, "expired");
        return endOr(last, "expired");
      }
      if (!approver && clock.now() >= lookAtMs) {
        // One miss may be a restart.
        misses = (await isHeard()) ? 0 : misses + 1;
        lookAtMs = clock.now() + LOOK_MS;
        if (misses >= MAX_MISSES) return endOr(await table.end(id, "withdrawn"), "unheard");
      }
      await pause(clock, { delayMs: Math.min(POLL_MS, leftMs), signal: wake.signal });
    }
  } catch (error) {
    // The call may be repeated by the next process.
    if (isClosing(signal)) await table.release(id);
    else last = await table.end(id, "withdrawn");
    throw error;
  } finally {
    signal.removeEventListener("abort", wakeUp);
    over.abort(new Error(describeOutcome(last)));
  }
}

/** An answer at the last moment counts. */
function endOr(row: RequestRow | undefined, outcome: "expired" | "unheard"): AnswerOutcome {
  return row?.answer ? row : outcome;
}

async function askCallback(
  question: CommandQuestion,
  asking: {
    readonly approver: Approver;
    readonly table: RequestTable;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { approver, table, signal } = asking;
  const answer = readAnswer(await approver(toRequest(question), { signal }));
  try {
    await table.answer({ name: question.id, by: CALLBACK_NAME, ...answer });
  } catch (error) {
    if (!isToolError(error) || !LATE.includes(error.reason ?? "")) throw error;
  }
}

function toRequest(question: CommandQuestion): ApprovalRequest {
  const { command, cwd, env, input, host, why, toolCallId, sessionKey } = question;
  return {
    toolCallId,
    toolName: "exec",
    title: `Run ${showWord(command)}${showNames(env)}${showInput(input)}: ${why}`,
    sessionKey,
    params: { command, workdir: cwd, env: { ...env }, host, ...(input && { input }) },
    // A copy: the approver must not change the question.
    command: structuredClone(question),
  };
}

/** Values are in `command.shown`. */
function showNames(env: CommandQuestion["env"]): string {
  const names = Object.keys(env).sort();
  return names.length === 0 ? "" : ` with ${names.map(showWord).join(", ")}`;
}

/** A callback without types may return anything. */
function readAnswer(answer: unknown): ApprovalAnswer {
  const given = readField(answer, "decision");
  const decision = APPROVAL_DECISIONS.find((word) => word === given);
  if (decision === undefined) throw new Error(BAD_ANSWER);
  const reason = readText(answer, "reason");
  const by = readText(answer, "by");
  return {
    decision,
    ...(reason === undefined || reason === "" ? {} : { reason }),
    ...(by === undefined || by === "" ? {} : { by: toPrintable(by, MAX_NAME_CHARS) }),
  };
}

const SPACE = "approvals.approvers";
const ALIVE_MS = 10_000;
const RENEW_MS = 3_000;
const ID_BYTES = 8;

interface ApproverPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Fulfilled when it counts. */
export async function registerApprover(name: string, { store, clock, random }: ApproverPorts) {
  const place = { space: SPACE, key: random.hex(ID_BYTES) };
  let isClosed = false;
  let takeBack: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const announce = () => store.kv.put({ ...place, value: { name }, ttlMs: ALIVE_MS });
  const renewLater = () => {
    takeBack = clock.after(RENEW_MS, () => {
      // Retried; meanwhile no one waits for it.
      last = announce().then(renew, renew);
    });
  };
  const renew = () => {
    if (!isClosed) renewLater();
  };
  await announce();
  renewLater();
  return {
    async close() {
      isClosed = true;
      takeBack?.();
      await last;
      await store.kv.delete(place);
    },
  };
}

export async function hasApprover(store: Store): Promise<boolean> {
  const { entries } = await store.kv.list({ space: SPACE, limit: 1 });
  return entries.length > 0;
}

const STREAM = "approvals.ledger";
const KEPT = 10_000;
const TRIM_EVERY = 100;

export interface LedgerRecord {
  readonly atMs: number;
  readonly by: string;
  readonly action: "allow-once" | "allow-always" | "deny" | "grant-add" | "grant-remove";
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly approvalId?: string | undefined;
  readonly command?: string | undefined;
  readonly planHash?: string | undefined;
  readonly reason?: string | undefined;
  readonly grants?: readonly CommandGrant[] | undefined;
}

export async function writeLedger(store: Store, record: LedgerRecord): Promise<void> {
  const { lastSequence } = await store.log.append({
    stream: STREAM,
    records: [record],
    durability: "disk",
  });
  if (lastSequence % TRIM_EVERY === 0) await store.log.trim({ stream: STREAM, keepLast: KEPT });
}

export async function readLedger(store: Store, limit: number): Promise<readonly LedgerRecord[]> {
  const { records } = await store.log.readLast({ stream: STREAM, limit });
  return records.flatMap(({ value }) => (isRecord(value) ? [value] : []));
}

function isRecord(value: unknown): value is LedgerRecord {
  const isWhole = readText(value, "by") !== undefined && readText(value, "action") !== undefined;
  return isWhole && readNumber(value, "atMs") !== undefined;
}
