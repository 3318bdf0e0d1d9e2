// Lists the sessions this caller may see. What is visible is decided behind the port.

import { jsonResult, type ToolResult } from "../../core/index.js";
import { type SessionRow, sessionsOf } from "../../core/server.js";
import type { SessionsListCall } from "./index.js";

/** Larger requests are clamped, not refused. */
const MAX_SESSIONS = 200;
const MAX_MESSAGES = 20;
const DEFAULT_SESSIONS = 50;

export async function execute(call: SessionsListCall): Promise<ToolResult> {
  const { kinds, activeMinutes, limit = DEFAULT_SESSIONS, messageLimit = 0 } = call.params;
  const { sessions, total, hidden } = await sessionsOf(call).list({
    ...{ kinds, activeMinutes },
    limit: Math.min(limit, MAX_SESSIONS),
    messageLimit: Math.min(messageLimit, MAX_MESSAGES),
  });
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
