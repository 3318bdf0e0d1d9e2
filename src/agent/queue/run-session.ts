// One run of a session from its first message to its end record.

import type { Clock, Store, StoreOperation } from "../../core/index.js";
import {
  isStale,
  readInbox,
  retryRace,
  type SessionStore,
  type TranscriptRecord,
  textOfContent,
  type WaitingItem,
} from "../../sessions/index.js";
import type { PreparePost } from "../chat-posts.js";
import { compactSession } from "../context/compaction.js";
import type { AgentEventBody, AgentEvents } from "../events.js";
import { type RunEnd, runToEnd, THINKING_LEVELS } from "../run/run.js";
import { missing } from "../run/run-calls.js";
import { ENDED, type FoundRun, type Runs } from "../spawn/runs.js";
import type { RunWaits } from "../spawn/wait-for-run.js";
import { endRun } from "./end-run.js";
import type { Place } from "./lanes.js";
import type { ActiveRun, LiveSession } from "./live-session.js";
import { chooseFitting, chooseItems, chooseSteered, startsRun, toUserRecord } from "./take.js";

const MAX_RESUMES = 3;
const MAX_RESUME_AGE_MS = 60 * 60_000;

export interface RunSessionDeps {
  readonly store: Store;
  readonly sessions: SessionStore;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly newRunId: () => string;
  readonly events: AgentEvents;
  readonly wake: (sessionKey: string) => void;
  /** Written together with the result of a call. */
  readonly alsoWrite: (toolCallId: string) => readonly StoreOperation[];
  /** Something may have arrived since this was asked last. */
  readonly hasNews: () => boolean;
  readonly setActive: (active: ActiveRun | undefined) => void;
  readonly post: PreparePost | undefined;
  /** Around the commit and the report of the end of these runs. */
  readonly whileEnding: RunWaits["whileEnding"];
  /** Every run stops where it is, to be taken up by the next process. */
  readonly closing: AbortSignal;
  readonly rerunBegun?: boolean | undefined;
}

/** False: nothing waits that starts a run. */
export async function takeNext(live: LiveSession, deps: RunSessionDeps): Promise<boolean> {
  const waiting = await readWaiting(live, deps);
  if (!startsRun(waiting)) return false;
  await takeItems(live, deps, {
    items: chooseItems(waiting, live.parts.queue),
    isSteered: false,
  });
  return true;
}

export async function runOpen(
  live: LiveSession,
  deps: RunSessionDeps,
  { place, isResumed }: { readonly place: Place; readonly isResumed: boolean },
): Promise<void> {
  const { transcript, key } = live;
  const { openRun } = transcript.fold;
  if (openRun === undefined) return;
  const { run: runId } = openRun;
  const emit = (body: AgentEventBody) => deps.events.emit({ runId, sessionKey: key }, body);
  const isOld = deps.clock.now() - openRun.startedAtMs > MAX_RESUME_AGE_MS;
  if (isResumed && (isOld || openRun.resumes >= MAX_RESUMES)) {
    return endRun(live, deps, { ...(await giveUp(live)), emit });
  }
  if (isResumed) {
    await transcript.append([{ type: "resume", run: runId }]);
    // From here on no other process can write the result of a call that waits.
    await deps.runs.recoverWaits(key);
  }
  const control = new AbortController();
  const cancel = await setDeadline(live, deps, control);
  deps.setActive({
    ...{ runId, place, stop: (end) => control.abort(end) },
    hops: () => transcript.fold.openRun?.hops ?? 0,
  });
  emit({ type: "start" });
  try {
    const end = await runLive(live, deps, {
      runId,
      emit,
      signal: AbortSignal.any([control.signal, deps.closing]),
    });
    if (!deps.closing.aborted) await endRun(live, deps, { end, emit });
  } finally {
    cancel();
    deps.setActive(undefined);
  }
}

interface LiveRun {
  readonly runId: string;
  readonly emit: (body: AgentEventBody) => void;
  readonly signal: AbortSignal;
}

async function runLive(
  live: LiveSession,
  deps: RunSessionDeps,
  { runId, emit, signal }: LiveRun,
): Promise<RunEnd> {
  const { parts, transcript, choices, key, found } = live;
  const { store, clock, alsoWrite, rerunBegun } = deps;
  const view = parts.view({ sessionKey: key, runId });
  const isSteerMode = parts.queue.mode === "steer";
  const readSteer = async () => {
    const waiting = chooseSteered(await readWaiting(live, deps), parts.queue);
    return startsRun(waiting) ? waiting : [];
  };
  try {
    return await runToEnd({
      ...{ transcript, choices, clock, emit, signal, alsoWrite, rerunBegun },
      toolkit: view,
      context: live.context,
      limits: parts.limits,
      thinking: THINKING_LEVELS.find((level) => level === found.entry.thinking),
      reportUsage: view.reportUsage,
      isSteered: async () => isSteerMode && deps.hasNews() && (await readSteer()).length > 0,
      async takeSteer() {
        // The last look before the end reads the store; during the run a hint of this process is enough.
        const isAnswered = transcript.fold.messages.at(-1)?.role === "assistant";
        if (!isSteerMode || (!isAnswered && !deps.hasNews())) return false;
        const items = await readSteer();
        if (items.length > 0) await takeItems(live, deps, { items, isSteered: true });
        return items.length > 0;
      },
      async compact() {
        const by = await compactSession({ store, transcript, clock, signal, choice: choices[0] });
        if (by === undefined) return false;
        live.renewContext();
        await countCompaction(live, deps);
        emit({ type: "compaction", by });
        return true;
      },
    });
  } catch (error) {
    if (signal.aborted || isStale(error)) throw error;
    // A fault of ours or of the store ends the run, not the session.
    return { state: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

export function countCompaction(
  { key }: LiveSession,
  { sessions }: Pick<RunSessionDeps, "sessions">,
) {
  return sessions.entries.change(key, (entry) => ({
    ...entry,
    compactions: entry.compactions + 1,
  }));
}

async function readWaiting({ key, transcript }: LiveSession, { store }: RunSessionDeps) {
  const { through } = transcript.fold;
  return chooseFitting(await readInbox(store, { sessionKey: key, through }));
}

interface Taking {
  readonly items: readonly WaitingItem[];
  readonly isSteered: boolean;
}

/** The message, the cursor and the state of the runs it belongs to: one transaction. */
async function takeItems(
  live: LiveSession,
  deps: RunSessionDeps,
  { items, isSteered }: Taking,
): Promise<void> {
  const { transcript, key } = live;
  const { fold } = transcript;
  await retryRace(async () => {
    const found = await findRuns(deps.runs, items);
    const gone = new Set(
      found.flatMap(({ runId, record }) => (ENDED.has(record.state) ? [runId] : [])),
    );
    const wanted = items.filter(({ item }) => item.runId === undefined || !gone.has(item.runId));
    const through = items.at(-1)?.sequence ?? fold.through;
    if (!startsRun(wanted)) return transcript.append([{ type: "drop", through }]);
    const run =
      fold.openRun?.run ?? wanted.find(({ item }) => item.runId)?.item.runId ?? deps.newRunId();
    const date = new Date(deps.clock.now()).toISOString().slice(0, 10);
    const { lastDate } = fold;
    const { queue: rules } = live.parts;
    const taken = toUserRecord({ items: wanted, run, isSteered, date, lastDate, rules });
    const record = { ...taken, through };
    const started = found.filter(({ runId }) => !gone.has(runId));
    await transcript.append([record], { also: deps.runs.startOperations(started) });
    const text = textOfContent(record.content);
    const messageId = String(transcript.fold.last);
    const message = { type: "message", role: "user", text, messageId } as const;
    deps.events.emit({ runId: run, sessionKey: key }, message);
  });
}

async function findRuns(runs: Runs, items: readonly WaitingItem[]): Promise<FoundRun[]> {
  const ids = items.flatMap(({ item }) => (item.runId === undefined ? [] : [item.runId]));
  const found = await Promise.all(ids.map((id) => runs.get(id)));
  return found.flatMap((run) => (run === undefined ? [] : [run]));
}

/** Calls without an outcome get one, and a sentence says that the run was not taken up again. */
async function giveUp({ transcript, choices }: LiveSession): Promise<{ readonly end: RunEnd }> {
  const { fold } = transcript;
  const reason = "The run was interrupted too often or too long ago, and was not resumed.";
  const open = fold.openCalls.map((call) => missing(call, call.isBegun ? "unknown" : "not_run"));
  const model = choices[0]?.model;
  const origin = { provider: model?.provider ?? "", api: model?.api ?? "", model: model?.id ?? "" };
  const said: TranscriptRecord = {
    ...{ type: "assistant", run: fold.openRun?.run ?? "", turn: 0, stop: "notice", origin },
    content: [{ type: "text", text: reason }],
  };
  await transcript.append([...open, said]);
  return { end: { state: "interrupted", reason } };
}

async function setDeadline(live: LiveSession, deps: RunSessionDeps, control: AbortController) {
  const { about = [], startedAtMs = 0 } = live.transcript.fold.openRun ?? {};
  const found = await Promise.all(about.map((id) => deps.runs.get(id)));
  const own = found.flatMap((run) => run?.record.deadlineMs ?? []);
  const deadlines = [...own, startedAtMs + live.parts.limits.wallMs];
  const end: RunEnd = { state: "timed_out", reason: "The run reached its time limit." };
  const delayMs = Math.max(0, Math.min(...deadlines) - deps.clock.now());
  return deps.clock.after(delayMs, () => control.abort(end));
}
