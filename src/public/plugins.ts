// The door `clawtools/plugins`: loading plugins, and the types for people who write one.

export type {
  ConnectorRegistration,
  IgnoredRegistration,
  LoadedPlugin,
  PluginApi,
  PluginDefinition,
  PluginLoaderOptions,
  PluginLogger,
  PluginManifest,
  PluginProblem,
  PluginToolFactory,
  SearchProviderRegistration,
  ToolRegistrationOptions,
} from "../plugins/index.js";
export { loadPlugins } from "../toolkit/index.js";
