// Registers what a plugin collected, or nothing. It never overwrites: conflicts are listed.
import type { Connector } from "../core/connector.js";
import {
  SEARCH_PROVIDER_IDS,
  type SearchProvider,
  type ToolMeta,
  type ToolRegistration,
} from "../core/index.js";
import type { Collected, CollectedTool } from "./host.js";
import { isPlainObject, isTextList, type PluginManifest } from "./manifest.js";
import { hasId } from "./settings.js";

const PLUGIN_SECTION = "plugin";
const PLUGIN_GROUP = "group:plugins";

export interface ConnectorRegistration {
  register(connector: Connector): void;
  has(id: string): boolean;
  unregister(id: string): boolean;
}

export interface CommitTarget {
  readonly toolRegistry?: ToolRegistration | undefined;
  readonly connectorRegistry?: ConnectorRegistration | undefined;
  readonly searchProviderRegistry?: SearchProviderRegistration | undefined;
  /** Optional tools that someone asked for: tool names, plugin ids or `group:plugins`. */
  readonly optionalTools?: readonly string[] | undefined;
  /** What plugins of this load hold already: `tool:name`, `connector:id`, `search:id` → plugin id. */
  readonly claims: Map<string, string>;
}

interface CommitRequest {
  readonly manifest: PluginManifest;
  readonly collected: Collected;
  readonly target: CommitTarget;
}

export interface Committed {
  readonly tools: CollectedTool[];
  readonly connectors: Connector[];
  readonly searchProviders: SearchProvider[];
  readonly registered: {
    readonly tools: string[];
    readonly connectors: string[];
    readonly searchProviders: string[];
  };
}

interface Work extends CommitRequest {
  readonly done: Committed;
  readonly undo: Array<() => void>;
}

/** Refusals are added to `collected.ignored`. Throws what a registry throws, all taken back. */
export function commit(request: CommitRequest): Committed {
  const done: Committed = {
    tools: [],
    connectors: [],
    searchProviders: [],
    registered: { tools: [], connectors: [], searchProviders: [] },
  };
  const work: Work = { ...request, done, undo: [] };
  try {
    for (const entry of request.collected.tools) commitTool(entry, work);
    for (const connector of request.collected.connectors) commitConnector(connector, work);
    for (const provider of request.collected.searchProviders) commitSearchProvider(provider, work);
    return done;
  } catch (error) {
    for (const step of work.undo.reverse()) step();
    throw error;
  }
}

function commitTool(entry: CollectedTool, work: Work): void {
  const { manifest, target, done } = work;
  const { toolRegistry } = target;
  const names = [...new Set([entry.id, ...entry.names])];
  const refuse = (reason: string) =>
    work.collected.ignored.push({ kind: "registerTool", name: names.join(", "), reason });
  const taken = names.find((name) => isToolTaken(name, target));
  if (taken !== undefined) {
    refuse(`a tool named "${taken}" exists already${describeHolder(`tool:${taken}`, target)}`);
    return;
  }
  for (const name of names) claim(`tool:${name}`, work);
  done.tools.push(entry);
  if (toolRegistry === undefined) return;
  if (entry.optional && !isAskedFor([...names, manifest.id], target)) {
    refuse("it is optional, and optionalTools names neither it nor its plugin");
    return;
  }
  registerTool(entry, { manifest, registry: toolRegistry });
  work.undo.push(() => toolRegistry.unregister(entry.id));
  done.registered.tools.push(entry.id);
}

function commitConnector(connector: Connector, work: Work): void {
  const { connectorRegistry } = work.target;
  const { id } = connector;
  const key = `connector:${id}`;
  if (connectorRegistry?.has(id) || work.target.claims.has(key)) {
    const reason = `a connector "${id}" exists already${describeHolder(key, work.target)}`;
    work.collected.ignored.push({ kind: "registerConnector", name: id, reason });
    return;
  }
  claim(key, work);
  work.done.connectors.push(connector);
  if (connectorRegistry === undefined) return;
  connectorRegistry.register(connector);
  work.undo.push(() => connectorRegistry.unregister(id));
  work.done.registered.connectors.push(id);
}

function commitSearchProvider(provider: SearchProvider, work: Work): void {
  const { searchProviderRegistry } = work.target;
  const { id } = provider;
  const key = `search:${id}`;
  const isOurs = SEARCH_PROVIDER_IDS.some((own) => own === id);
  if (isOurs || searchProviderRegistry?.has(id) || work.target.claims.has(key)) {
    const reason = `a search provider "${id}" exists already${describeHolder(key, work.target)}`;
    work.collected.ignored.push({ kind: "registerWebSearchProvider", name: id, reason });
    return;
  }
  claim(key, work);
  work.done.searchProviders.push(provider);
  if (searchProviderRegistry === undefined) return;
  searchProviderRegistry.register(provider);
  work.undo.push(() => searchProviderRegistry.unregister(id));
  work.done.registered.searchProviders.push(id);
}

interface ToolPlace {
  readonly manifest: PluginManifest;
  readonly registry: ToolRegistration;
}

function registerTool(entry: CollectedTool, place: ToolPlace): void {
  const { manifest, registry } = place;
  const about = entry.kind === "factory" ? undefined : entry.tool;
  const meta: ToolMeta = {
    id: entry.id,
    label: about?.label ?? entry.id,
    description: about?.description ?? manifest.description ?? "",
    sectionId: PLUGIN_SECTION,
    profiles: ["full"],
    source: "plugin",
    pluginId: manifest.id,
  };
  if (entry.kind === "factory") {
    registry.registerFactory(entry.factory, meta);
  } else {
    registry.register(entry.tool, meta);
  }
}

function isToolTaken(name: string, target: CommitTarget): boolean {
  const { toolRegistry, claims } = target;
  return (
    claims.has(`tool:${name.toLowerCase()}`) ||
    (toolRegistry !== undefined && (toolRegistry.has(name) || toolRegistry.has(name.toLowerCase())))
  );
}

function isAskedFor(names: readonly string[], target: CommitTarget): boolean {
  return [...names, PLUGIN_GROUP].some((name) => hasId(target.optionalTools, name));
}

function claim(key: string, work: Work): void {
  const { claims } = work.target;
  const lowerKey = key.toLowerCase();
  claims.set(lowerKey, work.manifest.id);
  work.undo.push(() => claims.delete(lowerKey));
}

function describeHolder(key: string, target: CommitTarget): string {
  const pluginId = target.claims.get(key.toLowerCase());
  return pluginId === undefined ? "" : ` in the plugin "${pluginId}"`;
}

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NEEDS = ["key", "address", "nothing"];
/** Keys of `tools.web.search` that are not section of a provider. */
const TAKEN = ["enabled", "provider", "auto"];

export interface SearchProviderRegistration {
  register(provider: SearchProvider): void;
  has(id: string): boolean;
  unregister(id: string): boolean;
}

/** undefined: it can be used. Plugins of other programs give other shapes, and are loaded all the same. */
export function findProviderFault(provider: unknown): string | undefined {
  if (!isPlainObject(provider)) return "a search provider must be an object";
  const { id, label, needs, filters, search, requestsPerSecond = 1, burst = 1 } = provider;
  const { keyVariables = [] } = provider;
  if (typeof id !== "string" || !ID.test(id) || TAKEN.includes(id)) {
    return 'a search provider needs an id of small letters, digits and "-"';
  }
  const checks: readonly (readonly [isSound: boolean, what: string])[] = [
    [typeof label === "string" && label !== "", "a label"],
    [NEEDS.some((need) => need === needs), `needs, one of ${NEEDS.join(", ")}`],
    [isTextList(keyVariables), "keyVariables that are a list of texts"],
    [typeof filters === "function", "a filters function"],
    [typeof search === "function", "a search function"],
    [Number(requestsPerSecond) > 0, "requestsPerSecond above 0"],
    [Number(burst) >= 1, "a burst of 1 or more"],
  ];
  const wrong = checks.find(([isSound]) => !isSound);
  return wrong && `the search provider must have ${wrong[1]}`;
}
