// What the caller and the config say about one plugin: may it be loaded, and with which settings.
// Lists are blind to case and an empty allow list allows nothing.

import { isPlainObject, isPluginId } from "./manifest.js";
import { PluginError } from "./problem.js";

export interface SettingsSource {
  /** The shape of `clawtools.json`; only `plugins` is read. */
  readonly config?: unknown;
  readonly enabledPlugins?: readonly string[] | undefined;
  readonly disabledPlugins?: readonly string[] | undefined;
}

/** Throws a PluginError `disabled` that names the rule, or `settings_invalid` that names the key. */
export function assertEnabled(id: string, source: SettingsSource): void {
  const plugins = readPlugins(source.config);
  const allow = readIds(plugins, "allow");
  if (plugins.enabled === false) throw disabled(id, "config.plugins.enabled is false");
  if (hasId(source.disabledPlugins, id)) throw disabled(id, "disabledPlugins names it");
  if (hasId(readIds(plugins, "deny"), id)) throw disabled(id, "config.plugins.deny names it");
  if (source.enabledPlugins !== undefined && !hasId(source.enabledPlugins, id)) {
    throw disabled(id, "enabledPlugins does not name it");
  }
  if (allow !== undefined && !hasId(allow, id)) {
    throw disabled(id, "config.plugins.allow does not name it");
  }
  if (readEntry(plugins, id).enabled === false) {
    throw disabled(id, `config.plugins.entries.${id}.enabled is false`);
  }
}

/** `config.plugins.entries.<id>.config`, or an empty object. */
export function readPluginConfig(id: string, source: SettingsSource): Record<string, unknown> {
  const config = readEntry(readPlugins(source.config), id).config;
  if (config === undefined) return {};
  if (!isPlainObject(config)) throw invalid(`config.plugins.entries.${id}.config`, "an object");
  return config;
}

/** The ids that the caller and the config speak of, each with the place; for finding slips. */
export function listNamedIds(source: SettingsSource): Array<{ id: string; place: string }> {
  const plugins = isPlainObject(source.config) ? source.config.plugins : undefined;
  const lists: Array<[string, unknown]> = [
    ["enabledPlugins", source.enabledPlugins],
    ["disabledPlugins", source.disabledPlugins],
  ];
  if (isPlainObject(plugins)) {
    lists.push(["config.plugins.allow", plugins.allow]);
    lists.push(["config.plugins.deny", plugins.deny]);
    const { entries } = plugins;
    lists.push(["config.plugins.entries", isPlainObject(entries) ? Object.keys(entries) : []]);
  }
  return lists.flatMap(([place, list]) =>
    Array.isArray(list) ? list.filter(isPluginId).map((id) => ({ id, place })) : [],
  );
}

export function hasId(list: readonly string[] | undefined, id: string): boolean {
  return list?.some((entry) => entry.toLowerCase() === id.toLowerCase()) ?? false;
}

function readPlugins(config: unknown): Record<string, unknown> {
  const plugins = isPlainObject(config) ? config.plugins : undefined;
  if (plugins === undefined) return {};
  if (!isPlainObject(plugins)) throw invalid("config.plugins", "an object");
  if (plugins.enabled !== undefined && typeof plugins.enabled !== "boolean") {
    throw invalid("config.plugins.enabled", "true or false");
  }
  return plugins;
}

/** An entry that is not a plugin id would never match, and a deny that never matches lets through. */
function readIds(plugins: Record<string, unknown>, key: "allow" | "deny"): string[] | undefined {
  const list = plugins[key];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) throw invalid(`config.plugins.${key}`, "a list of plugin ids");
  return list.map((entry: unknown, index) => {
    if (!isPluginId(entry)) throw invalid(`config.plugins.${key}[${index}]`, "a plugin id");
    return entry;
  });
}

function readEntry(plugins: Record<string, unknown>, id: string): Record<string, unknown> {
  const entries = plugins.entries;
  if (entries === undefined) return {};
  if (!isPlainObject(entries)) throw invalid("config.plugins.entries", "an object");
  const key = Object.keys(entries).find((name) => hasId([name], id));
  const entry = key === undefined ? {} : entries[key];
  if (!isPlainObject(entry)) throw invalid(`config.plugins.entries.${id}`, "an object");
  if (entry.enabled !== undefined && typeof entry.enabled !== "boolean") {
    throw invalid(`config.plugins.entries.${id}.enabled`, "true or false");
  }
  return entry;
}

function disabled(id: string, rule: string): PluginError {
  return new PluginError(`the plugin "${id}" is not loaded: ${rule}.`, { problem: "disabled" });
}

function invalid(path: string, expected: string): PluginError {
  return new PluginError(
    `${path} must be ${expected}; until then no plugin it concerns is loaded.`,
    {
      problem: "settings_invalid",
    },
  );
}
