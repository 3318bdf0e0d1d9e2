// Whether a plugin may be loaded, and its settings. Ids ignore case; an empty list allows none.

import {
  compileValidator,
  type Problem,
  type TimeGuard,
  toToolError,
  type Validator,
} from "../core/index.js";
import { isPlainObject, isPluginId, PluginError, type PluginManifest } from "./manifest.js";

interface SettingsSource {
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

export function readPluginConfig(id: string, source: SettingsSource): Record<string, unknown> {
  const config = readEntry(readPlugins(source.config), id).config;
  if (config === undefined) return {};
  if (!isPlainObject(config)) throw invalid(`config.plugins.entries.${id}.config`, "an object");
  return config;
}

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

const MAX_SHOWN_PROBLEMS = 5;
const MASK = "…";

interface ConfigCheck {
  readonly manifest: PluginManifest;
  readonly source: SettingsSource;
  readonly guard: TimeGuard | undefined;
}

/** A frozen copy of the settings. Throws a PluginError that names each wrong field. */
export async function checkPluginConfig(
  request: ConfigCheck,
): Promise<Readonly<Record<string, unknown>>> {
  const { manifest, source } = request;
  const place = `config.plugins.entries.${manifest.id}.config`;
  const config = copyConfig(readPluginConfig(manifest.id, source), place);
  if (manifest.configSchema === undefined) return config;
  const validator = await compile(manifest, request.guard);
  const problems = findProblems(validator, { config, place });
  if (problems.length === 0) return config;
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS);
  const listed = shown.map(({ path, message }) => `${joinPath(place, path)}: ${message}`);
  const more = problems.length - shown.length;
  if (more > 0) listed.push(`and ${more} more`);
  throw new PluginError(
    `the settings of "${manifest.id}" do not fit its configSchema: ${listed.join("; ")}.`,
    { problem: "config_invalid" },
  );
}

async function compile(manifest: PluginManifest, guard: TimeGuard | undefined): Promise<Validator> {
  try {
    return await compileValidator(manifest.configSchema, guard === undefined ? {} : { guard });
  } catch (error) {
    throw new PluginError(
      `the configSchema of "${manifest.id}" cannot be used: ${toToolError(error).message}`,
      { problem: "manifest_invalid", cause: error },
    );
  }
}

/**
 * The validator shows what it received, and settings hold keys and passwords. So the words come
 * from a second check, of a copy in which every text is a placeholder.
 */
function findProblems(
  validator: Validator,
  settings: { readonly config: unknown; readonly place: string },
): readonly Problem[] {
  try {
    const checked = validator.check(settings.config);
    if (checked.ok) return [];
    const masked = validator.check(maskTexts(settings.config));
    const words = new Map(
      masked.ok ? [] : masked.problems.map(({ path, message }) => [path, message]),
    );
    return checked.problems.map(({ path }) => ({
      path,
      message: words.get(path) ?? "does not fit the schema",
    }));
  } catch (error) {
    throw new PluginError(`${settings.place} cannot be checked: ${toToolError(error).message}`, {
      problem: "config_invalid",
      cause: error,
    });
  }
}

function maskTexts(config: unknown): unknown {
  const mask = (_key: string, value: unknown) => (typeof value === "string" ? MASK : value);
  return JSON.parse(JSON.stringify(config, mask));
}

function joinPath(place: string, path: string): string {
  return path === "" || path.startsWith("[") ? `${place}${path}` : `${place}.${path}`;
}

/** A copy, so that a plugin cannot change the settings of the program that loads it. */
function copyConfig(config: Record<string, unknown>, place: string): Record<string, unknown> {
  try {
    const copy = structuredClone(config);
    freezeAll(copy);
    return copy;
  } catch (error) {
    throw new PluginError(`${place} must be plain data: ${toToolError(error).message}`, {
      problem: "config_invalid",
      cause: error,
    });
  }
}

function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  for (const inner of Object.values(Object.freeze(value))) freezeAll(inner);
}
