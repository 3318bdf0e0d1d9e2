// Registers the built-in tools in a registry, by the include and exclude lists of the caller.

import { type ToolDefinition, ToolInputError, type ToolRegistryBase } from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";
import { readField } from "../lib/read-field.js";
import { CATALOG, type CatalogRow } from "../tools/catalog.js";
import { coreRows, getAllSections, getCoreSections, toMeta } from "./catalog.js";

/** Groups as the documented discovery knows them; policy has wider ones. */
const DISCOVERY_GROUPS = {
  "group:fs": ["read", "write", "edit"],
  "group:runtime": ["exec"],
  "group:web": ["web_search", "web_fetch"],
  "group:memory": ["memory_search", "memory_get"],
  "group:sessions": [
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "subagents",
    "session_status",
  ],
  "group:ui": ["browser", "canvas"],
  "group:messaging": ["message"],
  "group:automation": ["cron", "gateway"],
  "group:nodes": ["nodes"],
  "group:agents": ["agents_list"],
  "group:media": ["image", "tts"],
  "group:openclaw": CATALOG.filter((row) => row.openclaw).map((row) => row.tool.name),
} as const satisfies Record<`group:${string}`, readonly string[]>;

export interface DiscoveryOptions {
  /** Accepted with a warning: tools are not loaded from other projects. */
  openclawRoot?: string;
  /** Tool ids or groups; all tools when left out, none when empty. */
  include?: string[];
  /** Tool ids or groups; wins over `include`. */
  exclude?: string[];
  /** Called for each entry that names no tool, and when an implementation or an optional package cannot be loaded. */
  onLoadWarning?: (message: string) => void;
}

export interface DiscoveryScope extends DiscoveryOptions {
  /** `core` is the documented catalog of 23, `all` adds ours. */
  catalog?: "core" | "all";
}

/** Registers executable tools; their implementations are imported at the first call. */
export function discoverCoreTools(registry: ToolRegistryBase, options: DiscoveryScope = {}): void {
  assertDiscoverable(registry, options);
  const all = options.catalog === "all";
  const rows = all ? CATALOG : coreRows();
  const warn = (message: string) => {
    registry.report({ code: "entry_unknown", severity: "warning", toolId: "", message });
    options.onLoadWarning?.(message);
  };
  for (const section of all ? getAllSections() : getCoreSections())
    registry.registerSection(section);
  for (const row of selectRows(rows, { ...options, onLoadWarning: warn }))
    registry.register(options.onLoadWarning ? warnOnLoad(row.tool, warn) : row.tool, toMeta(row));
}

/** The same tool; a failure to load its implementation, or a package it needs, is reported too. */
function warnOnLoad(tool: ToolDefinition, warn: (message: string) => void): ToolDefinition {
  if (tool.awaits !== undefined) return tool;
  const failed = (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`${tool.name} could not be loaded: ${reason}`);
    throw error;
  };
  const load = async () => {
    const { execute } = await tool.load().catch(failed);
    return {
      execute: async (call: Parameters<typeof execute>[0]) => {
        try {
          return await execute(call);
        } catch (error) {
          if (isMissingPackage(error)) return failed(error);
          throw error;
        }
      },
    };
  };
  return Object.freeze({ ...tool, load });
}

/** Optional packages are loaded at their first use, in drivers that add what to install. */
function isMissingPackage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return readField(error, "code") === "MODULE_NOT_FOUND" || isMissingPackage(error.cause);
}

export async function discoverCoreToolsAsync(
  registry: ToolRegistryBase,
  options: DiscoveryScope = {},
): Promise<void> {
  discoverCoreTools(registry, options);
}

function selectRows(rows: readonly CatalogRow[], options: DiscoveryOptions): CatalogRow[] {
  const warn = options.onLoadWarning ?? (() => undefined);
  if (options.openclawRoot !== undefined) {
    warn(
      "openclawRoot is not used: every tool here is clawtools' own, nothing is loaded from there.",
    );
  }
  const known = new Set(rows.map((row) => row.tool.name));
  const included = options.include
    ? expand(options.include, { known, warn, list: "include" })
    : known;
  const excluded = expand(options.exclude ?? [], { known, warn, list: "exclude" });
  return rows.filter(({ tool }) => included.has(tool.name) && !excluded.has(tool.name));
}

function expand(
  entries: readonly string[],
  lookup: { known: ReadonlySet<string>; warn: (message: string) => void; list: string },
): Set<string> {
  const { known, warn, list } = lookup;
  const groups: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(DISCOVERY_GROUPS));
  const ids = new Set<string>();
  for (const entry of entries) {
    const members = known.has(entry) ? [entry] : groups.get(entry);
    for (const id of members ?? []) ids.add(id);
    if (members) continue;
    warn(`${list} names "${entry}", ${whyUnknown(String(entry), [...known, ...groups.keys()])}`);
  }
  return ids;
}

function whyUnknown(entry: string, known: readonly string[]): string {
  if (CATALOG.some(({ tool }) => tool.name === entry)) {
    return 'which is not in the documented catalog; use catalog: "all".';
  }
  const nearest = nearestName(entry, known);
  return `which is not a known tool or group.${nearest ? ` Did you mean "${nearest}"?` : ""}`;
}

/** Callers without types get a sentence instead of an empty registry. */
function assertDiscoverable(registry: unknown, options: DiscoveryScope): void {
  const problem =
    typeof registry !== "object" || registry === null
      ? "discoverCoreTools takes a registry."
      : [options.include, options.exclude].some(
            (list) => list !== undefined && !Array.isArray(list),
          )
        ? "include and exclude are lists of tool ids and groups."
        : ![undefined, "core", "all"].includes(options.catalog)
          ? 'catalog is "core" or "all".'
          : undefined;
  if (problem) throw new ToolInputError(problem, { reason: "discovery_invalid" });
}
