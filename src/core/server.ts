// The ports of the server half: sessions, models and the gateway.

import type { ContextMessage, ModelDescriptor, UsageInfo } from "./connector.js";
import type { TextContent } from "./tool.js";

export interface GatewayCall {
  readonly method: string;
  readonly params?: unknown;
  /** Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Another gateway; needs `token`, and never inherits credentials. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** Gets the events of the connection. An answer with the status `accepted` is then not the last one. */
  readonly onEvent?: ((event: string, payload: unknown) => void) | undefined;
}

/** Rejects with a ToolError. */
export interface Gateway {
  /** Hash of the last `config.get` by caller: what a change without `baseHash` is based on. */
  readonly configHashes?: Map<string, string>;
  call(request: GatewayCall): Promise<unknown>;
  close(): Promise<void>;
}

export interface CompletionRequest {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly ContextMessage[];
  /** `provider/model`; default: the caller's own model, then `agents.defaults.model`. */
  readonly model?: string | undefined;
  /** `image`: the request carries images, so only models that see are tried. */
  readonly purpose?: "text" | "image" | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly reasoning?: "off" | "minimal" | "low" | "medium" | "high" | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** `provider/model` that answered. */
  readonly model: string;
  readonly usage?: UsageInfo | undefined;
  /** Models tried before, each with its error. */
  readonly failed: readonly { readonly model: string; readonly error: string }[];
}

/** Rejects with a ToolError: `unavailable` (`no_model`, `no_key`), `failed` (`model_failed`), `timeout`. */
export interface Models {
  /** Configured models in the order they would be tried for this purpose. */
  list(purpose?: "text" | "image"): readonly ModelDescriptor[];
  complete(request: CompletionRequest): Promise<Completion>;
}

export type SessionKind = "main" | "group" | "cron" | "hook" | "node" | "other";

export type RunState =
  | "queued"
  | "running"
  | "done"
  | "failed"
  | "timed_out"
  | "cancelled"
  | "interrupted"
  | "limit";

/** Who asks. Without `sessionKey` it is the agent's main session. */
export interface SessionCaller {
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
  /** The call that asks: binds a reply to that call's result. */
  readonly toolCallId?: string | undefined;
  readonly sandboxed?: boolean | undefined;
  /** Where completions are delivered: the caller's own chat. */
  readonly messageChannel?: string | undefined;
  readonly agentAccountId?: string | undefined;
}

/** By key (`main` is the caller's own main session), by id, or by label. */
export interface SessionReference {
  /** A session key or a session id. */
  readonly session?: string | undefined;
  readonly label?: string | undefined;
  /** Where to look for `label`; default: the caller's agent. */
  readonly agentId?: string | undefined;
}

export interface SessionRow {
  /** `main` for the caller's own main session. */
  readonly key: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly kind: SessionKind;
  readonly channel: string;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly spawnedBy?: string | undefined;
  readonly updatedAtMs: number;
  /** `provider/model`. */
  readonly model?: string | undefined;
  readonly modelOverride?: string | undefined;
  readonly thinking?: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  /** Tokens of the context as the model counted them last. */
  readonly contextTokens: number;
  /** Of the model; absent when it is not known. */
  readonly contextWindow?: number | undefined;
  readonly compactions: number;
  readonly running: boolean;
  readonly abortedLastRun: boolean;
  /** Only when asked for with `messageLimit`. */
  readonly messages?: readonly HistoryMessage[] | undefined;
}

export interface HistoryMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "toolResult";
  readonly content: readonly TextContent[];
  readonly atMs: number;
  readonly runId: string;
  /** Of a tool result. */
  readonly toolName?: string | undefined;
  readonly isError?: boolean | undefined;
}

export interface SessionListRequest {
  readonly kinds?: readonly SessionKind[] | undefined;
  /** Default 50, at most 200. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly activeMinutes?: number | undefined;
  /** Last messages per row, without tool results; default 0, at most 20. */
  readonly messageLimit?: number | undefined;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly spawnedBy?: string | undefined;
  /** In key, label and display name, without regard to case. */
  readonly search?: string | undefined;
}

interface SessionList {
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Visible sessions that match, on all pages. */
  readonly total: number;
  /** Sessions that match but that the caller may not see, with the setting that hides them. */
  readonly hidden?: { readonly count: number; readonly reason: string } | undefined;
}

interface SessionHistory {
  readonly sessionKey: string;
  /** Oldest first. */
  readonly messages: readonly HistoryMessage[];
  /** Older messages exist; give `before` to read them. */
  readonly before?: number | undefined;
}

interface SessionSend {
  readonly target: SessionReference;
  readonly message: string;
  /** How long to wait for the reply; 0 does not wait. The run itself goes on. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface SessionSendResult {
  readonly runId: string;
  readonly sessionKey: string;
  /** `accepted`: no reply yet; it will arrive as a message of its own. */
  readonly status: "ok" | "accepted" | "error";
  readonly reply?: string | undefined;
  readonly error?: string | undefined;
}

interface SessionSpawn {
  readonly task: string;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  /** 0: no limit; default `agents.defaults.subagents.runTimeoutSeconds`. */
  readonly runTimeoutMs?: number | undefined;
  /** Default `keep`. */
  readonly cleanup?: "delete" | "keep" | undefined;
}

interface SessionSpawned {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly modelApplied: boolean;
  readonly warning?: string | undefined;
}

export interface RunRow {
  readonly runId: string;
  readonly kind: "spawn" | "send" | "input";
  readonly sessionKey: string;
  readonly requesterKey?: string | undefined;
  readonly label?: string | undefined;
  readonly task: string;
  readonly state: RunState;
  readonly createdAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly reply?: string | undefined;
  readonly error?: string | undefined;
  /** Whether a reply that no one waits for was handed to a chat. */
  readonly delivery?: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

interface SessionPatch {
  /** `provider/model`; null clears the override. */
  readonly model?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly thinking?: string | null | undefined;
}

/** Rejects with a ToolError. */
export interface CallerSessions {
  /** The caller's own key, and how it is shown. */
  readonly self: { readonly key: string; readonly agentId: string };
  list(request?: SessionListRequest): Promise<SessionList>;
  history(
    request: SessionReference & {
      /** Default 50, at most 500. */
      readonly limit?: number | undefined;
      readonly before?: number | undefined;
      readonly includeTools?: boolean | undefined;
    },
  ): Promise<SessionHistory>;
  /** Of the caller's own session when no target is given. */
  status(target?: SessionReference): Promise<SessionRow>;
  patch(target: SessionReference, patch: SessionPatch): Promise<SessionRow>;
  send(request: SessionSend): Promise<SessionSendResult>;
  spawn(request: SessionSpawn): Promise<SessionSpawned>;
  /** Until all have ended or the time is over; rows as they are then. */
  wait(request: {
    readonly runIds: readonly string[];
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<readonly RunRow[]>;
  /** Runs in the caller's own tree, newest first. */
  subagents(request?: { readonly recentMinutes?: number }): Promise<readonly RunRow[]>;
  /** Ends a run of the caller's own tree with everything below it; the runs that were ended. */
  kill(runId: string): Promise<readonly RunRow[]>;
  /** A message into a running sub-agent, taken at its next turn. */
  steer(runId: string, message: string): Promise<void>;
}

export interface Sessions {
  as(caller: SessionCaller): CallerSessions;
}

export function sessionsOf({ id, ctx }: SessionToolCall): CallerSessions {
  const { sessionKey, agentId, sandboxed, messageChannel, agentAccountId } = ctx;
  return ctx.sessions.as({
    ...{ sessionKey, agentId, sandboxed, messageChannel, agentAccountId },
    toolCallId: id,
  });
}

interface SessionToolCall {
  readonly id: string;
  readonly ctx: SessionCaller & { readonly sessions: Sessions };
}
