// The door to the ports of the server half: sessions, models and the gateway.

export type { Gateway, GatewayCall } from "./ports/server/gateway.js";
export type { Completion, CompletionRequest, Models } from "./ports/server/models.js";
export {
  type CallerSessions,
  type HistoryMessage,
  type RunRow,
  type RunState,
  type SessionCaller,
  type SessionHistory,
  type SessionKind,
  type SessionList,
  type SessionListRequest,
  type SessionPatch,
  type SessionReference,
  type SessionRow,
  type SessionSend,
  type SessionSendResult,
  type SessionSpawn,
  type SessionSpawned,
  type Sessions,
  sessionsOf,
} from "./ports/server/sessions.js";
