// Asks about one command: finds who can answer, waits, and saves a lasting approval before the start.

import { showCommand } from "../../core/command/index.js";
import {
  abortError,
  type CommandQuestion,
  type GatePass,
  type GateRequest,
  isToolError,
  type Store,
} from "../../core/index.js";
import { toUuid } from "../../lib/uuid.js";
import { createPass, type Proposal, toBinding } from "./decide.js";
import {
  type AnswerPlace,
  grantNotSaved,
  type NextStep,
  noApprover,
  unanswered,
  userDenied,
} from "./errors.js";
import type { CommandGateOptions } from "./gate.js";
import { addGrants } from "./grants/document.js";
import {
  createMemoryRows,
  createRequestTable,
  createStoredRows,
  type RequestRow,
  type RequestTable,
} from "./requests/table.js";
import { hasApprover, waitForAnswer, writeLedger } from "./requests/wait.js";

const SLUG_CHARS = 8;
const ID_BYTES = 16;
/** The caller expects "no one" within a second. */
const LOOK_MS = 700;

export type AskingOptions = Omit<CommandGateOptions, "timeoutMs" | "place"> & {
  readonly timeoutMs: number;
  readonly place: AnswerPlace;
};

export interface AskRequest {
  readonly request: GateRequest;
  readonly proposal: Proposal;
  readonly why: string;
  /** How to allow it when no one can be asked. */
  readonly next: () => NextStep;
}

export type AskOutcome =
  | { readonly isAnswered: true; readonly pass: GatePass }
  | { readonly isAnswered: false; readonly refusal: unknown };

interface Reach {
  readonly table: RequestTable;
  readonly store: Store | undefined;
}

export function createAsking(options: AskingOptions) {
  const { grantsFile, clock, random, approver, timeoutMs, place } = options;
  const memoryRows = createMemoryRows();
  const open = new Map<Promise<unknown>, AbortSignal>();

  async function findReach(): Promise<Reach | undefined> {
    const found = await within(findListener(options), { clock, limitMs: LOOK_MS });
    if (!approver && !found?.isListening) return undefined;
    const rows = found?.store ? createStoredRows(found.store) : memoryRows;
    return { table: createRequestTable({ ...options, rows }), store: found?.store };
  }

  async function takeAnswer(
    { request, row }: { readonly request: GateRequest; readonly row: RequestRow },
    { table, store }: Reach,
  ): Promise<GatePass> {
    const { question, answer } = row;
    if (answer === undefined || answer.decision === "deny") {
      await note(store, row);
      throw userDenied(row);
    }
    const isForGood = answer.decision === "allow-always" && question.grants.length > 0;
    if (isForGood) await save(question, answer.by);
    await note(store, row);
    const who = `${answer.decision} by ${answer.by}`;
    const isOnceAfterAll = answer.decision === "allow-always" && !isForGood;
    const once = `only once: ${question.onceBecause ?? "nothing of it can be saved"}`;
    return createPass({
      by: "approval",
      rule: isOnceAfterAll ? `${who}, ${once}` : who,
      ...(isOnceAfterAll ? { note: `"allow-always" let it run ${once}.` } : {}),
      request,
      clock,
      approval: { id: question.id, table },
    });
  }

  async function save({ grants, agentId }: CommandQuestion, by: string): Promise<void> {
    const entry = { agentId, grants, source: "allow-always", addedBy: by, nowMs: clock.now() };
    const newId = () => toUuid(random.hex(ID_BYTES));
    try {
      await grantsFile.change((document) => addGrants(document, { ...entry, newId }).document);
    } catch (error) {
      throw grantNotSaved(grantsFile.place, error);
    }
  }

  /** A failed write does not change the answer. */
  async function note(store: Store | undefined, { question, answer }: RequestRow): Promise<void> {
    if (store === undefined || answer === undefined) return;
    const { id, agentId, sessionKey, command, planHash, grants } = question;
    const { decision, by, atMs, reason } = answer;
    const saved = decision === "allow-always" ? { grants } : {};
    const what = { agentId, sessionKey, approvalId: id, command, planHash, reason, ...saved };
    try {
      await writeLedger(store, { atMs, by, action: decision, ...what });
    } catch (cause) {
      options.report({ message: "An approval could not be written to the ledger.", cause });
    }
  }

  async function ask({ request, proposal, why, next }: AskRequest): Promise<AskOutcome> {
    const { command, signal } = request;
    const unheard = () => noApprover({ command, why, place, next: next() });
    const reach = await findReach();
    if (signal.aborted) throw abortError(signal);
    if (reach === undefined) return { isAnswered: false, refusal: unheard() };
    const { table } = reach;
    const id = random.hex(ID_BYTES);
    const { stateDir } = place;
    const asked = { request, proposal, why, id, timeoutMs, stateDir, nowMs: clock.now() };
    const question = await table.open(toQuestion(asked), toBinding(request));
    request.onWaiting?.(toPending(question));
    const isHeard = async () => reach.store !== undefined && (await hasApprover(reach.store));
    const row = await waitForAnswer(question, { table, approver, isHeard, clock, signal });
    if (row === "expired") return { isAnswered: false, refusal: unanswered(question, timeoutMs) };
    if (row === "unheard") return { isAnswered: false, refusal: unheard() };
    return { isAnswered: true, pass: await takeAnswer({ request, row }, reach) };
  }

  return {
    ask(request: AskRequest) {
      const asked = ask(request);
      open.set(asked, request.request.signal);
      const forget = () => open.delete(asked);
      asked.then(forget, forget);
      return asked;
    },
    async settle() {
      const ended = [...open].filter(([, signal]) => signal.aborted);
      await Promise.allSettled(ended.map(([asked]) => asked));
    },
  };
}

function toPending({ id, slug, expiresAtMs, host, command, cwd }: CommandQuestion) {
  return { id, slug, expiresAtMs, host, command, cwd };
}

interface Found {
  readonly store: Store;
  readonly isListening: boolean;
}

/** Without a store the program's own approver is still asked. */
async function findListener(options: AskingOptions): Promise<Found | undefined> {
  try {
    const store = await options.store();
    return store && { store, isListening: await hasApprover(store) };
  } catch (cause) {
    if (!isToolError(cause)) throw cause;
    options.report({ message: `Other processes cannot be asked: ${cause.message}`, cause });
    return undefined;
  }
}

async function within<Value>(
  work: Promise<Value>,
  { clock, limitMs }: { readonly clock: AskingOptions["clock"]; readonly limitMs: number },
): Promise<Value | undefined> {
  let takeBack: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    takeBack = clock.after(limitMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    takeBack?.();
  }
}

interface QuestionSource {
  readonly request: GateRequest;
  readonly why: string;
  readonly proposal: Proposal;
  readonly id: string;
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly stateDir: string | undefined;
}

function toQuestion(source: QuestionSource): CommandQuestion {
  const { request, proposal, id, nowMs, stateDir } = source;
  const { command, cwd, host, env, input, plan, agentId, sessionKey, toolCallId } = request;
  const what = plan === undefined ? { command, cwd } : { plan };
  const canBeSaved = proposal.grants.length > 0;
  return {
    id,
    slug: id.slice(0, SLUG_CHARS),
    command,
    shown: showCommand({ ...what, env, input }).split("\n"),
    ...(plan === undefined ? {} : { planHash: plan.hash }),
    cwd,
    host,
    env: { ...env },
    ...(input === undefined ? {} : { input }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    toolCallId,
    why: source.why,
    ...proposal,
    decisions: canBeSaved ? ["allow-once", "allow-always", "deny"] : ["allow-once", "deny"],
    ...(stateDir === undefined ? {} : { stateDir }),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + source.timeoutMs,
  };
}
