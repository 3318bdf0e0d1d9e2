// One session of an agent in the gateway: runs, their events, and approvals of their calls.

import { randomUUID } from "node:crypto";
import { type Approver, isToolError } from "../../../core/index.js";
import type { RunState } from "../../../core/server.js";
import { readField, readList, readNumber, readText } from "../../../lib/read-field.js";
import type { CallMethod } from "../gateway/with-gateway.js";
import type { Conversation, RunReport, Step } from "./conversation.js";

/** The gateway ends a run earlier. */
const MAX_RUN_MS = 49 * 60 * 60_000;
const MODEL_TIMEOUT_MS = 10 * 60_000;
const SECOND_MS = 1_000;

interface GatewayConversationSource {
  readonly ask: CallMethod;
  readonly sessionKey: string;
  readonly approve: Approver | undefined;
}

export function createGatewayConversation(source: GatewayConversationSource): Conversation {
  const { ask, sessionKey } = source;
  const key = { key: sessionKey };
  return {
    sessionKey,
    async send(message, { signal, timeoutMs, onStep }) {
      const runId = randomUUID();
      // Ctrl-C ends the run, not the connection, which still reports how it ended.
      const open = new AbortController();
      const stop = () => {
        ask("chat.abort", { sessionKey, runId }, { signal: open.signal }).catch(() => undefined);
      };
      signal.addEventListener("abort", stop, { once: true });
      const onEvent = (event: string, payload: unknown) => {
        if (event === "exec.approval.requested") void answer(payload, { ...source, open });
        if (event !== "agent" || readText(payload, "runId") !== runId) return;
        const step = toStep(readText(payload, "stream"), readField(payload, "data"));
        if (step !== undefined) onStep(step);
      };
      const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs / SECOND_MS };
      const params = { message, sessionKey, idempotencyKey: runId, ...timeout };
      const options = { timeoutMs: MAX_RUN_MS, signal: open.signal, onEvent };
      try {
        const result = readField(await ask("agent", params, options), "result");
        const text = readText(readList(result, "payloads")[0], "text") ?? "";
        const meta = readField(readField(result, "meta"), "agentMeta");
        return { ...toReport(meta, "done"), runId, sessionKey, text };
      } catch (error) {
        if (!isToolError(error) || error.reason !== "run_failed") throw error;
        const report = toReport(error.details, "failed");
        return { ...report, runId, sessionKey, text: "", error: error.message };
      } finally {
        signal.removeEventListener("abort", stop);
        open.abort();
      }
    },
    async describe() {
      const row = readField(await ask("sessions.describe", key), "session");
      if (row === null) return undefined;
      const [provider, model] = [readText(row, "modelProvider"), readText(row, "model")];
      const count = (name: string) => readNumber(row, name) ?? 0;
      return {
        ...{ inputTokens: count("inputTokens"), outputTokens: count("outputTokens") },
        ...{ usd: count("usd"), contextTokens: count("contextTokens") },
        contextWindow: readNumber(row, "contextWindow"),
        model: provider && model ? `${provider}/${model}` : undefined,
      };
    },
    async setModel(model) {
      await ask("sessions.patch", { ...key, model });
    },
    async reset() {
      await ask("sessions.reset", key);
    },
    async compact() {
      const answered = await ask("sessions.compact", key, { timeoutMs: MODEL_TIMEOUT_MS });
      return readField(answered, "compacted") === true;
    },
  };
}

const STATES = ["done", "limit", "failed", "timed_out", "cancelled", "interrupted"] as const;

function toReport(facts: unknown, usual: RunState): Pick<RunReport, "status" | "usage"> {
  const usage = readField(facts, "usage");
  const state = readText(facts, "state");
  return {
    status: STATES.find((known) => known === state) ?? usual,
    usage: {
      inputTokens: readNumber(usage, "input") ?? 0,
      outputTokens: readNumber(usage, "output") ?? 0,
      usd: readNumber(facts, "usd") ?? 0,
    },
  };
}

function toStep(stream: string | undefined, data: unknown): Step | undefined {
  const [phase, name = ""] = [readText(data, "phase"), readText(data, "name")];
  if (stream === "assistant") return { type: "text", delta: readText(data, "delta") ?? "" };
  if (stream === "lifecycle" && phase === "retry") {
    return { type: "retry", message: readText(data, "error") ?? "" };
  }
  if (stream !== "tool") return undefined;
  if (phase === "start") return { type: "call", name, arguments: readField(data, "args") };
  return readField(data, "isError") === true ? { type: "failed", name } : undefined;
}

/** Asks the person about a call of this session; others may answer first. */
async function answer(
  payload: unknown,
  {
    ask,
    approve,
    sessionKey,
    open,
  }: GatewayConversationSource & { readonly open: AbortController },
): Promise<void> {
  const [id, request] = [readText(payload, "id"), readField(payload, "request")];
  const owner = readText(request, "sessionKey") ?? sessionKey;
  if (approve === undefined || id === undefined || owner !== sessionKey) return;
  const { signal } = open;
  const title = readText(request, "command") ?? "A call";
  try {
    const question = { toolCallId: id, toolName: "exec", title, params: {} };
    const { decision } = await approve(question, { signal });
    await ask("exec.approval.resolve", { id, decision }, { signal });
  } catch {
    // The run is over, or another operator answered.
    return;
  }
}
