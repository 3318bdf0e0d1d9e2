// The door of the config: check an object, load a file, describe what may stand in it.

export { findParts } from "./file/include.js";
export { parseText } from "./file/parse-text.js";
export { type ConfigPlace, configPath, GATEWAY_TOKEN_FILE, stateDir } from "./file/paths.js";
export { type LoadedConfig, loadConfig } from "./load.js";
export { type ParsedConfig, parseConfig, withoutUnknownSections } from "./parse.js";
export {
  APPROVALS_VERSION,
  type ApprovalsAgent,
  type ApprovalsDocument,
  type ApprovalsEntry,
  type AskFallback,
  type ParsedApprovals,
  parseApprovals,
} from "./parse-approvals.js";
export { type ConfigProblem, showKeyPath } from "./problem.js";
export {
  defaultAgentId,
  findAgent,
  hideSecrets,
  readAgents,
  readConfigValue,
  valueAsWritten,
} from "./read-value.js";
export { type ClawtoolsConfig, configJsonSchema } from "./schema.js";
export { watchConfig } from "./watch.js";
