// The door of toolkit: tools and drivers put together for library users.

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
  loadPlugins,
  ToolRegistry,
  wrapUntrusted,
} from "./create-clawtools.js";
export { createToolkit } from "./create-toolkit.js";
export {
  type DiscoveryOptions,
  type DiscoveryScope,
  discoverCoreTools,
  discoverCoreToolsAsync,
} from "./discovery.js";
export type { ToolkitOptions } from "./options/toolkit-options.js";
export { type AgentBrowsersSource, createAgentBrowsers } from "./ports/browsers.js";
export { type AgentMemorySource, createAgentMemory } from "./ports/memory.js";
export { createAgentModels, discoverBuiltinConnectors, resolveAuth } from "./ports/models.js";
