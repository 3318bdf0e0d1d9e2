// `sessions.create`: a new conversation, with its first message when there is one.

import { ToolInputError, t } from "../../core/index.js";
import { readField } from "../../lib/read-field.js";
import { readAttachments } from "../agent/attachments.js";
import { findSessionKey } from "../agents.js";
import { defineMethod } from "../services.js";
import { announce } from "./sessions.js";

/** Of OpenClaw clients. They limit or move the session, so they must not be ignored. */
const UNSUPPORTED = [
  ...["cwd", "execNode", "fork", "incognito", "permissionMode", "projectGitUrl", "projectId"],
  ...["toolOverrides", "worktree"],
];

const text = (description: string) => t.optional(t.string({ description, minLength: 1 }));

const create = defineMethod({
  name: "sessions.create",
  params: t.object({
    agentId: text("Agent; default: the default agent."),
    key: text("Session key; default: a new one."),
    label: text("Label."),
    displayName: text("Title."),
    model: text("`provider/model`."),
    thinkingLevel: text("off, minimal, low, medium or high."),
    message: t.optional(t.string({ description: "First message." })),
    attachments: t.optional(t.array(t.unknown(), { description: "As in `chat.send`." })),
    idempotencyKey: text("Names the run of the first message."),
  }),
  scope: "operator.write",
  idempotent: true,
  help: "Opens a session, and sends its first message if there is one.",
  async run({ services, signal }, params) {
    assertSupported(params);
    const { agent, agents, random, images } = services;
    const { agentId, label, displayName, model, thinkingLevel, message = "", attachments } = params;
    const sessionKey = params.key ?? `chat:${random.hex(8)}`;
    const key = findSessionKey(agents, { sessionKey, agentId });
    const content =
      message === "" && attachments === undefined
        ? undefined
        : await readAttachments({ message, attachments, images, signal });
    await agent.sessionStore.entries.open(key, { displayName });
    const caller = agent.sessions.as({ sessionKey: key });
    await caller.patch({ session: key }, { label, model, thinking: thinkingLevel });
    announce(services, key, "create");
    const { entry } = await agent.sessionStore.entries.open(key);
    const created = { ok: true, key, sessionId: entry.sessionId };
    if (content === undefined) return { ...created, runStarted: false };
    const runId = params.idempotencyKey;
    const run = await agent.start({ message: content, sessionKey: key, runId });
    return { ...created, runStarted: true, runId: run.runId };
  },
});

export const NEW_SESSION_METHODS = [create] as const;

function assertSupported(params: unknown): void {
  const name = UNSUPPORTED.find((one) => (readField(params, one) ?? false) !== false);
  if (name === undefined) return;
  throw new ToolInputError(`sessions.create: this gateway does not support ${name}.`, {
    reason: "invalid_params",
  });
}
