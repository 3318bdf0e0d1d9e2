// Methods that start runs and wait for them: `agent` answers twice, when it has accepted and at the end.

import { ToolError, t } from "../../core/index.js";
import type { RunRow } from "../../core/server.js";
import { parseSessionKey } from "../../sessions/index.js";
import { attachmentsParam, readAttachments } from "../agent/attachments.js";
import { findSessionKey } from "../agents.js";
import { defineMethod } from "../services.js";

const DEFAULT_WAIT_MS = 30_000;
const MAX_WAIT_MS = 48 * 60 * 60_000;
const SECOND_MS = 1_000;
const DEFAULT_NAME = "clawtools";

const text = (description: string) => t.string({ description, minLength: 1 });
const optionalText = (description: string) => t.optional(text(description));

const run = defineMethod({
  name: "agent",
  params: t.object({
    message: t.string({ description: "What to do." }),
    agentId: optionalText("Default: the default agent."),
    sessionKey: optionalText("Default: the agent's main session."),
    sessionId: optionalText("The session by its id."),
    model: optionalText("`provider/model` from this message on."),
    thinking: optionalText("off, minimal, low, medium or high."),
    channel: optionalText("Where replies go."),
    to: optionalText("Whom replies go to."),
    timeout: t.optional(
      t.number({ description: "Time limit in seconds; 0 means none.", minimum: 0 }),
    ),
    attachments: attachmentsParam(),
    idempotencyKey: optionalText(
      "Names the run; the same request again joins it, another one is refused.",
    ),
  }),
  scope: "operator.write",
  help: "Sends a message to an agent; answers when it is accepted and again at the end.",
  async run({ services, respond, signal }, params) {
    const { agent } = services;
    const { channel, to, model, thinking, timeout = 0 } = params;
    const sessionKey = await findKey(services, params);
    const { message, attachments } = params;
    const { images } = services;
    const content = await readAttachments({ message, attachments, images, signal });
    const started = await agent.start({
      ...{ message: content, sessionKey, model, thinking },
      runId: params.idempotencyKey,
      ...(timeout > 0 ? { timeoutMs: timeout * SECOND_MS } : {}),
      ...(channel === undefined ? {} : { route: { channel, to } }),
    });
    const { runId } = started;
    const { agentId } = parseSessionKey(started.sessionKey);
    const acceptedAt = Math.floor(services.clock.now());
    respond({ runId, sessionKey: started.sessionKey, agentId, status: "accepted", acceptedAt });
    // The run goes on when the client is gone: `agent.wait` and `chat.history` have its end.
    return toRunAnswer(await agent.wait(runId, { signal }));
  },
});

const wait = defineMethod({
  name: "agent.wait",
  params: t.object({
    runId: text("Run."),
    timeoutMs: t.optional(
      t.number({ description: "Default 30,000.", minimum: 0, maximum: MAX_WAIT_MS }),
    ),
  }),
  scope: "operator.read",
  help: "Waits for the end of a run.",
  async run({ services, signal }, { runId, timeoutMs = DEFAULT_WAIT_MS }) {
    if ((await services.agent.run(runId)) === undefined) return { runId, status: "timeout" };
    const row = await services.agent.wait(runId, { timeoutMs, signal });
    const startedAt = Math.floor(row.createdAtMs);
    if (row.endedAtMs === undefined) return { runId, status: "timeout", startedAt };
    const endedAt = Math.floor(row.endedAtMs);
    const isOk = row.state === "done" || row.state === "limit";
    return {
      runId,
      status: isOk ? "ok" : "error",
      startedAt,
      endedAt,
      ...(row.error && { error: row.error }),
    };
  },
});

const identity = defineMethod({
  name: "agent.identity.get",
  params: t.object({
    agentId: optionalText("Default: the agent of the session."),
    sessionKey: optionalText("Default: the main session."),
  }),
  scope: "operator.read",
  help: "The name of an agent.",
  run({ services: { agents } }, params) {
    const { agentId } = parseSessionKey(findSessionKey(agents, params));
    const name = agents.list().find(({ id }) => id.toLowerCase() === agentId)?.name;
    const nameSource = name === undefined ? "default" : "config";
    return { agentId, name: name ?? DEFAULT_NAME, nameSource };
  },
});

export const AGENT_METHODS = [run, wait, identity] as const;

async function findKey(
  { agent, agents }: Parameters<typeof run.run>[0]["services"],
  { sessionKey, sessionId, agentId }: { sessionKey?: string; sessionId?: string; agentId?: string },
): Promise<string> {
  if (sessionKey === undefined && sessionId !== undefined) {
    const { key } = await agent.sessionStore.entries.find({ id: sessionId });
    return findSessionKey(agents, { sessionKey: key, agentId });
  }
  return findSessionKey(agents, { sessionKey, agentId });
}

function toRunAnswer({ runId, state, reply = "", error, ...row }: RunRow) {
  if (state !== "done" && state !== "limit") {
    const message = error ?? `The run was ${state}.`;
    throw new ToolError(state === "cancelled" ? "aborted" : "failed", message, {
      reason: "run_failed",
      // The payload goes on the wire next to the error.
      details: {
        ...{ runId, status: "error", state, summary: message, ...usageOf(row) },
        payload: { runId, status: "error", summary: message },
      },
    });
  }
  const durationMs = Math.floor((row.endedAtMs ?? row.createdAtMs) - row.createdAtMs);
  return {
    ...{ runId, status: "ok", summary: "completed" },
    result: {
      payloads: reply === "" ? [] : [{ text: reply, mediaUrl: null }],
      meta: { durationMs, agentMeta: { sessionKey: row.sessionKey, state, ...usageOf(row) } },
    },
  };
}

function usageOf({
  inputTokens: input,
  outputTokens: output,
  usd,
}: Omit<RunRow, "runId" | "state">) {
  return { usage: { input, output }, usd };
}
