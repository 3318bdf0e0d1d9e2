// The documented `loadPlugins`: the loader, joined to what the process knows, and imported when
// plugins are loaded for the first time.

import { canLoadTypeScript, currentDirectory, homeDirectory } from "../drivers/environment.js";
import { createTimeGuard } from "../drivers/time-guard.js";
import type { LoadedPlugin, PluginLoaderOptions } from "../plugins/index.js";

/** One row for each plugin that was found, also for those that failed or were skipped. */
export async function loadPlugins(options: PluginLoaderOptions): Promise<LoadedPlugin[]> {
  const { loadPluginsFrom } = await import("../plugins/index.js");
  return loadPluginsFrom(options, {
    homeDir: homeDirectory(),
    baseDir: currentDirectory(),
    canLoadTypeScript: canLoadTypeScript(),
    guard: createTimeGuard(),
  });
}
