// The door of toolkit: tools and drivers put together for library users.

export { type AgentBrowsersSource, createAgentBrowsers } from "./browser/lazy-browsers.js";
export {
  compilePolicy,
  getCoreSections,
  getCoreToolCatalog,
  getToolCatalog,
  resolveEffectiveToolPolicy,
} from "./catalog.js";
export { findPolicyProblems } from "./check-policy.js";
export {
  type Clawtools,
  type ClawtoolsOptions,
  createClawtools,
  createClawtoolsAsync,
  createClawtoolsSync,
} from "./create-clawtools.js";
export { createToolkit } from "./create-toolkit.js";
export {
  type DiscoveryOptions,
  type DiscoveryScope,
  discoverCoreTools,
  discoverCoreToolsAsync,
} from "./discovery.js";
export { loadPlugins } from "./load-plugins.js";
export { type AgentMemorySource, createAgentMemory } from "./memory/lazy-memory.js";
export { createAgentModels, discoverBuiltinConnectors } from "./models.js";
export type { ToolkitOptions } from "./options/toolkit-options.js";
export { resolveAuth } from "./resolve-auth.js";
export { ToolRegistry } from "./tool-registry.js";
export { wrapUntrusted } from "./wrap-untrusted.js";
