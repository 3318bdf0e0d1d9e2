// What the model sees of `sessions_history`: the transcript of one session.

import { type DetailsOf, defineBuiltIn, jsonResult, type ToolCall, t } from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";

/** The store clamps a larger limit. */
const MAX_MESSAGES = 500;
const MAX_TEXT_CHARS = 4_000;
const parameters = t.object({
  sessionKey: t.string({
    description: "Session key or id, as sessions_list gives it.",
    minLength: 1,
  }),
  limit: t.optional(
    t.integer({ description: "Number of messages, 1 to 500, newest kept (default 50)." }),
  ),
  includeTools: t.optional(t.boolean({ description: "Include tool messages (default false)." })),
});

const needs = ["sessions"] as const;

export type SessionsHistoryCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `sessions_history`. */
export type SessionsHistoryDetails = DetailsOf<typeof execute>;

export const sessionsHistory = defineBuiltIn({
  name: "sessions_history",
  description:
    "Read the last messages of another session, oldest first. Long messages are shortened, keys and tokens replaced by [redacted]; the answer says what was left out.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { sessionId: "sessionKey" },
  guidance: ["Find the session with sessions_list first; read no more messages than you need."],
  execute,
});

async function execute(call: SessionsHistoryCall) {
  const { sessionKey: session, includeTools, limit } = call.params;
  const request = { session, limit, includeTools };
  const { messages, before, ...history } = await sessionsOf(call).history(request);
  let cutCount = 0;
  const shown = messages.map(({ role, content, atMs, toolName, isError }) => {
    const text = content.map((block) => block.text).join("\n");
    if (text.length > MAX_TEXT_CHARS) cutCount += 1;
    return {
      role,
      ...(toolName === undefined ? {} : { toolName }),
      ...(isError ? { isError } : {}),
      at: new Date(atMs).toISOString(),
      text: text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text,
    };
  });
  const notices: string[] = [];
  if (cutCount > 0)
    notices.push(`${cutCount} long messages were cut to ${MAX_TEXT_CHARS} characters.`);
  if (before !== undefined) {
    notices.push(`Older messages exist; raise limit (at most ${MAX_MESSAGES}) to see more.`);
  }
  const result = jsonResult({ sessionKey: history.sessionKey, messages: shown });
  return { ...result, untrusted: { source: `session ${history.sessionKey}` }, notices };
}
