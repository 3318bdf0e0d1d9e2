// Adds the tools of configured plugins, with a row for each one that is missing.
import {
  type FactoryFault,
  mergePatch,
  type PolicyRequest,
  type PolicyTool,
  type SearchProvider,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  type ToolMeta,
  type ToolRegistration,
  toToolError,
} from "../core/index.js";
import type { LoadedPlugin, SearchProviderRegistration } from "../plugins/index.js";
import { compilePolicy } from "./catalog.js";
import { loadPlugins } from "./create-clawtools.js";
import { toDiagnostic } from "./options/read-config.js";
import { readSection, readTexts, type ToolkitSettings } from "./options/settings.js";
import { readAskedFor } from "./options/toolkit-options.js";
import { type DraftRow, type MadeTools, makeTools, readTool, type ToolList } from "./tool-list.js";
import type { OptionalTool } from "./visible-tools/switches.js";

/** The loader hands over all of them; which are asked for is decided here, with a row for the rest. */
const EVERY_OPTIONAL_TOOL = ["group:plugins"];

const WORDS = {
  failed: "the plugin could not be loaded",
  skipped: "the plugin was left out",
} as const satisfies Record<Exclude<LoadedPlugin["status"], "loaded">, string>;

export interface PluginRequest {
  readonly toolList: ToolList;
  readonly settings: ToolkitSettings;
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly ctx: ToolContext;
  readonly searchProviders: SearchProvider[];
  readonly optionalTools: OptionalTool[];
  readonly signal: AbortSignal;
}

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

function noteRefused(toolList: ToolList, plugin: LoadedPlugin): void {
  const { id: pluginId, status, reason, ignored } = plugin;
  const report = (severity: "warning" | "error", message: string) =>
    toolList.registry.report(toDiagnostic({ severity, path: `plugin ${pluginId}`, message }));
  if (status !== "loaded") {
    const why = `${WORDS[status]}: ${reason ?? "no reason is known"}`;
    toolList.noteAbsent({ id: pluginId, status: "absent", code: "not_loaded", reason: why });
    if (status === "failed") report("error", why);
  }
  for (const { kind, name, reason: why } of ignored) {
    const named = name === undefined ? "" : ` "${name}"`;
    if (kind === "registerWebSearchProvider") {
      report("warning", `its search provider${named} is left out: ${why}`);
    }
    if (kind !== "registerTool" || name === undefined) continue;
    for (const one of name.split(", "))
      toolList.noteAbsent(conflictRow({ name: one, pluginId }, why));
  }
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

const NOT_MADE: FactoryFault = {
  code: "declined",
  reason: "its factory gave no tool of this name for this context",
};

interface BroughtTool extends PluginTool {
  readonly id: string;
  readonly pluginId: string;
  readonly names: readonly string[];
}

function addPluginTool(
  toolList: ToolList,
  { brought, ctx }: { readonly brought: BroughtTool; readonly ctx: ToolContext },
): void {
  const { id, pluginId, names } = brought;
  const { tools, fault } = readSource(brought.source, ctx);
  for (const tool of tools) addUnlessTaken(toolList, { tool, brought });
  const made = new Set(tools.map(({ name }) => name));
  const announced = names.length > 0 || made.size > 0 ? names : [id];
  const missing = announced.filter((name) => !made.has(name));
  for (const name of missing) toolList.noteFault(name, fault ?? NOT_MADE);
  if (fault && missing.length === 0) toolList.noteFault(`${pluginId}/${id}`, fault);
}

/** The tool has a row of its own, because its name has the row of its owner. */
function conflictRow(tool: { name: string; pluginId: string }, reason: string): DraftRow {
  const id = `${tool.pluginId}/${tool.name}`;
  return { id, status: "absent", code: "name_conflict", reason };
}

function readSource(source: Tool | ToolDefinition | ToolFactory, ctx: ToolContext): MadeTools {
  if (typeof source === "function") return makeTools(source, ctx);
  try {
    return { tools: [readTool(source)] };
  } catch (cause) {
    return { tools: [], fault: unusable(cause) };
  }
}

function addUnlessTaken(
  toolList: ToolList,
  { tool, brought }: { readonly tool: Tool | ToolDefinition; readonly brought: BroughtTool },
): void {
  const { name, label = name, description } = tool;
  const owner = toolList.findName(name) ?? toolList.findName(name.toLowerCase());
  if (owner !== undefined) {
    const reason = `a tool named "${owner}" exists already`;
    toolList.noteAbsent(conflictRow({ name, pluginId: brought.pluginId }, reason));
    return;
  }
  try {
    toolList.add(tool, { ...brought.meta, id: name, label, description });
  } catch (cause) {
    // A registry takes fewer names than models do.
    toolList.noteFault(name, unusable(cause));
  }
}

function unusable(cause: unknown): FactoryFault {
  return {
    code: "tool_invalid",
    reason: `it cannot be used: ${toToolError(cause).message}`,
    cause,
  };
}

interface AbsentTool {
  readonly name: string;
  readonly pluginId: string;
}

interface OptionalScope {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly listForPolicy: () => readonly PolicyTool[];
}

function optionalRow(tool: AbsentTool, scope: OptionalScope): DraftRow {
  const { name, pluginId } = tool;
  return {
    id: name,
    status: "absent",
    code: "not_loaded",
    reason: `it is an optional tool of the plugin "${pluginId}", and no allow list names it, its plugin or group:plugins`,
    findRestore: () => findRestore(tool, scope),
  };
}

/** Names the tool, then lifts what else the policy has against it. What is given out was tried. */
function findRestore(
  { name, pluginId }: AbsentTool,
  scope: OptionalScope,
): Record<string, unknown> | undefined {
  const { config, request } = scope;
  const optional: PolicyTool = { name, origin: "plugin", originId: pluginId };
  const tools = [...scope.listForPolicy(), optional];
  const decideWith = (patch: Record<string, unknown>) =>
    compilePolicy({ config: mergePatch(config, patch), tools, request }).decide(name);
  const asking = askFor(name, config);
  const decision = decideWith(asking);
  if (decision.allowed) return asking;
  const patch = mergePatch(asking, decision.restore ?? {});
  const isAskedFor = readAskedFor(mergePatch(config, patch), request);
  return decideWith(patch).allowed && isAskedFor([name]) ? patch : undefined;
}

/** Next to names in `allow` a name in `alsoAllow` would be read as a contradiction. */
function askFor(name: string, config: Record<string, unknown>): Record<string, unknown> {
  const { allow, alsoAllow } = readSection(config, "tools");
  const key = readTexts(allow).length > 0 ? "allow" : "alsoAllow";
  const names = key === "allow" ? allow : alsoAllow;
  return { tools: { [key]: [...readTexts(names), name] } };
}

interface PluginTool {
  readonly source: Tool | ToolDefinition | ToolFactory;
  readonly meta: Partial<ToolMeta>;
}

interface PluginCollector extends ToolRegistration {
  /** By id: the name of a tool, or the first name that a factory announces. */
  readonly collected: ReadonlyMap<string, PluginTool>;
}

function createPluginCollector(toolList: Pick<ToolList, "findName">): PluginCollector {
  const collected = new Map<string, PluginTool>();
  return {
    collected,
    register(source, meta = {}) {
      collected.set(meta.id ?? source.name, { source, meta });
    },
    registerFactory(source, meta) {
      collected.set(meta.id, { source, meta });
    },
    has: (id) => collected.has(id) || toolList.findName(id) !== undefined,
    unregister: (id) => collected.delete(id),
  };
}
