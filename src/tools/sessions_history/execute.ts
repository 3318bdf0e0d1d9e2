// Shows the last messages of one session.

import { jsonResult, type ToolResult } from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";
import type { SessionsHistoryCall } from "./index.js";

const DEFAULT_MESSAGES = 50;
const MAX_MESSAGES = 500;
const MAX_TEXT_CHARS = 4_000;

export async function execute(call: SessionsHistoryCall): Promise<ToolResult> {
  const { sessionKey, includeTools, limit = DEFAULT_MESSAGES } = call.params;
  const { messages, before, ...history } = await sessionsOf(call).history({
    session: sessionKey,
    limit: Math.min(limit, MAX_MESSAGES),
    includeTools,
  });
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
