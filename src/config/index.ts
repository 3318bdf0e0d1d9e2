// The door of the config: check an object, load a file, describe what may stand in it.

export {
  APPROVALS_VERSION,
  type ApprovalsAgent,
  type ApprovalsDocument,
  type ApprovalsEntry,
  type AskFallback,
  type ParsedApprovals,
  parseApprovals,
} from "./approvals-file/parse-approvals.js";
export { valueAsWritten } from "./as-written.js";
export { findParts } from "./file/find-parts.js";
export { type ConfigPlace, configPath, GATEWAY_TOKEN_FILE, stateDir } from "./file/paths.js";
export { hideSecrets } from "./hide-secrets.js";
export { showKeyPath } from "./key-path.js";
export { type LoadedConfig, loadConfig } from "./load.js";
export { type ParsedConfig, parseConfig } from "./parse.js";
export type { ConfigProblem } from "./problem.js";
export { defaultAgentId, findAgent, readAgents } from "./read-agents.js";
export { readConfigValue } from "./read-value.js";
export { type ClawtoolsConfig, configJsonSchema } from "./schema.js";
export { watchConfig } from "./watch.js";
