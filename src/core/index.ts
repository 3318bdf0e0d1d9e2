// The door of core: types, definitions, registry, results, errors, schemas, ports.

export { type ToolAnnotations, toAnnotations } from "./annotations.js";
export { clampOption } from "./clamp-option.js";
export { createCountdown } from "./countdown.js";
export {
  type CallContext,
  type ContextField,
  defineBuiltIn,
  defineTool,
  type Execute,
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
export { isSecretName } from "./invoke/hide-secrets.js";
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
export type { InvokeRequest, InvokeStage } from "./invoke/request.js";
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
export { PATH_ALIASES } from "./path-aliases.js";
export {
  compilePolicyFor,
  filterToolsByPolicy,
  mergePatch,
  type PolicyDecision,
  type PolicyDenial,
  type PolicyInput,
  type ToolPolicy,
} from "./policy/compile.js";
export { listAgents, type PolicyWarning } from "./policy/found.js";
export type { LayerId, PolicyLayerSummary } from "./policy/layer.js";
export {
  type BuiltIns,
  CHANNEL_IDS,
  foldName,
  normalizeToolName,
  readBuiltIns,
} from "./policy/names.js";
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
  type CommandGrant,
  type CommandQuestion,
} from "./ports/approver.js";
export type { Clock, RandomSource } from "./ports/clock.js";
export {
  COMMAND_ASK,
  COMMAND_SECURITY,
  type CommandAsk,
  type CommandGate,
  type CommandHost,
  type CommandSecurity,
  type GatePass,
  type GateRequest,
  type PendingApproval,
  type RunSurroundings,
} from "./ports/command-gate.js";
export type {
  Containment,
  ContainmentKind,
  Containments,
  EnclosedCommand,
  EncloseRequest,
  HostAccess,
} from "./ports/containment.js";
export type { Environment } from "./ports/environment.js";
export type { FsBridge, FsEntry, FsFile, FsPath, FsStat } from "./ports/fs-bridge.js";
export type {
  CallDiff,
  CallRecording,
  CallToRecord,
  ChangedCall,
  ChangedFile,
  DiffRequest,
  FileDiff,
  History,
  HistoryCall,
  HistoryProblem,
  RecordedCall,
  UndoAction,
  UndoneFile,
  UndoRequest,
  UndoResult,
} from "./ports/history.js";
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
export {
  type Artifact,
  type ArtifactStore,
  type AuditContent,
  type AuditLog,
  type AuditRow,
  ENTRY_POINTS,
  type EntryPoint,
  type InterruptedCall,
  type Journal,
  type JournalEnd,
  type JournalIntent,
} from "./ports/records.js";
export type { RunPorts } from "./ports/run-ports.js";
export type { SearchAnswer, SearchCitation, SearchHit } from "./ports/search/answer.js";
export { SEARCH_PROVIDER_IDS, type SearchProvider } from "./ports/search/provider.js";
export type { SearchFilter, SearchQuery, SearchRequest } from "./ports/search/request.js";
export type { Completion, CompletionRequest, Models } from "./ports/server/models.js";
export type {
  Durability,
  KvCondition,
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
export type { TimeGuard } from "./ports/time-guard.js";
export type { Diagnostic, DiagnosticCode, DiagnosticListener } from "./registry/diagnostics.js";
export { assertTool } from "./registry/entry.js";
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
export { plural } from "./schema/json-value.js";
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
export {
  type ContentBlock,
  type DetailsOf,
  type ImageContent,
  type TextContent,
  TOOL_PROFILES,
  type Tool,
  type ToolContext,
  type ToolMeta,
  type ToolProfile,
  type ToolResult,
  type ToolSection,
  type ToolUpdate,
  type ToolUpdateCallback,
} from "./tool.js";
export { assertToolName } from "./tool-name.js";
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
export { quoteForeign } from "./untrusted/quote-foreign.js";
export {
  createUntrustedWrapper,
  type UntrustedWrapper,
  wrapUntrustedBlocks,
} from "./untrusted/wrap.js";
