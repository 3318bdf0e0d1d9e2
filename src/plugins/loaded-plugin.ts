// One row of the loader's answer: what became of one plugin, also when it was not loaded.
import type { Connector } from "../core/connector.js";
import {
  type SearchProvider,
  type Tool,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
} from "../core/index.js";
import type { Committed } from "./commit.js";
import type { CollectedFactory, IgnoredRegistration } from "./host.js";
import {
  isPlainObject,
  isTextList,
  PluginError,
  type PluginManifest,
  type PluginProblem,
} from "./manifest.js";

const SKIPPING: ReadonlySet<PluginProblem> = new Set(["disabled", "id_duplicate", "stopped"]);

export interface PluginToolFactory {
  factory: ToolFactory;
  names?: string[];
  optional?: boolean;
}

export interface LoadedPlugin {
  /** The folder's name when the manifest could not be read. */
  id: string;
  name: string;
  description?: string;
  version?: string;
  /** The entry file; the folder when there is none. */
  source: string;
  /** The plugin folder, or the search path that could not be searched. */
  path: string;
  status: "loaded" | "failed" | "skipped";
  /** A sentence; there unless the plugin was loaded. */
  reason?: string;
  /** The short name of the reason, for programs. */
  problem?: PluginProblem;
  tools: Tool[];
  /** Tools made with `defineTool`. */
  toolDefinitions: ToolDefinition[];
  toolFactories: PluginToolFactory[];
  connectors: Connector[];
  /** For the tool `web_search`. */
  searchProviders: SearchProvider[];
  /** Ids of what was put into the registries that were given. */
  registered: { tools: string[]; connectors: string[]; searchProviders: string[] };
  /** Ids of the tools that the plugin calls optional. */
  optionalTools: string[];
  /** What the plugin asked for and did not get. */
  ignored: IgnoredRegistration[];
  manifest?: PluginManifest;
}

/** What is known of a plugin at hand; it grows on the way, so that a failure can tell it. */
export interface Attempt {
  id: string;
  readonly path: string;
  source?: string;
  manifest?: PluginManifest;
  /** The row has this list itself, not a copy: a plugin may add to it later. */
  readonly ignored: IgnoredRegistration[];
}

export function toFailedRow(place: Attempt, error: PluginError): LoadedPlugin {
  return {
    ...toEmptyRow(place),
    status: SKIPPING.has(error.problem) ? "skipped" : "failed",
    reason: error.message,
    problem: error.problem,
  };
}

export function toLoadedRow(place: Attempt, committed: Committed): LoadedPlugin {
  const { tools, connectors, searchProviders, registered } = committed;
  return {
    ...toEmptyRow(place),
    status: "loaded",
    tools: tools.flatMap((entry) => (entry.kind === "tool" ? [entry.tool] : [])),
    toolDefinitions: tools.flatMap((entry) => (entry.kind === "definition" ? [entry.tool] : [])),
    toolFactories: tools.flatMap((entry) => (entry.kind === "factory" ? [toFactory(entry)] : [])),
    connectors,
    searchProviders,
    registered,
    optionalTools: tools.filter((entry) => entry.optional).map((entry) => entry.id),
  };
}

function toFactory(entry: CollectedFactory): PluginToolFactory {
  return {
    factory: entry.factory,
    ...(entry.names.length > 0 && { names: [...entry.names] }),
    ...(entry.optional && { optional: true }),
  };
}

function toEmptyRow(place: Attempt): Omit<LoadedPlugin, "status"> {
  const { id, path, manifest } = place;
  return {
    id,
    name: manifest?.name ?? id,
    ...(manifest?.description !== undefined && { description: manifest.description }),
    ...(manifest?.version !== undefined && { version: manifest.version }),
    source: place.source ?? path,
    path,
    tools: [],
    toolDefinitions: [],
    toolFactories: [],
    connectors: [],
    searchProviders: [],
    registered: { tools: [], connectors: [], searchProviders: [] },
    optionalTools: [],
    ignored: place.ignored,
    ...(manifest !== undefined && { manifest }),
  };
}

/** What a timer can count; one that is set longer fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const LISTS = ["enabledPlugins", "disabledPlugins", "optionalTools"] as const;

/** Throws a ToolInputError. What is wrong with a single search path is left to its row. */
export function assertLoaderOptions(options: unknown): void {
  if (!isPlainObject(options)) throw invalid("the argument of loadPlugins", "an object");
  const { searchPaths, registerTimeoutMs } = options;
  if (typeof searchPaths !== "string" && !Array.isArray(searchPaths)) {
    throw invalid("searchPaths", "a list of folders");
  }
  if (registerTimeoutMs !== undefined && !isTimeout(registerTimeoutMs)) {
    throw invalid("registerTimeoutMs", `a whole number from 1 to ${MAX_TIMEOUT_MS}`);
  }
  for (const key of LISTS) {
    if (options[key] !== undefined && !isTextList(options[key]))
      throw invalid(key, "a list of texts");
  }
}

export function listSearchPaths(searchPaths: unknown): readonly unknown[] {
  return Array.isArray(searchPaths) ? [...searchPaths] : [searchPaths];
}

/** A blank path would be the working folder, which no one asked to search. */
export function assertSearchPath(path: unknown, place: string): asserts path is string {
  if (typeof path === "string" && path.trim() !== "") return;
  throw new PluginError(`${place} must be the path of a folder.`, {
    problem: "search_path_invalid",
  });
}

function isTimeout(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMEOUT_MS;
}

function invalid(what: string, expected: string): ToolInputError {
  return new ToolInputError(`${what} must be ${expected}.`, { reason: "options_invalid" });
}
