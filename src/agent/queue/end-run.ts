// The end of a run: its record, the replies it owes, the next step of an exchange and the counters of the
// session, in one transaction.

import type { StoreOperation } from "../../core/index.js";
import {
  mainSessionKey,
  parseSessionKey,
  pushOperations,
  retryRace,
  type SessionEntry,
} from "../../sessions/index.js";
import { isSilent, type PreparedPost, preparePost, readHeartbeat } from "../chat-posts.js";
import type { AgentEventBody } from "../events.js";
import type { RunEnd } from "../run/run.js";
import { nextStep } from "../spawn/exchange.js";
import { ENDED, type FoundRun, type RunOutcome } from "../spawn/runs.js";
import type { LiveSession } from "./live-session.js";
import type { RunSessionDeps } from "./run-session.js";

export async function endRun(
  live: LiveSession,
  deps: RunSessionDeps,
  { end, emit }: { readonly end: RunEnd; readonly emit: (body: AgentEventBody) => void },
): Promise<void> {
  const { transcript, key } = live;
  const { openRun } = transcript.fold;
  if (openRun === undefined) return;
  const { run, about, text, inputTokens, outputTokens, usd } = openRun;
  const { state, reason } = end;
  const isError = state !== "done" && state !== "limit";
  const error = isError ? reason : undefined;
  const commit = async () => {
    const known = await Promise.all(about.map((id) => deps.runs.get(id)));
    const open = known.flatMap((one) => (one && !ENDED.has(one.record.state) ? [one] : []));
    const found = await Promise.all(open.map((one) => redirect(one, deps)));
    const post = state === "done" ? await findPost(live, deps, found[0]) : undefined;
    const delivery = post?.status;
    const outcome = { state, reply: text, error, delivery, inputTokens, outputTokens, usd };
    const { operations, wake } = deps.runs.endOperations(found, outcome);
    // A run that also answered something else does not speak for the exchange.
    const step = about.length === 1 ? await prepareStep(found[0], outcome, deps) : undefined;
    const entry = await deps.sessions.entries.open(key);
    const counted = deps.sessions.entries.replaceOperation(entry, {
      ...countRun(entry.entry, live, deps),
      abortedLastRun: state === "cancelled",
    });
    await transcript.append([{ type: "end", run, state, reason }], {
      also: [...operations, ...(step?.operations ?? []), ...(post?.operations ?? []), counted],
      durability: "disk",
    });
    return { delivery, wake: step ? [...wake, step.sessionKey] : wake };
  };
  const toWake = await deps.whileEnding(about, async () => {
    const { delivery, wake } = await retryRace(commit);
    emit({ type: "end", state, text, error, delivery });
    return wake;
  });
  for (const sessionKey of toWake) deps.wake(sessionKey);
}

/** For the chat of the session: the answer to a result, an announcement, or a heartbeat. */
async function findPost(
  { transcript, key, parts }: LiveSession,
  { sessions, post }: RunSessionDeps,
  run: FoundRun | undefined,
): Promise<PreparedPost | undefined> {
  const { run: id = "", kind, text = "" } = transcript.fold.openRun ?? {};
  const isHeartbeat = kind === "heartbeat";
  const isAnnouncement = run?.record.exchange?.step === "announce";
  if (isSilent(text) || !(kind === "completion" || isHeartbeat || isAnnouncement)) return undefined;
  const { target = "last" } = isHeartbeat ? readHeartbeat(parts.config, parts.agentId) : {};
  if (target === "none") return undefined;
  const last = (await sessions.entries.get(key))?.entry.route ?? {};
  const route = target === "last" ? last : { channel: target };
  return route.channel === undefined
    ? undefined
    : preparePost(post, { id, sessionKey: key, route, text });
}

async function prepareStep(
  run: FoundRun | undefined,
  outcome: RunOutcome,
  { sessions, runs, clock, post }: RunSessionDeps,
): Promise<{ sessionKey: string; operations: StoreOperation[] } | undefined> {
  const { exchange, hops = 0 } = run?.record ?? {};
  if (exchange === undefined) return undefined;
  const target = await sessions.entries.get(exchange.target);
  const hasChat = post !== undefined && target?.entry.route?.channel !== undefined;
  const step = nextStep(exchange, { outcome, hasChat });
  if (step === undefined || !(await sessions.entries.get(step.sessionKey))) return undefined;
  const { runId, sessionKey, from, text } = step;
  const record = runs.createOperations(runId, {
    ...{ kind: "send", state: "queued", notify: "none", sessionKey, hops: hops + 1 },
    ...{ task: text, exchange: step.exchange, createdAtMs: clock.now() },
    ...{ inputTokens: 0, outputTokens: 0, usd: 0 },
  });
  const content = [{ type: "text" as const, text }];
  const atMs = clock.now();
  const item = { kind: "exchange" as const, content, runId, from, hops: hops + 1, atMs };
  return { sessionKey, operations: [...record, ...pushOperations(sessionKey, [item])] };
}

/** The completion for a requester that was deleted goes to the main session of its agent. */
async function redirect(run: FoundRun, { sessions }: RunSessionDeps): Promise<FoundRun> {
  const { requester } = run.record;
  if (requester === undefined || (await sessions.entries.get(requester.sessionKey))) return run;
  const { agentId } = parseSessionKey(requester.sessionKey);
  const { key } = await sessions.entries.open(mainSessionKey(agentId));
  const deletedKey = requester.sessionKey;
  return { ...run, record: { ...run.record, requester: { sessionKey: key, deletedKey } } };
}

function countRun(entry: SessionEntry, live: LiveSession, { clock }: RunSessionDeps): SessionEntry {
  const { openRun, counted } = live.transcript.fold;
  return {
    ...{ ...entry, updatedAtMs: clock.now(), ...nameModel(live) },
    inputTokens: entry.inputTokens + (openRun?.inputTokens ?? 0),
    outputTokens: entry.outputTokens + (openRun?.outputTokens ?? 0),
    usd: entry.usd + (openRun?.usd ?? 0),
    contextTokens: counted.tokens + Math.ceil(counted.charsSince / 4),
  };
}

function nameModel({ choices }: LiveSession) {
  const model = choices[0]?.model;
  if (model === undefined) return {};
  return { model: `${model.provider}/${model.id}`, contextWindow: model.contextWindow };
}
