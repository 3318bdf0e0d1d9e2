// `createAgent`: a toolkit, models and a store put together into an agent that holds conversations.
// Everything it has accepted is in the store, so a new process goes on where another one ended.

import { type StoreOperation, ToolError, type Toolkit } from "../core/index.js";
import { createSystemClock, createSystemRandom } from "../drivers/clock.js";
import { createNodeBridge } from "../drivers/fs/index.js";
import { createSqliteStore } from "../drivers/store/index.js";
import {
  createSessionStore,
  type InboxItem,
  isRace,
  listMail,
  mainSessionKey,
  parseSessionKey,
  pushOperations,
  readInbox,
  textOfContent,
  toAgentId,
} from "../sessions/index.js";
import type { Agent, AgentMessage, PreparedRun, StartedRun } from "./agent.js";
import { type AgentParts, createAgentParts } from "./agent-parts.js";
import { preparePost } from "./chat-posts.js";
import { compactSession } from "./context/compaction.js";
import { createAgentEvents } from "./events.js";
import type { LiveSession } from "./queue/live-session.js";
import { countCompaction } from "./queue/run-session.js";
import { createWorkers } from "./queue/workers.js";
import {
  type AgentOptions,
  assertSameRequest,
  hashRequest,
  readContent,
  readModels,
} from "./read-options.js";
import type { RunEnd } from "./run/run.js";
import { createCallerSessions } from "./spawn/caller-sessions.js";
import { createRuns, ENDED, type FoundRun, toRunRow } from "./spawn/runs.js";
import { createRunWaits } from "./spawn/wait-for-run.js";

const DEFAULT_MAX_RUNS = 16;
const DEFAULT_MAX_SUBAGENTS = 8;
const DEFAULT_WAIT_MS = 48 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export function createAgent(options: AgentOptions): Agent {
  const { toolkit, clock = createSystemClock(), random = createSystemRandom() } = options;
  const agentId = toAgentId(options.agentId);
  const isOwnStore = typeof options.store === "string";
  const store =
    typeof options.store === "string"
      ? createSqliteStore({ folder: options.store, clock, random })
      : options.store;
  const models = readModels(options, agentId);
  const own = createAgentParts({
    ...{ agentId, toolkit, models: models.source, limits: options.limits },
    ...{ queueMode: options.queueMode, config: options.config ?? {} },
    workspace: options.workspace === undefined ? undefined : createNodeBridge(options.workspace),
  });
  const sessions = createSessionStore({ store, clock, random });
  const events = createAgentEvents(() => clock.now());
  const runs = createRuns({ store, clock });
  const waits = createRunWaits({ runs, clock });
  const settlements = new Map<string, readonly StoreOperation[]>();
  const noticed = new Map<Toolkit, () => void>();
  const defaults = options.config?.agents?.defaults;
  let stopPurge = (): void => undefined;

  function partsOf(sessionKey: string): AgentParts {
    const id = parseSessionKey(sessionKey, { agentId }).agentId;
    const parts = options.agents?.(id) ?? (id === agentId ? own : undefined);
    if (parts) {
      forwardNotices(parts.toolkit);
      return parts;
    }
    throw new ToolError("not_found", `No agent has the id "${id}".`, { reason: "agent_unknown" });
  }

  /** A command that ends in the background is an event of the session that started it. */
  function forwardNotices(from: Toolkit): void {
    if (noticed.has(from)) return;
    const stop = from.on("notice", ({ message, sessionKey }) => {
      // A store that is closed meanwhile has no session to notify.
      if (sessionKey !== undefined)
        push(keyOf(sessionKey), toNotice(message)).catch(() => undefined);
    });
    noticed.set(from, stop);
  }

  const workers = createWorkers({
    ...{ store, sessions, runs, clock, events, partsOf, rerunBegun: options.rerunBegun },
    post: options.post,
    newRunId: () => random.hex(8),
    alsoWrite(toolCallId) {
      const operations = settlements.get(toolCallId) ?? [];
      settlements.delete(toolCallId);
      return operations;
    },
    maxRuns: defaults?.maxConcurrent ?? DEFAULT_MAX_RUNS,
    maxSubagentRuns: defaults?.subagents?.maxConcurrent ?? DEFAULT_MAX_SUBAGENTS,
    onProblem: ({ sessionKey, cause }) => waits.fail(sessionKey, cause),
    whileEnding: waits.whileEnding,
  });
  const keyOf = (given: string | undefined) =>
    given === undefined ? mainSessionKey(agentId) : parseSessionKey(given, { agentId }).key;

  /** The key of a session whose agent exists. */
  function reachable(given: string): string {
    const key = keyOf(given);
    partsOf(key);
    return key;
  }

  async function push(sessionKey: string, item: InboxItem, more: readonly StoreOperation[] = []) {
    await store.transact([...more, ...pushOperations(sessionKey, [item])]);
    workers.wake(sessionKey);
  }

  async function prepare(given: AgentMessage): Promise<PreparedRun> {
    const { timeoutMs, model, thinking, route, runId = random.hex(8) } = given;
    const sessionKey = keyOf(given.sessionKey);
    const content = readContent(given.message);
    const parts = partsOf(sessionKey);
    await workers.assertRoom(sessionKey, parts.queue);
    const known = (await sessions.entries.get(sessionKey))?.entry;
    const modelOverride = (model === undefined ? known?.modelOverride : model) ?? undefined;
    // A session whose model cannot be used refuses; nothing waits for it.
    parts.choose(modelOverride);
    const atMs = clock.now();
    await sessions.entries.open(sessionKey, route === undefined ? {} : { route });
    if (model !== undefined || thinking !== undefined) {
      const level = thinking === undefined ? known?.thinking : (thinking ?? undefined);
      const chosen = { modelOverride, thinking: level };
      await sessions.entries.change(sessionKey, (entry) => ({ ...entry, ...chosen }));
    }
    const task = textOfContent(content);
    const record = runs.createOperations(runId, {
      ...{ kind: "input", sessionKey, task, state: "queued", notify: "none", hops: 0 },
      ...{ createdAtMs: atMs, inputTokens: 0, outputTokens: 0, usd: 0 },
      ...(timeoutMs === undefined ? {} : { deadlineMs: atMs + timeoutMs }),
      requestHash: hashRequest(sessionKey, given),
    });
    const kind = given.kind ?? "message";
    const item: InboxItem = { kind, content, runId, from: route?.channel, atMs };
    return { runId, sessionKey, operations: [...record, ...pushOperations(sessionKey, [item])] };
  }

  async function start(given: AgentMessage): Promise<StartedRun> {
    const { runId = random.hex(8), signal } = given;
    const join = ({ record }: FoundRun): StartedRun => {
      assertSameRequest(record.requestHash, hashRequest(keyOf(given.sessionKey), given));
      return { runId, sessionKey: record.sessionKey, ended: waits.until(runId) };
    };
    const known = await runs.get(runId);
    if (known) return join(known);
    const { sessionKey, operations } = await prepare({ ...given, runId });
    const isInterrupt = partsOf(sessionKey).queue.mode === "interrupt";
    // Durable before the abort, so that it cannot be lost in between.
    try {
      await store.transact(operations);
    } catch (error) {
      // The same run was started at this moment.
      if (!isRace(error)) throw error;
      return join(await runs.read(runId));
    }
    workers.wake(sessionKey);
    if (isInterrupt)
      workers.stop(sessionKey, { state: "cancelled", reason: "A newer message came." });
    const ended = waits.until(runId);
    const stop = () => void cancel(runId).catch(() => undefined);
    signal?.addEventListener("abort", stop, { once: true });
    void ended.finally(() => signal?.removeEventListener("abort", stop)).catch(() => undefined);
    if (signal?.aborted) stop();
    return { runId, sessionKey, ended };
  }

  /** Running: stopped. Waiting: its row ends now, and it is passed over when its turn comes. */
  async function cancel(runId: string, reason = "stopped"): Promise<boolean> {
    const end: RunEnd = { state: "cancelled", reason };
    const found = await runs.get(runId);
    if (found === undefined || ENDED.has(found.record.state)) return false;
    if (found.record.state === "running") return workers.stop(found.record.sessionKey, end);
    const nothing = { reply: "", inputTokens: 0, outputTokens: 0, usd: 0 };
    const outcome = { ...nothing, state: end.state, error: reason };
    const { operations, wake } = runs.endOperations([found], outcome);
    try {
      await store.transact(operations);
    } catch (error) {
      if (!isRace(error)) throw error;
      // It was taken at this moment.
      return cancel(runId, reason);
    }
    waits.poke();
    for (const key of wake) workers.wake(key);
    return true;
  }

  function toNotice(text: string): InboxItem {
    return { kind: "system", content: [{ type: "text", text }], atMs: clock.now() };
  }

  /** Ends what runs in a session and what waits for it. */
  async function stopAll(key: string): Promise<void> {
    workers.stop(key, { state: "cancelled", reason: "The session was reset." });
    const waiting = await workers.between(key, ({ transcript }) =>
      readInbox(store, { sessionKey: key, through: transcript.fold.through }),
    );
    for (const { item } of waiting) {
      if (item.runId !== undefined) await cancel(item.runId, "The session was reset.");
    }
  }

  async function recover(): Promise<void> {
    for await (const key of listMail(store)) workers.wake(key);
    for (const key of await runs.waitingSessions()) workers.wake(key);
    const { retentionDays } = options.config?.session ?? {};
    if (retentionDays !== undefined) await purgeDaily(retentionDays);
  }

  async function purgeDaily(days: number): Promise<void> {
    // Before the work, which may fail today and succeed tomorrow.
    stopPurge = clock.after(DAY_MS, () => void purgeDaily(days).catch(() => undefined));
    await sessions.purge(days, workers.isBusy);
  }

  const callers = createCallerSessions({
    ...{ store, sessions, runs, clock, waits, workers },
    ...{ partsOf, agentId, cancel, push, settlements },
    newId: () => random.hex(16),
    hasAgent: (id) => id === agentId || options.agents?.(id) !== undefined,
  });
  toolkit.attach({ sessions: callers, ...(models.port && { models: models.port }) });
  const ready = options.recover === false ? Promise.resolve() : recover();
  ready.catch(() => undefined);

  return {
    agentId,
    start,
    cancel,
    prepare,
    wake: workers.wake,
    sessions: callers,
    sessionStore: sessions,
    on: events.on,
    async send(message) {
      return (await start(typeof message === "string" ? { message } : message)).ended;
    },
    async run(runId) {
      const found = await runs.get(runId);
      return found && toRunRow(found);
    },
    wait: (runId, { timeoutMs = DEFAULT_WAIT_MS, signal } = {}) =>
      waits.until(runId, { timeoutMs, signal }),
    prepareNotice: (sessionKey, text) => pushOperations(reachable(sessionKey), [toNotice(text)]),
    notify: async (sessionKey, text) => push(reachable(sessionKey), toNotice(text)),
    preparePost: (post) => preparePost(options.post, post),
    abort: (sessionKey, reason = "stopped") =>
      workers.stop(keyOf(sessionKey), { state: "cancelled", reason }),
    running: (sessionKey) => workers.active(keyOf(sessionKey))?.runId,
    compact: (sessionKey) => workers.between(keyOf(sessionKey), (live) => compactLive(live)),
    async reset(sessionKey) {
      const key = keyOf(sessionKey);
      await stopAll(key);
      await sessions.reset(key);
      workers.forget(key);
    },
    async delete(sessionKey) {
      const key = keyOf(sessionKey);
      await stopAll(key);
      workers.forget(key);
      return sessions.delete(key);
    },
    async close() {
      await ready.catch(() => undefined);
      stopPurge();
      for (const stop of noticed.values()) stop();
      await workers.close();
      waits.close();
      await models.close();
      if (isOwnStore) await store.close();
    },
  };

  async function compactLive(live: LiveSession): Promise<boolean> {
    const { transcript, choices } = live;
    const { signal } = new AbortController();
    const by = await compactSession({ store, transcript, clock, signal, choice: choices[0] });
    if (by === undefined) return false;
    live.renewContext();
    await countCompaction(live, { sessions });
    return true;
  }
}
