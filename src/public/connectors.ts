// The door `clawtools/connectors`: model providers behind one stream interface.

export type { AuthResolver } from "../connectors/auth.js";
export {
  deserializeModel,
  type SerializedModel,
  serializeModel,
} from "../connectors/model-record.js";
export { ConnectorRegistry } from "../connectors/registry.js";
export type {
  Api,
  AssistantMessage,
  AuthMode,
  Connector,
  ContextMessage,
  ConversationMessage,
  JsonSchema,
  KnownApi,
  ModelCost,
  ModelDescriptor,
  ProviderConfig,
  ResolvedAuth,
  StreamContext,
  StreamEvent,
  StreamOptions,
  ToolResultMessage,
  UsageInfo,
  UserMessage,
} from "../core/connector.js";
export type { ImageContent, TextContent } from "../core/index.js";
export { resolveAuth } from "../toolkit/index.js";
