// The door of core: types, definitions, registry, results, errors, schemas, ports.

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
} from "./connector.js";
export {
  type CallContext,
  type ContextField,
  defineTool,
  type Execute,
  isToolDefinition,
  type ParameterSchema,
  type ParametersOf,
  type ToolCall,
  type ToolDefinition,
  type ToolFactory,
  type ToolLimits,
  type ToolSpec,
} from "./define-tool.js";
export {
  abortError,
  type ErrorCode,
  isToolError,
  ToolAuthorizationError,
  ToolError,
  type ToolErrorOptions,
  ToolInputError,
  toToolError,
} from "./errors.js";
export type { RunPorts } from "./invoke/callable.js";
export {
  assertRequiredParams,
  type BooleanParamOptions,
  type NumberParamOptions,
  readBooleanParam,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
  type StringArrayParamOptions,
  type StringParamOptions,
} from "./params.js";
export type { Clock, RandomSource } from "./ports/clock.js";
export type { FsBridge, FsPath, FsStat } from "./ports/fs-bridge.js";
export type { TimeGuard } from "./ports/time-guard.js";
export type { Diagnostic, DiagnosticCode, DiagnosticListener } from "./registry/diagnostics.js";
export { type ExplainCode, type ExplainRow, ToolResolutionError } from "./registry/explain.js";
export type { ToolRegistration } from "./registry/registration.js";
export {
  type ResolveByProfileOptions,
  type ResolveErrorCallback,
  type ResolveOptions,
  ToolRegistryBase,
} from "./registry/registry.js";
export {
  type ErrorDetails,
  errorResult,
  type ImageResultParams,
  imageResult,
  jsonResult,
  textResult,
} from "./results.js";
export * as t from "./schema/build.js";
export { compileValidator } from "./schema/compile-validator.js";
export {
  type ExtractOptions,
  extractToolSchema,
  extractToolSchemas,
  type ToolSchema,
} from "./schema/extract.js";
export { cleanSchemaForGemini } from "./schema/gemini.js";
export { normalizeSchema } from "./schema/normalize.js";
export type { StandardSchema } from "./schema/standard.js";
export type { Problem, Validator } from "./schema/validator.js";
export type {
  ContentBlock,
  ImageContent,
  TextContent,
  Tool,
  ToolContext,
  ToolMeta,
  ToolProfile,
  ToolResult,
  ToolSection,
  ToolUpdate,
  ToolUpdateCallback,
} from "./tool.js";
export { assertToolName } from "./tool-name.js";
