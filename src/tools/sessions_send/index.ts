// What the model sees of `sessions_send`: a message into another session, and its reply.

import {
  type DetailsOf,
  defineBuiltIn,
  jsonResult,
  type ToolCall,
  ToolInputError,
  t,
} from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";

const DEFAULT_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 60 * 60;
const DEADLINE_RESERVE_MS = 5 * 60_000;

const parameters = t.object({
  sessionKey: t.optional(
    t.string({ description: "Target session key or id; give this or label.", minLength: 1 }),
  ),
  label: t.optional(
    t.string({ description: "Target by its label instead.", minLength: 1, maxLength: 64 }),
  ),
  agentId: t.optional(t.string({ description: "With label: the agent that owns it." })),
  message: t.string({ description: "Text to send.", minLength: 1 }),
  timeoutSeconds: t.optional(
    t.number({
      description: "How long to wait for the reply; default 30, at most 3600, 0 = do not wait.",
      minimum: 0,
    }),
  ),
});

const needs = ["sessions"] as const;

export type SessionsSendCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `sessions_send`. */
export type SessionsSendDetails = DetailsOf<typeof execute>;

export const sessionsSend = defineBuiltIn({
  name: "sessions_send",
  description:
    "Send a message into another session and wait for its reply. Returns status and runId, and the reply when it came in time; after a timeout the run goes on, so do not send the message again.",
  parameters,
  effects: { destructive: false, idempotent: false, openWorld: true },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { sessionId: "sessionKey", text: "message" },
  deadlineMs: MAX_WAIT_SECONDS * 1000 + DEADLINE_RESERVE_MS,
  guidance: [
    "Both sides may answer each other for a few turns: reply exactly REPLY_SKIP to end the exchange, and ANNOUNCE_SKIP in the announce step to post nothing.",
    "status ok means the other run has finished, not that anything was posted to a chat.",
  ],
  execute,
});

async function execute(call: SessionsSendCall) {
  const {
    sessionKey,
    label,
    agentId,
    message,
    timeoutSeconds = DEFAULT_WAIT_SECONDS,
  } = call.params;
  if (sessionKey !== undefined && label !== undefined) {
    throw new ToolInputError("Provide either sessionKey or label (not both).");
  }
  if (sessionKey === undefined && label === undefined) {
    throw new ToolInputError("Either sessionKey or label is required.");
  }
  const {
    runId,
    sessionKey: target,
    status,
    reply,
    error,
  } = await sessionsOf(call).send({
    target: { session: sessionKey, label, agentId },
    message,
    timeoutMs: Math.min(timeoutSeconds, MAX_WAIT_SECONDS) * 1_000,
    signal: call.signal,
  });
  const delivery = { status: "pending", mode: "announce" } as const;
  const result = jsonResult({
    ...{ runId, status, sessionKey: target },
    ...(reply === undefined ? {} : { reply }),
    ...(error === undefined ? {} : { error }),
    ...(status === "accepted" ? { delivery } : {}),
  });
  if (status === "accepted") {
    const notices = ["The run goes on; its reply arrives here as a message. Do not send it again."];
    return { ...result, notices };
  }
  // What the other agent says may come from people and pages that it read.
  return reply === undefined ? result : { ...result, untrusted: { source: `session ${target}` } };
}
