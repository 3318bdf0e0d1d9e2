// What the model sees of `session_status`: the state of a session, and its model override.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  sessionKey: t.optional(
    t.string({ description: "Session key or id; default this session.", minLength: 1 }),
  ),
  model: t.optional(
    t.string({
      description: 'Set its model, as provider/model; "default" removes the override.',
    }),
  ),
});

const needs = ["sessions"] as const;

export type SessionStatusCall = ToolCall<typeof parameters, typeof needs>;

export const sessionStatus = defineBuiltIn({
  name: "session_status",
  description:
    "Show a session's time, model, token use, context fill and settings; with model, change its model first.",
  parameters,
  effects: { destructive: false, idempotent: true, openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { sessionId: "sessionKey" },
  guidance: [
    "Call session_status when you need the current date and time, or are asked about model or usage.",
  ],
  load: () => import("./execute.js"),
});
