// Methods for a conversation view: send, history, stop.

import { ToolError, t } from "../../core/index.js";
import type { HistoryMessage } from "../../core/server.js";
import { attachmentsParam, readAttachments } from "../agent/attachments.js";
import { toMessage } from "../agent/wire-events.js";
import { findSessionKey } from "../agents.js";
import { defineMethod, type GatewayServices } from "../services.js";

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const MAX_CHARS = 100_000;
const STOPPED = "stopped by the user";
const STOP_WORDS = ["/stop", "stop", "abort", "esc", "wait", "exit"];

const key = () => t.string({ description: "Session; `main` is the main session.", minLength: 1 });
const agentId = () => t.optional(t.string({ description: "Agent.", minLength: 1 }));
const historyParams = t.object({
  sessionKey: key(),
  agentId: agentId(),
  limit: t.optional(
    t.integer({ description: "Messages, newest; default 200.", minimum: 1, maximum: MAX_LIMIT }),
  ),
  maxBytes: t.optional(
    t.integer({ description: "Accepted for OpenClaw clients; unused.", minimum: 1 }),
  ),
});

const send = defineMethod({
  name: "chat.send",
  params: t.object({
    sessionKey: key(),
    agentId: agentId(),
    message: t.string({ description: "What to say." }),
    attachments: attachmentsParam(),
    timeoutMs: t.optional(t.number({ description: "Time limit of the run.", minimum: 1 })),
    idempotencyKey: t.string({
      description: "Names the run; the same request again joins it, another one is refused.",
      minLength: 1,
    }),
  }),
  scope: "operator.write",
  help: "Sends a message; the answer arrives as `chat` events.",
  async run({ services, signal }, params) {
    const { agent, images } = services;
    const sessionKey = findSessionKey(services.agents, params);
    const { idempotencyKey: runId, timeoutMs, message, attachments } = params;
    if (
      STOP_WORDS.includes(message.trim().toLowerCase()) &&
      agent.running(sessionKey) !== undefined
    ) {
      agent.abort(sessionKey, STOPPED);
      return { runId, status: "ok", aborted: true };
    }
    const content = await readAttachments({ message, attachments, images, signal });
    await agent.start({ message: content, sessionKey, runId, timeoutMs });
    return { runId, status: "started" };
  },
});

const history = defineMethod({
  name: "chat.history",
  params: historyParams,
  scope: "operator.read",
  help: "The newest messages of a session.",
  run: ({ services }, params) => readHistory(services, params),
});

const startup = defineMethod({
  name: "chat.startup",
  params: historyParams,
  scope: "operator.read",
  help: "What a conversation view needs to begin.",
  async run({ services }, params) {
    const sessionKey = findSessionKey(services.agents, params);
    const runId = services.agent.running(sessionKey);
    return { ...(await readHistory(services, params)), ...(runId ? { activeRunId: runId } : {}) };
  },
});

const abort = defineMethod({
  name: "chat.abort",
  params: t.object({
    sessionKey: key(),
    agentId: agentId(),
    runId: t.optional(t.string({ description: "Only this run, also if it waits.", minLength: 1 })),
  }),
  scope: "operator.write",
  help: "Stops the run of a session.",
  async run({ services: { agent, agents } }, params) {
    const sessionKey = findSessionKey(agents, params);
    const running = agent.running(sessionKey);
    const { runId = running } = params;
    const stop = async () => {
      if (runId === undefined) return false;
      if (runId === running) return agent.abort(sessionKey, STOPPED);
      const isOwn = (await agent.run(runId))?.sessionKey === sessionKey;
      return isOwn && (await agent.cancel(runId, STOPPED));
    };
    const aborted = await stop();
    return { ok: true, aborted, runIds: aborted ? [runId] : [] };
  },
});

export const CHAT_METHODS = [send, history, startup, abort] as const;

async function readHistory(
  services: GatewayServices,
  params: { sessionKey: string; agentId?: string; limit?: number },
) {
  const sessionKey = findSessionKey(services.agents, params);
  const { sessionStore } = services.agent;
  const found = await sessionStore.entries.get(sessionKey);
  if (found === undefined) return { sessionKey, messages: [] };
  const { messages } = await sessionStore.history(found, {
    ...{ limit: params.limit ?? DEFAULT_LIMIT, includeTools: false, maxChars: MAX_CHARS },
  });
  const { sessionId, thinking } = found.entry;
  return {
    sessionKey,
    sessionId,
    messages: messages.map(toWire),
    ...(thinking && { thinkingLevel: thinking }),
  };
}

/** A transcript shows what was said; results of tools are left out above. */
function toWire({ role, content, atMs, id, runId }: HistoryMessage) {
  if (role === "toolResult")
    throw new ToolError("internal", "Tool results are not part of this view.");
  const text = content.map((part) => part.text).join("\n");
  const sentAs = role === "user" ? { idempotencyKey: runId } : {};
  const facts = { id, seq: Number(id), ...sentAs };
  return { ...toMessage(role, text, Math.floor(atMs)), __openclaw: facts };
}
