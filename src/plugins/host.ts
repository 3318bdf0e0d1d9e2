// The API object of a plugin. It only collects; `commit.ts` registers.

import type { Connector } from "../core/connector.js";
import {
  assertToolName,
  isToolDefinition,
  type SearchProvider,
  type Tool,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
} from "../core/index.js";
import { findProviderFault } from "./commit.js";
import { isPlainObject, type PluginManifest } from "./manifest.js";
import { expandPath } from "./search.js";

const IGNORED_MEMBERS = [
  ...(["registerHook", "registerHttpHandler", "registerHttpRoute", "registerChannel"] as const),
  ...(["registerGatewayMethod", "registerCli", "registerService", "registerProvider"] as const),
  ...(["registerCommand", "on"] as const),
] as const;

/** What the first of these in an ignored registration says is its name in the row. */
const NAMING_KEYS = ["id", "path", "name", "commands", "plugin"];

/** Leaves room for the ending in a tool name of 64 characters. */
const MAX_FACTORY_BASE_CHARS = 48;

type IgnoredMember = (typeof IGNORED_MEMBERS)[number];
type KeptMember = "registerTool" | "registerConnector" | "registerWebSearchProvider";

export interface ToolRegistrationOptions {
  /** What a factory will make; the first name is its id in the registry. */
  name?: string;
  names?: string[];
  /** Not offered unless someone asks for it by name. */
  optional?: boolean;
}

type Handler = (...args: never[]) => unknown;

/** The members of the documented plugin API, then two of ours. */
export interface PluginApi {
  readonly id: string;
  readonly name: string;
  registerTool(tool: Tool | ToolDefinition | ToolFactory, options?: ToolRegistrationOptions): void;
  registerConnector(connector: Connector): void;
  /** For the tool `web_search`; its id is what `tools.web.search.provider` names. */
  registerWebSearchProvider(provider: SearchProvider): void;
  /** From here to `on`: accepted and listed under `ignored`, without effect in this version. */
  registerHook(events: string | string[], handler: Handler, options?: unknown): void;
  registerHttpHandler(handler: Handler): void;
  registerHttpRoute(route: { path: string; handler: Handler }): void;
  registerChannel(channel: unknown): void;
  registerGatewayMethod(method: string, handler: Handler): void;
  registerCli(registrar: Handler, options?: { commands?: string[] }): void;
  registerService(service: { id: string; start: Handler; stop?: Handler }): void;
  registerProvider(provider: unknown): void;
  registerCommand(command: { name: string; description: string; handler: Handler }): void;
  on(hookName: string, handler: Handler, options?: { priority?: number }): void;
  /** Relative to the plugin's folder; `~` is the home folder. Any path is allowed. */
  resolvePath(input: string): string;
  /** The plugin's own settings, checked against its `configSchema`; frozen. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly logger: Required<PluginLogger>;
}

export interface PluginLogger {
  info?: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
}

/** What a plugin may export, for authors who want types. */
export interface PluginDefinition {
  id: string;
  name?: string;
  description?: string;
  version?: string;
  register?: (api: PluginApi) => void | Promise<void>;
  /** Another name for `register`. */
  activate?: (api: PluginApi) => void | Promise<void>;
}

/** Something a plugin asked for and did not get. */
export interface IgnoredRegistration {
  /** The member of the API, or `manifest` for an unknown key, or `extension` for a further entry. */
  readonly kind: IgnoredMember | KeptMember | "manifest" | "extension";
  readonly name?: string;
  readonly reason: string;
}

interface CollectedNames {
  readonly id: string;
  /** The tools it says it brings; empty for a factory that says nothing. */
  readonly names: readonly string[];
  readonly optional: boolean;
}

export interface CollectedFactory extends CollectedNames {
  readonly kind: "factory";
  readonly factory: ToolFactory;
}

export type CollectedTool =
  | CollectedFactory
  | (CollectedNames & { readonly kind: "tool"; readonly tool: Tool })
  | (CollectedNames & { readonly kind: "definition"; readonly tool: ToolDefinition });

export interface Collected {
  readonly tools: CollectedTool[];
  readonly connectors: Connector[];
  readonly searchProviders: SearchProvider[];
  readonly ignored: IgnoredRegistration[];
}

export interface PluginHostOptions {
  readonly manifest: PluginManifest;
  readonly folder: string;
  readonly homeDir: string | undefined;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly logger: Required<PluginLogger>;
  /** The list that ignored registrations are added to, also those that come too late. */
  readonly ignored: IgnoredRegistration[];
}

export type PluginHost = ReturnType<typeof createPluginHost>;

export function createPluginHost(options: PluginHostOptions) {
  const { manifest, folder, homeDir, logger, ignored } = options;
  const collected: Collected = { tools: [], connectors: [], searchProviders: [], ignored };
  let isClosed = false;

  const isTooLate = (kind: KeptMember): boolean => {
    if (!isClosed) return false;
    const reason = "it came after the register function had ended";
    collected.ignored.push({ kind, reason });
    logger.warn(`plugin "${manifest.id}": ${kind} is ignored: ${reason}.`);
    return true;
  };
  const ignore =
    (kind: IgnoredMember) =>
    (...args: unknown[]): void => {
      const name = nameOf(args[0]) ?? nameOf(args[1]);
      const reason = `${kind} has no effect in this version`;
      collected.ignored.push({ kind, ...(name !== undefined && { name }), reason });
    };

  const ignoring = Object.fromEntries(IGNORED_MEMBERS.map((kind) => [kind, ignore(kind)]));
  const api: PluginApi = {
    // The keys are those of the list, which Object.fromEntries cannot tell.
    ...(ignoring as Record<IgnoredMember, () => void>),
    id: manifest.id,
    name: manifest.name ?? manifest.id,
    registerTool: (tool, registration) => {
      if (isTooLate("registerTool")) return;
      const fallbackId = toFactoryId(manifest.id, collected.tools.length);
      collected.tools.push(readTool({ tool, registration: registration ?? {}, fallbackId }));
    },
    registerConnector: (connector) => {
      if (!isTooLate("registerConnector")) collected.connectors.push(readConnector(connector));
    },
    registerWebSearchProvider: (provider) => {
      if (isTooLate("registerWebSearchProvider")) return;
      const reason = findProviderFault(provider);
      const name = nameOf(provider);
      if (reason === undefined) collected.searchProviders.push(provider);
      else ignored.push({ kind: "registerWebSearchProvider", ...(name && { name }), reason });
    },
    resolvePath: (input) => expandPath(input, { baseDir: folder, homeDir }),
    pluginConfig: options.pluginConfig,
    logger,
  };
  return {
    api,
    collected,
    close: () => {
      isClosed = true;
    },
  };
}

interface ToolOffer {
  readonly tool: Tool | ToolDefinition | ToolFactory;
  readonly registration: ToolRegistrationOptions;
  readonly fallbackId: string;
}

/** Plugins are plain JavaScript, so the shape is checked here, where the plugin can be named. */
function readTool(offer: ToolOffer): CollectedTool {
  const { tool, registration } = offer;
  const optional = registration.optional === true;
  if (typeof tool === "function") {
    const names = readFactoryNames(registration);
    const id = names[0] ?? offer.fallbackId;
    return { kind: "factory", factory: tool, id, names, optional };
  }
  if (!isPlainObject(tool)) throw new ToolInputError("a tool must be an object or a function.");
  assertToolName(tool.name);
  const own = { id: tool.name, names: [tool.name], optional };
  if (isToolDefinition(tool)) return { kind: "definition", tool, ...own };
  if (typeof tool.execute !== "function") {
    throw new ToolInputError(`the tool "${tool.name}" has no execute function.`);
  }
  if (!isPlainObject(tool.parameters)) {
    throw new ToolInputError(`the tool "${tool.name}" has no parameters: give a JSON Schema.`);
  }
  return { kind: "tool", tool, ...own };
}

function readFactoryNames({ name, names }: ToolRegistrationOptions): readonly string[] {
  const given: unknown = names ?? (name === undefined ? [] : [name]);
  if (!Array.isArray(given)) throw new ToolInputError("names of a tool factory must be a list.");
  return given.map((entry: unknown) => {
    assertToolName(entry);
    return entry;
  });
}

/** `voice.call` → `voice-call-factory`; a later one carries its place. */
function toFactoryId(pluginId: string, place: number): string {
  const base = pluginId.replaceAll(".", "-").slice(0, MAX_FACTORY_BASE_CHARS);
  return place === 0 ? `${base}-factory` : `${base}-factory-${place + 1}`;
}

function readConnector(connector: Connector): Connector {
  if (!isPlainObject(connector) || typeof connector.id !== "string" || connector.id === "") {
    throw new ToolInputError("a connector must be an object with an id.");
  }
  return connector;
}

/** A text, a list of texts, or what an object calls itself. */
function nameOf(value: unknown): string | undefined {
  if (isPlainObject(value)) {
    return NAMING_KEYS.map((key) => nameOf(value[key])).find((name) => name !== undefined);
  }
  const names = Array.isArray(value) ? value : [value];
  const texts = names.filter((name) => typeof name === "string");
  return texts.length === 0 ? undefined : texts.join(", ");
}

type Level = keyof PluginLogger;

/** A method that is missing says nothing. All that is logged is in the rows too. */
export function toSafeLogger(logger: unknown): Required<PluginLogger> {
  const tell = async (name: Level, message: string): Promise<void> => {
    const log: unknown = Object(logger)[name];
    if (typeof log === "function") await log.call(logger, message);
  };
  const level = (name: Level) => (message: string) => {
    // The logger itself failed, so the error cannot be logged.
    tell(name, message).catch(() => undefined);
  };
  return { info: level("info"), warn: level("warn"), error: level("error") };
}
