// The main door: the whole documented library.

export type { ClawtoolsConfig } from "../config/index.js";
export {
  type Clawtools,
  type ClawtoolsOptions,
  createClawtools,
  createClawtoolsAsync,
  createClawtoolsSync,
  createToolkit,
  type ToolkitOptions,
} from "../toolkit/index.js";
export * from "./connectors.js";
export * from "./plugins.js";
export * from "./tools.js";
