// The door of plugins.

export type { ConnectorRegistration, SearchProviderRegistration } from "./commit.js";
export type {
  IgnoredRegistration,
  PluginApi,
  PluginDefinition,
  PluginLogger,
  ToolRegistrationOptions,
} from "./host.js";
export { type LoaderHost, loadPluginsFrom, type PluginLoaderOptions } from "./load.js";
export type { LoadedPlugin, PluginToolFactory } from "./loaded-plugin.js";
export type { PluginManifest, PluginProblem } from "./manifest.js";
