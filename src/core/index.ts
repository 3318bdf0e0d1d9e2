// The door of core: types, definitions, registry, results, errors, schemas, ports.

export {
  type CallContext,
  type ContextField,
  defineBuiltIn,
  defineTool,
  isToolDefinition,
  type ParameterSchema,
  type ParametersOf,
  type ToolCall,
  type ToolDefinition,
  type ToolEffects,
  type ToolFactory,
  type ToolLimits,
  type ToolSpec,
} from "./define-tool.js";
export {
  abortError,
  closedError,
  ERROR_CODES,
  type ErrorCode,
  isClosing,
  isToolError,
  ToolAuthorizationError,
  ToolError,
  type ToolErrorOptions,
  ToolInputError,
  tooManyOpenFiles,
  toToolError,
} from "./errors.js";
export type { BudgetLimits, BudgetUse } from "./invoke/budget.js";
export type {
  AfterCallHook,
  BeforeCallAnswer,
  BeforeCallEvent,
  BeforeCallHook,
  Hooks,
  TaintMode,
} from "./invoke/hooks.js";
export type { Invoke, InvokeResult } from "./invoke/invoke.js";
export type { LoopSettings } from "./invoke/loop.js";
export type { InvokeRequest } from "./invoke/request.js";
export { isSecretName } from "./invoke/validate.js";
export {
  assertRequiredParams,
  type BooleanParamOptions,
  clampOption,
  type NumberParamOptions,
  PATH_ALIASES,
  readBooleanParam,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
  type StringArrayParamOptions,
  type StringParamOptions,
} from "./params.js";
export {
  filterToolsByPolicy,
  mergePatch,
  type PolicyDecision,
  type PolicyDenial,
  type PolicyInput,
  type ToolPolicy,
} from "./policy/compile.js";
export { listAgents, type PolicyWarning } from "./policy/found.js";
export type { LayerId, PolicyLayerSummary } from "./policy/layer.js";
export { CHANNEL_IDS, compilePattern, foldName, normalizeToolName } from "./policy/names.js";
export {
  type PolicyRequest,
  type PolicySender,
  type PolicyTool,
  readModelNames,
} from "./policy/tools.js";
export {
  APPROVAL_DECISIONS,
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  COMMAND_ASK,
  COMMAND_SECURITY,
  type CommandAsk,
  type CommandGate,
  type CommandGrant,
  type CommandHost,
  type CommandQuestion,
  type CommandSecurity,
  type GatePass,
  type GateRequest,
  type PendingApproval,
  type RunSurroundings,
} from "./ports/approver.js";
export type {
  CallDiff,
  CallRecording,
  CallToRecord,
  ChangedCall,
  ChangedFile,
  DiffRequest,
  FileDiff,
  FsBridge,
  FsEntry,
  FsFile,
  FsPath,
  FsStat,
  History,
  HistoryCall,
  HistoryProblem,
  RecordedCall,
  UndoAction,
  UndoneFile,
  UndoRequest,
  UndoResult,
} from "./ports/fs-bridge.js";
export type { ImageFacts, ImageLimits, ImageRequest, Images, ShownImage } from "./ports/images.js";
export type {
  Memory,
  MemoryAnswer,
  MemoryHit,
  MemoryLines,
  MemoryProgress,
  MemoryQuery,
  MemoryStatus,
} from "./ports/memory.js";
export type {
  AddressPolicy,
  Net,
  NetRequest,
  NetResponse,
  NetSocket,
  NetStream,
  SocketEnd,
  SocketRequest,
} from "./ports/net.js";
export type {
  Containment,
  Containments,
  EnclosedCommand,
  EncloseRequest,
  HostAccess,
  OutputLines,
  OutputView,
  ProcessEnd,
  Processes,
  ProcessFacts,
  ProcessRun,
  ProcessScope,
  RunOutput,
  StartRequest,
} from "./ports/processes.js";
export type {
  Artifact,
  ArtifactStore,
  AuditContent,
  AuditLog,
  AuditRow,
  EntryPoint,
  InterruptedCall,
  Journal,
  JournalEnd,
  JournalIntent,
} from "./ports/records.js";
export {
  type Clock,
  createCountdown,
  type Environment,
  type RandomSource,
  type RunPorts,
  type TimeGuard,
} from "./ports/run-ports.js";
export {
  SEARCH_PROVIDER_IDS,
  type SearchAnswer,
  type SearchCitation,
  type SearchFilter,
  type SearchHit,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
} from "./ports/search.js";
export type {
  KvDelete,
  KvEntry,
  KvListRequest,
  KvPage,
  KvPlace,
  KvPut,
  KvStore,
  Lease,
  LeaseStore,
  LogAppend,
  LogPage,
  LogRecord,
  LogStore,
  LogTrim,
  QueueEntry,
  QueuePush,
  QueueReceipt,
  QueueStore,
  Store,
  StoreOperation,
  StoreOutcome,
  StoreTopic,
  StoreWriteOptions,
} from "./ports/store.js";
export { cutUrl, redactSecrets, redactUrl } from "./redact-url.js";
export { assertTool, callFactory, type FactoryFault } from "./registry/entry.js";
export {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticListener,
  type ExplainCode,
  type ExplainRow,
  type ToolRegistration,
  ToolResolutionError,
} from "./registry/explain.js";
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
  textOf,
  textResult,
} from "./results.js";
export { type ArgumentsOf, t } from "./schema/build.js";
export {
  type ExtractOptions,
  extractToolSchema,
  extractToolSchemas,
  normalizeToolParameters,
  type ToolSchema,
} from "./schema/extract.js";
export { cleanSchemaForGemini } from "./schema/gemini.js";
export { plural, toSortedJson } from "./schema/json-value.js";
export { normalizeSchema } from "./schema/normalize.js";
export { compileValidator, type StandardSchema } from "./schema/standard.js";
export {
  type CompiledSchema,
  compileSchema,
  type SchemaChange,
} from "./schema/targets/compile-schema.js";
export {
  type CompiledTools,
  compileTools,
  createSchemaCompiler,
  type QuarantinedTool,
  type SchemaCompiler,
} from "./schema/targets/compiler.js";
export { type LintFault, lintSchema } from "./schema/targets/lint.js";
export {
  chooseSchemaTarget,
  type SchemaTarget,
  type TargetRequest,
} from "./schema/targets/target.js";
export type { Problem, Validator } from "./schema/validator.js";
export type { Completion, CompletionRequest, Models } from "./server.js";
export {
  assertToolName,
  type ContentBlock,
  type DetailsOf,
  type ImageContent,
  type TextContent,
  TOOL_PROFILES,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolMeta,
  type ToolProfile,
  type ToolResult,
  type ToolSection,
  type ToolUpdate,
  type ToolUpdateCallback,
  toAnnotations,
} from "./tool.js";
export type {
  CallerOptions,
  CallerToolkit,
  DiffOptions,
  Explain,
  SchemaRequest,
  Toolkit,
  ToolkitEvents,
  UndoOptions,
} from "./toolkit.js";
export { neutralizeText } from "./untrusted/neutralize.js";
export {
  createUntrustedWrapper,
  quoteForeign,
  type UntrustedWrapper,
  wrapUntrustedBlocks,
} from "./untrusted/wrap.js";
