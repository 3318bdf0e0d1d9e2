// Runs as clients see them: `agent` events for each step, `chat` events for a conversation view, and
// `session.message` for each message of a transcript.

import type { Agent, AgentEvent } from "../../agent/index.js";
import type { GatewayEvents } from "../events.js";

interface RunView {
  text: string;
  seq: number;
}

/** The returned function ends it. */
export function forwardEvents(
  agent: Agent,
  { events }: { readonly events: GatewayEvents },
): () => void {
  const views = new Map<string, RunView>();
  return agent.on((event) => {
    const view = views.get(event.runId) ?? { text: "", seq: 0 };
    views.set(event.runId, view);
    if (event.type === "end") views.delete(event.runId);
    forward(event, { view, events });
  });
}

function forward(
  event: AgentEvent,
  { view, events }: { view: RunView; events: GatewayEvents },
): void {
  const { runId, sessionKey, atMs } = event;
  const ts = Math.floor(atMs);
  const agent = (stream: string, data: Record<string, unknown>) => {
    view.seq += 1;
    events.emit("agent", { runId, seq: view.seq, stream, ts, data });
  };
  const chat = (state: string, more: Record<string, unknown>) =>
    events.emit("chat", { runId, sessionKey, seq: view.seq, state, ...more });

  if (event.type === "start") {
    agent("lifecycle", { phase: "start", startedAt: ts });
    chat("status", { phase: "preparing_context" });
  }
  if (event.type === "model") {
    // Texts of one answer are shown together; the next answer begins again.
    view.text = "";
    agent("lifecycle", { phase: "model", model: event.model });
    if (event.turn === 1) chat("status", { phase: "starting_model" });
  }
  if (event.type === "text") {
    view.text += event.delta;
    agent("assistant", { text: view.text, delta: event.delta });
    chat("delta", { deltaText: event.delta, message: toMessage("assistant", view.text, ts) });
  }
  if (event.type === "thinking") agent("thinking", { delta: event.delta });
  if (event.type === "call") {
    agent("tool", {
      phase: "start",
      name: event.name,
      toolCallId: event.toolCallId,
      args: event.arguments,
    });
  }
  if (event.type === "result") {
    const { name, toolCallId, isError } = event;
    agent("tool", { phase: "result", name, toolCallId, isError });
  }
  if (event.type === "usage") agent("usage", { ...event.usage, usd: event.usd });
  if (event.type === "compaction") agent("compaction", { phase: "end", by: event.by });
  if (event.type === "retry")
    agent("lifecycle", { phase: "retry", error: event.message, delayMs: event.delayMs });
  if (event.type === "message") {
    const { role, messageId } = event;
    // Clients replace their own copy of the message they sent; later ones joined a run of another id.
    const sentAs = role === "user" && view.seq === 0 ? { idempotencyKey: runId } : {};
    const facts = { id: messageId, seq: Number(messageId), ...sentAs };
    const message = { ...toMessage(role, event.text, ts), __openclaw: facts };
    events.emit("session.message", { sessionKey, messageId, runId, message });
  }
  if (event.type !== "end") return;
  const { state, text, error } = event;
  const message = toMessage("assistant", text, ts);
  if (state === "done" || state === "limit") {
    agent("lifecycle", { phase: "finishing" });
    agent("lifecycle", { phase: "end", endedAt: ts });
    chat("final", { stopReason: state === "done" ? "stop" : "limit", message });
  } else if (state === "cancelled") {
    agent("lifecycle", { phase: "end", endedAt: ts, aborted: true });
    chat("aborted", { stopReason: "aborted", message });
  } else {
    agent("lifecycle", { phase: "error", error: error ?? state, endedAt: ts });
    chat("error", { errorMessage: error ?? state });
  }
}

export function toMessage(role: "user" | "assistant", text: string, timestamp: number) {
  return { role, content: [{ type: "text", text }], timestamp };
}
