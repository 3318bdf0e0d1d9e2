// What the model sees of `sessions_list`; which sessions are visible is decided by the store.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({
  kinds: t.optional(
    t.array(t.choice(["main", "group", "cron", "hook", "node", "other"]), {
      description: "Only these kinds; default all.",
    }),
  ),
  limit: t.optional(t.integer({ description: "Number of sessions (default 50).", minimum: 1 })),
  activeMinutes: t.optional(
    t.number({ description: "Only sessions active in the last N minutes.", minimum: 1 }),
  ),
  messageLimit: t.optional(
    t.integer({
      description: "Add the last N messages of each, without tool messages (default 0: none).",
      minimum: 0,
    }),
  ),
});

const needs = ["sessions"] as const;

export type SessionsListCall = ToolCall<typeof parameters, typeof needs>;

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
  load: () => import("./execute.js"),
});
