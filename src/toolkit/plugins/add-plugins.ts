// The plugins that a configuration names: what they bring becomes known, and whatever is missing
// becomes a row, so that no one has to look for it in a log.

import type { PolicyRequest, SearchProvider, ToolContext } from "../../core/index.js";
import type { LoadedPlugin, SearchProviderRegistration } from "../../plugins/index.js";
import { loadPlugins } from "../load-plugins.js";
import { readAskedFor } from "../options/asked-for.js";
import type { DoorSettings } from "../options/door-settings.js";
import { type Doubt, toDiagnostic } from "../options/read-config.js";
import type { ToolList } from "../tool-list/tool-list.js";
import type { OptionalTool } from "../visible-tools/optional-tools.js";
import { addPluginTool, type BroughtTool, conflictRow } from "./add-plugin-tool.js";
import { type OptionalScope, optionalRow } from "./optional-row.js";
import { createPluginCollector, type PluginCollector } from "./plugin-collector.js";

/** The loader hands over all of them; which are asked for is decided here, with a row for the rest. */
const EVERY_OPTIONAL_TOOL = ["group:plugins"];

const WORDS = {
  failed: "the plugin could not be loaded",
  skipped: "the plugin was left out",
} as const satisfies Record<Exclude<LoadedPlugin["status"], "loaded">, string>;

export interface PluginRequest {
  readonly toolList: ToolList;
  readonly settings: DoorSettings;
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly ctx: ToolContext;
  /** That of `ctx`: what plugins bring is added to it. */
  readonly searchProviders: SearchProvider[];
  /** Those that plugins bring are added to it. */
  readonly optionalTools: OptionalTool[];
  /** Ends the loading; what comes later is left out. */
  readonly signal: AbortSignal;
}

/** What goes wrong with a plugin or one of its tools is a row. */
export async function addConfiguredPlugins(request: PluginRequest): Promise<void> {
  const { toolList, settings, config, searchProviders, signal } = request;
  const collector = createPluginCollector(toolList);
  const loaded = await loadPlugins({
    searchPaths: settings.pluginPaths,
    toolRegistry: collector,
    searchProviderRegistry: toRegistration(searchProviders),
    optionalTools: EVERY_OPTIONAL_TOOL,
    config,
    signal,
  });
  if (signal.aborted) return;
  for (const plugin of loaded) noteRefused(toolList, plugin);
  addCollected(request, { loaded, collected: collector.collected });
}

function toRegistration(providers: SearchProvider[]): SearchProviderRegistration {
  const placeOf = (id: string) => providers.findIndex((provider) => provider.id === id);
  return {
    register: (provider) => {
      providers.push(provider);
    },
    has: (id) => placeOf(id) >= 0,
    unregister: (id) => placeOf(id) >= 0 && providers.splice(placeOf(id), 1).length > 0,
  };
}

/** A plugin that is not there, or the tools that a loaded one did not get in. */
function noteRefused(toolList: ToolList, plugin: LoadedPlugin): void {
  const { id: pluginId, status, reason, ignored } = plugin;
  if (status !== "loaded") {
    const why = `${WORDS[status]}: ${reason ?? "no reason is known"}`;
    toolList.noteAbsent({ id: pluginId, status: "absent", code: "not_loaded", reason: why });
    if (status === "failed") toolList.registry.report(toDiagnostic(failureOf(pluginId, why)));
  }
  for (const { kind, name, reason: why } of ignored) {
    if (kind === "registerWebSearchProvider") {
      const message = `its search provider${name === undefined ? "" : ` "${name}"`} is left out: ${why}`;
      toolList.registry.report(
        toDiagnostic({ severity: "warning", path: `plugin ${pluginId}`, message }),
      );
    }
    if (kind !== "registerTool" || name === undefined) continue;
    for (const one of name.split(", "))
      toolList.noteAbsent(conflictRow({ name: one, pluginId }, why));
  }
}

function failureOf(pluginId: string, why: string): Doubt {
  return { severity: "error", path: `plugin ${pluginId}`, message: why };
}

interface Brought {
  readonly loaded: readonly LoadedPlugin[];
  readonly collected: PluginCollector["collected"];
}

function addCollected(
  { toolList, config, request, ctx, optionalTools }: PluginRequest,
  { loaded, collected }: Brought,
): void {
  const optional = new Set(loaded.flatMap(({ optionalTools }) => optionalTools));
  const announced = new Map(
    loaded.flatMap(({ toolFactories }) => toolFactories.map(({ names = [] }) => [names[0], names])),
  );
  const isAskedFor = readAskedFor(config, request);
  const scope: OptionalScope = { config, request, listForPolicy: toolList.listForPolicy };
  for (const [id, tool] of collected) {
    const { pluginId = "" } = tool.meta;
    const names = typeof tool.source === "function" ? (announced.get(id) ?? []) : [id];
    const brought: BroughtTool = { ...tool, id, pluginId, names };
    const isAsked = isAskedFor([id, ...names, pluginId]);
    if (optional.has(id)) optionalTools.push({ id, names, pluginId, isAsked });
    if (!optional.has(id) || isAsked) {
      addPluginTool(toolList, { brought, ctx });
      continue;
    }
    for (const name of names.length > 0 ? names : [id]) {
      toolList.noteAbsent(optionalRow({ name, pluginId }, scope));
    }
  }
}
