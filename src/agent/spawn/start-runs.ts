// What one session starts in another: a message whose reply it may wait for, or a sub-agent.

import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import { ToolError, ToolInputError } from "../../core/index.js";
import type { CallerSessions } from "../../core/server.js";
import {
  checkLabel,
  displayKey,
  type InboxItem,
  retryRace,
  toAgentId,
} from "../../sessions/index.js";
import type { AgentParts } from "../agent-parts.js";
import { THINKING_LEVELS } from "../run/run.js";
import type { CallerView } from "./caller-view.js";
import { countTurns, type Exchange } from "./exchange.js";
import { ENDED, type FoundRun } from "./runs.js";

const MAX_HOPS = 20;
const MAX_TEXT_CHARS = 200_000;
const DEFAULT_MAX_DEPTH = 1;
const DEFAULT_MAX_CHILDREN = 5;
const SECOND_MS = 1_000;

interface NewExchange {
  readonly runId: string;
  readonly target: string;
  readonly hops: number;
}

export function createRunStarts(view: CallerView): Pick<CallerSessions, "send" | "spawn"> {
  const { source, sessionKey, agentId, config, openOwn, findVisible, newRun, whileWaiting } = view;
  const { store, sessions, runs, clock, workers } = source;

  function nextHop(): number {
    const hops = (workers.active(sessionKey)?.hops() ?? 0) + 1;
    if (hops <= MAX_HOPS) return hops;
    throw new ToolError(
      "limit",
      `Sessions have sent ${MAX_HOPS} messages to each other in a row, which is the limit. Ask a person before you go on.`,
      { reason: "too_many_hops" },
    );
  }

  return {
    async send({ target, message, timeoutMs, signal }) {
      const { key } = await findVisible(target, "messaging");
      if (key === sessionKey) {
        throw new ToolInputError(
          "A session cannot send a message to itself. Name another session.",
          { reason: "own_session" },
        );
      }
      const text = checkText(message, "message");
      await openOwn();
      const runId = source.newId();
      const hops = nextHop();
      const exchange = await openExchange({ runId, target: key, hops });
      const notify = timeoutMs > 0 ? "reply" : "announce";
      const record = newRun({ kind: "send", sessionKey: key, task: text, notify, hops, exchange });
      const item: InboxItem = {
        ...{ kind: "session_message", content: [{ type: "text", text }], runId, hops },
        ...{ from: sessionKey, atMs: clock.now() },
      };
      await source.push(key, item, runs.createOperations(runId, record));
      const shown = { runId, sessionKey: displayKey(key, agentId) };
      if (timeoutMs <= 0) return { ...shown, status: "accepted" };
      try {
        await whileWaiting(() => source.waits.until(runId, { timeoutMs, signal }));
      } catch (error) {
        // It may have ended at this moment; its reply is announced as well.
        if (await runs.announceLater(runId)) await runs.recoverWaits(sessionKey);
        workers.wake(sessionKey);
        throw error;
      }
      const ended = await runs.announceLater(runId);
      if (ended === undefined) return { ...shown, status: "accepted" };
      await takeReply(ended);
      const { state, reply, error } = ended.record;
      return {
        ...shown,
        status: state === "done" || state === "limit" ? "ok" : "error",
        reply,
        error,
      };
    },
    async spawn(request) {
      const target = toAgentId(request.agentId ?? agentId);
      const limits = readSpawnRules(config, agentId);
      if (target !== agentId && !limits.allows(target)) {
        throw new ToolError(
          "denied",
          `agentId is not allowed for sessions_spawn (allowed: ${limits.allowed.join(", ") || "none"}).`,
          { reason: "agent_not_allowed" },
        );
      }
      if (!source.hasAgent(target)) {
        throw new ToolError("not_found", `No agent has the id "${target}".`, {
          reason: "agent_unknown",
        });
      }
      const task = checkText(request.task, "task");
      const thinking = checkThinking(request.thinking);
      const childSessionKey = `agent:${target}:subagent:${source.newId()}`;
      const { modelOverride, warning } = chooseModel(
        source.partsOf(childSessionKey),
        request.model ?? limits.model,
      );
      const runId = source.newId();
      const label = request.label === undefined ? undefined : checkLabel(request.label);
      const hops = nextHop();
      const runTimeoutMs = request.runTimeoutMs ?? limits.runTimeoutMs;
      const record = newRun({
        ...{ kind: "spawn", sessionKey: childSessionKey, task, notify: "announce", hops, label },
        ...(runTimeoutMs > 0 ? { deadlineMs: clock.now() + runTimeoutMs } : {}),
      });
      const item: InboxItem = {
        ...{ kind: "message", content: [{ type: "text", text: task }], runId },
        ...{ from: sessionKey, hops, atMs: clock.now() },
      };
      await retryRace(async () => {
        const own = await openOwn();
        const depth = own.entry.depth + 1;
        await assertLimits(depth, limits);
        await source.push(childSessionKey, item, [
          // Calls made at once write the same row: each counts those before it.
          sessions.entries.replaceOperation(own, own.entry),
          sessions.entries.createOperation(childSessionKey, {
            ...{ depth, spawnedBy: sessionKey, label, modelOverride, thinking },
            instructions: toInstructions(sessionKey),
            isTemporary: request.cleanup === "delete",
          }),
          ...runs.createOperations(runId, record),
        ]);
      });
      return { runId, childSessionKey, modelApplied: modelOverride !== undefined, warning };
    },
  };

  async function assertLimits(depth: number, limits: SpawnRules): Promise<void> {
    if (depth > limits.maxDepth) {
      throw new ToolError(
        "limit",
        `Sub-agents may be nested ${limits.maxDepth} deep (agents.defaults.subagents.maxSpawnDepth).`,
        { reason: "spawn_depth" },
      );
    }
    const running = (await runs.childrenOf(sessionKey)).filter(
      ({ record }) => record.kind === "spawn" && !ENDED.has(record.state),
    );
    if (running.length < limits.maxChildren) return;
    throw new ToolError(
      "limit",
      `This session already has ${running.length} sub-agents running (agents.defaults.subagents.maxChildrenPerAgent). Wait for one to end.`,
      { reason: "too_many_children" },
    );
  }

  /** Only for an agent's own message: a program that sends one has no turn in which to answer. */
  async function openExchange({ runId, target, hops }: NewExchange): Promise<Exchange | undefined> {
    if (workers.active(sessionKey) === undefined) return undefined;
    const all = await source.sessions.entries.all();
    const turns = countTurns({ config, hops, requester: sessionKey, target, all });
    return { id: runId, requester: sessionKey, target, step: 0, turns };
  }

  /** With the result of the waiting call when a run of ours makes it, so that neither is lost alone. */
  async function takeReply(ended: FoundRun): Promise<void> {
    const operations = runs.takeOperations(ended);
    const { toolCallId } = view;
    if (toolCallId !== undefined && workers.active(sessionKey))
      source.settlements.set(toolCallId, operations);
    else await store.transact(operations);
  }
}

function chooseModel(parts: AgentParts, wanted: string | undefined) {
  if (wanted === undefined) return { modelOverride: undefined, warning: undefined };
  try {
    parts.choose(wanted);
    return { modelOverride: wanted, warning: undefined };
  } catch (error) {
    // As documented: the child works with its usual model, and the answer says so.
    return {
      modelOverride: undefined,
      warning: error instanceof Error ? error.message : String(error),
    };
  }
}

function checkThinking(given: string | undefined) {
  const level = THINKING_LEVELS.find((known) => known === given?.trim().toLowerCase());
  if (given === undefined || level !== undefined) return level;
  throw new ToolInputError(
    `"${given.slice(0, 40)}" is not a thinking level. Use one of: ${THINKING_LEVELS.join(", ")}.`,
    { reason: "thinking_unknown" },
  );
}

function toInstructions(requester: string): string {
  return [
    `You are a sub-agent started by session ${requester}.`,
    "Do the task you are given and nothing else. Your last message is reported to that session.",
  ].join(" ");
}

export function checkText(text: string, what: string): string {
  if (text.trim() === "")
    throw new ToolInputError(`The ${what} is empty.`, { reason: "text_empty" });
  if (text.length <= MAX_TEXT_CHARS) return text;
  throw new ToolError(
    "limit",
    `The ${what} has ${text.length} characters; the limit is ${MAX_TEXT_CHARS}. Put it into a file and name the file.`,
    { reason: "text_too_long" },
  );
}

/** Limits for sub-agents, from the config of the agent that starts them. */
interface SpawnRules {
  readonly maxDepth: number;
  readonly maxChildren: number;
  /** 0: no limit. */
  readonly runTimeoutMs: number;
  readonly model: string | undefined;
  /** Other agents that may be started, as configured. */
  readonly allowed: readonly string[];
  allows(agentId: string): boolean;
}

function readSpawnRules(config: ClawtoolsConfig, agentId: string): SpawnRules {
  const defaults = config.agents?.defaults?.subagents;
  const own = findAgent(config, agentId)?.subagents;
  const allowed = own?.allowAgents ?? defaults?.allowAgents ?? [];
  const model = own?.model ?? defaults?.model;
  return {
    maxDepth: defaults?.maxSpawnDepth ?? DEFAULT_MAX_DEPTH,
    maxChildren: defaults?.maxChildrenPerAgent ?? DEFAULT_MAX_CHILDREN,
    runTimeoutMs: (defaults?.runTimeoutSeconds ?? 0) * SECOND_MS,
    model: typeof model === "string" ? model : model?.primary,
    allowed,
    allows: (id) => allowed.some((name) => name === "*" || name.toLowerCase() === id),
  };
}
