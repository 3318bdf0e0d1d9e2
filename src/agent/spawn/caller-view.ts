// One caller of the sessions port: who it is, and what it may see. One rule decides for every action.

import { type Clock, type Store, type StoreOperation, ToolError } from "../../core/index.js";
import type { SessionCaller, SessionReference, SessionRow } from "../../core/server.js";
import {
  ancestorsOf,
  displayKey,
  type FoundEntry,
  findRefusal,
  type InboxItem,
  mainSessionKey,
  parseSessionKey,
  readVisibilityRules,
  type SessionStore,
  toAgentId,
  toSessionRow,
} from "../../sessions/index.js";
import type { AgentParts } from "../agent-parts.js";
import type { Workers } from "../queue/workers.js";
import type { RunRecord, Runs } from "./runs.js";
import type { RunWaits } from "./wait-for-run.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

export interface CallerSource {
  readonly store: Store;
  readonly sessions: SessionStore;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly waits: RunWaits;
  readonly workers: Workers;
  readonly agentId: string;
  readonly partsOf: (sessionKey: string) => AgentParts;
  readonly hasAgent: (agentId: string) => boolean;
  readonly newId: () => string;
  readonly cancel: (runId: string, reason?: string) => Promise<boolean>;
  readonly push: (
    sessionKey: string,
    item: InboxItem,
    more?: readonly StoreOperation[],
  ) => Promise<void>;
  /** Written with the result of a call, by its id. */
  readonly settlements: Map<string, readonly StoreOperation[]>;
}

type Action = Parameters<typeof findRefusal>[0]["action"];

export type CallerView = ReturnType<typeof createCallerView>;

export function createCallerView(source: CallerSource, given: SessionCaller) {
  const { sessions, clock, workers } = source;
  const agentId = toAgentId(given.agentId ?? source.agentId);
  const sessionKey = given.sessionKey
    ? parseSessionKey(given.sessionKey, { agentId }).key
    : mainSessionKey(agentId);
  const caller = { ...given, sessionKey, agentId: parseSessionKey(sessionKey).agentId };
  const { config } = source.partsOf(sessionKey);
  const rules = readVisibilityRules(config);

  function refusalOf(
    { parsed: target }: FoundEntry,
    all: ReadonlyMap<string, FoundEntry>,
    action: Action,
  ) {
    const ancestors = ancestorsOf(target.key, all);
    return findRefusal({ rules, caller, target, ancestors, action });
  }

  async function findTarget(
    { session, label, agentId: inAgent }: SessionReference,
    prefer: (found: FoundEntry) => boolean,
  ): Promise<FoundEntry> {
    if (session === undefined && label === undefined) return sessions.entries.open(sessionKey);
    if (session === undefined) {
      return sessions.entries.find({
        label: label ?? "",
        agentId: toAgentId(inAgent ?? caller.agentId),
        prefer,
      });
    }
    const key = parseSessionKey(session, { agentId: caller.agentId }).key;
    const found =
      (await sessions.entries.get(key)) ??
      (UUID.test(session) ? await sessions.entries.find({ id: session }) : undefined);
    if (found) return found;
    const isOwn = key === sessionKey || key === mainSessionKey(parseSessionKey(key).agentId);
    if (isOwn && source.hasAgent(parseSessionKey(key).agentId)) return sessions.entries.open(key);
    throw new ToolError(
      "not_found",
      `No session is known as "${session.slice(0, 100)}". List them with sessions_list.`,
      { reason: "session_unknown" },
    );
  }

  /** The caller's session, with the chat it was called from as its route. */
  async function openOwn(): Promise<FoundEntry> {
    const own = await sessions.entries.open(sessionKey);
    const { messageChannel: channel, agentAccountId: accountId } = given;
    if (channel === undefined || channel === own.entry.route?.channel) return own;
    const route = { channel, accountId };
    return sessions.entries.change(sessionKey, (entry) => ({ ...entry, route }));
  }

  async function findVisible(reference: SessionReference, action: Action): Promise<FoundEntry> {
    const all = await sessions.entries.all();
    const isVisible = (one: FoundEntry) => refusalOf(one, all, action) === undefined;
    const found = await findTarget(reference, isVisible);
    const refusal = refusalOf(found, all, action);
    if (refusal) throw new ToolError("denied", refusal.message, { reason: refusal.reason });
    return found;
  }

  async function toRow(found: FoundEntry): Promise<SessionRow> {
    const running = workers.active(found.key) !== undefined;
    const row = toSessionRow(found, { running });
    return { ...row, key: displayKey(found.key, caller.agentId) };
  }

  const newRun = (
    record: Pick<RunRecord, "kind" | "sessionKey" | "task" | "notify" | "hops"> &
      Partial<RunRecord>,
  ): RunRecord => ({
    ...{ state: "queued", createdAtMs: clock.now(), inputTokens: 0, outputTokens: 0, usd: 0 },
    requester: { sessionKey, toolCallId: caller.toolCallId },
    ...record,
  });

  const whileWaiting = <T>(work: () => Promise<T>): Promise<T> => {
    const active = workers.active(sessionKey);
    return active === undefined ? work() : active.place.during(work);
  };

  return {
    ...{ source, sessionKey, config, agentId: caller.agentId, toolCallId: caller.toolCallId },
    ...{ refusalOf, openOwn, findVisible, toRow, newRun, whileWaiting },
  };
}
