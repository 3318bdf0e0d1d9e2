// The door of the connectors: registry, keys, model records, models by name, debug models.

export { type AuthResolver, resolveAuthFrom } from "./auth.js";
export { leaveOutImages } from "./carry-over.js";
export { createModels, type ModelsOptions, RETRYABLE } from "./complete.js";
export { createDebugConnector } from "./debug/debug-models.js";
export {
  createScriptedConnector,
  type Script,
  type ScriptedConnector,
  type ScriptedRequest,
  type ScriptedTurn,
} from "./debug/scripted.js";
export type { ModelSources, ResolvedModel } from "./describe-model.js";
export { type AiSdkModel, fromLanguageModel } from "./language-model/from-language-model.js";
export { deserializeModel, type SerializedModel, serializeModel } from "./model-record.js";
export { createBuiltinConnectors } from "./provider-connector.js";
export { ConnectorRegistry } from "./registry.js";
export {
  listModels,
  type ModelRequest,
  type ModelResolution,
  noModelError,
  resolveModels,
} from "./resolve-models.js";
