// What the model sees of `sessions_history`: the transcript of one session.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  sessionKey: t.string({
    description: "Session key or id, as sessions_list gives it.",
    minLength: 1,
  }),
  limit: t.optional(
    t.integer({ description: "Number of messages, newest kept (default 50).", minimum: 1 }),
  ),
  includeTools: t.optional(t.boolean({ description: "Include tool messages (default false)." })),
});

const needs = ["sessions"] as const;

export type SessionsHistoryCall = ToolCall<typeof parameters, typeof needs>;

export const sessionsHistory = defineBuiltIn({
  name: "sessions_history",
  description:
    "Read the last messages of another session, oldest first. Long messages are shortened and secrets removed; the answer says what was left out.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { sessionId: "sessionKey" },
  guidance: ["Find the session with sessions_list first; read no more messages than you need."],
  load: () => import("./execute.js"),
});
