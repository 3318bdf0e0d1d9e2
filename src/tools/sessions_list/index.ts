// What the model sees of `sessions_list`; which sessions are visible is decided by the store.

import { type DetailsOf, defineBuiltIn, jsonResult, type ToolCall, t } from "../../core/index.js";
import { type SessionRow, sessionsOf } from "../../core/server.js";

/** The store clamps requests beyond the limits. */
const MAX_SESSIONS = 200;
const parameters = t.object({
  kinds: t.optional(
    t.array(t.choice(["main", "group", "cron", "hook", "node", "other"]), {
      description: "Only these kinds; default all.",
    }),
  ),
  limit: t.optional(t.integer({ description: "Number of sessions, 1 to 200 (default 50)." })),
  activeMinutes: t.optional(
    t.number({ description: "Only sessions active in the last N minutes.", minimum: 1 }),
  ),
  messageLimit: t.optional(
    t.integer({
      description:
        "Add the last N messages of each, at most 20, without tool messages (default 0: none).",
    }),
  ),
});

const needs = ["sessions"] as const;

export type SessionsListCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `sessions_list`. */
export type SessionsListDetails = DetailsOf<typeof execute>;

export const sessionsList = defineBuiltIn({
  name: "sessions_list",
  description:
    "List the sessions this one may see, newest first, with key, kind, channel, label, model and last activity. Says when some are left out and why.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  guidance: ['The key "main" is the direct chat with the user.'],
  execute,
});

async function execute(call: SessionsListCall) {
  const { messageLimit = 0 } = call.params;
  const { sessions, total, hidden } = await sessionsOf(call).list(call.params);
  const result = jsonResult({ count: sessions.length, sessions: sessions.map(toShown) });
  const notices: string[] = [];
  if (total > sessions.length) {
    const rest = total - sessions.length;
    notices.push(
      `${rest} more; narrow with kinds or activeMinutes, or raise limit (at most ${MAX_SESSIONS}).`,
    );
  }
  if (hidden) notices.push(`${hidden.count} not shown: ${hidden.reason}`);
  // Messages may quote people and pages.
  const isQuoting = messageLimit > 0 && sessions.length > 0;
  return { ...result, ...(isQuoting ? { untrusted: { source: "sessions" } } : {}), notices };
}

function toShown({ updatedAtMs, messages, ...row }: SessionRow): Record<string, unknown> {
  const shown = messages?.map(({ role, content, atMs }) => ({
    role,
    text: content.map(({ text }) => text).join("\n"),
    at: new Date(atMs).toISOString(),
  }));
  return {
    ...row,
    updatedAt: new Date(updatedAtMs).toISOString(),
    ...(shown === undefined ? {} : { messages: shown }),
  };
}
