// The plugins and MCP servers that a configuration names: plugins are loaded into the registry, and
// whatever failed becomes a row, so that nobody has to look for it in a log.

import type { ExplainRow } from "../core/index.js";
import { loadPlugins } from "./load-plugins.js";
import type { DoorSettings } from "./settings.js";
import type { ToolRegistry } from "./tool-registry.js";

export interface PluginRequest {
  readonly settings: DoorSettings;
  readonly config: Record<string, unknown>;
  readonly registry: ToolRegistry;
}

/** Never rejects: each failure is a row. */
export async function loadConfigured(request: PluginRequest): Promise<ExplainRow[]> {
  const { settings, config, registry } = request;
  const servers = settings.mcpServers.map((id) =>
    absentRow(id, "the MCP client is not built yet, so this server is not started"),
  );
  if (settings.pluginPaths.length === 0) return servers;
  const loaded = await loadPlugins({
    searchPaths: settings.pluginPaths,
    toolRegistry: registry,
    config,
  });
  const failed = loaded
    .filter(({ status }) => status !== "loaded")
    .map(({ id, status, reason }) =>
      absentRow(id, `the plugin was ${status}: ${reason ?? "no reason"}`),
    );
  return [...servers, ...failed];
}

function absentRow(id: string, reason: string): ExplainRow {
  return Object.freeze({ id, status: "absent", code: "not_loaded", reason });
}
