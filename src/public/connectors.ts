// The door `clawtools/connectors`: model providers behind one stream interface.

export {
  type AiSdkModel,
  type AuthResolver,
  ConnectorRegistry,
  createDebugConnector,
  deserializeModel,
  fromLanguageModel,
  type SerializedModel,
  serializeModel,
} from "../connectors/index.js";
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
export { discoverBuiltinConnectors, resolveAuth } from "../toolkit/index.js";
