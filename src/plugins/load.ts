// `loadPlugins`: a plugin that fails becomes a row of the answer and leaves nothing behind.
import { basename } from "node:path";
import { type TimeGuard, type ToolRegistration, toToolError } from "../core/index.js";
import {
  type CommitTarget,
  type Committed,
  type ConnectorRegistration,
  commit,
  type SearchProviderRegistration,
} from "./commit.js";
import { callRegister, DEFAULT_REGISTER_TIMEOUT_MS, findEntry, loadRegister } from "./entry.js";
import { createPluginHost, type PluginHost, type PluginLogger, toSafeLogger } from "./host.js";
import {
  type Attempt,
  assertLoaderOptions,
  assertSearchPath,
  type LoadedPlugin,
  listSearchPaths,
  toFailedRow,
  toLoadedRow,
} from "./loaded-plugin.js";
import { PluginError, type PluginManifest, readManifest, realPathOf } from "./manifest.js";
import { expandPath, findPluginFolders } from "./search.js";
import { assertEnabled, checkPluginConfig, listNamedIds } from "./settings.js";

export interface PluginLoaderOptions {
  /** Folders that hold plugin folders, or plugin folders themselves. `~` is the home folder. */
  searchPaths: readonly string[];
  /** If set, only these ids are loaded; an empty list loads none. */
  enabledPlugins?: readonly string[] | undefined;
  disabledPlugins?: readonly string[] | undefined;
  logger?: PluginLogger | undefined;
  /** Without it the tools are only collected, for the caller to register. */
  toolRegistry?: ToolRegistration | undefined;
  connectorRegistry?: ConnectorRegistration | undefined;
  /** Where providers of web search go. */
  searchProviderRegistry?: SearchProviderRegistration | undefined;
  /** The shape of `clawtools.json`; `plugins` of it is read. */
  config?: Record<string, unknown> | undefined;
  /** Which optional tools to register: tool names, plugin ids or `group:plugins`. */
  optionalTools?: readonly string[] | undefined;
  homeDir?: string | undefined;
  /** Where relative search paths start; default: the working folder. */
  baseDir?: string | undefined;
  /** Default: whether this Node can. Set it when a loader such as tsx is at work. */
  canLoadTypeScript?: boolean | undefined;
  /** For the import and for the register function, each: 1 to 2^31 - 1; default 15,000. */
  registerTimeoutMs?: number | undefined;
  /** Plugins that have not been loaded when it fires are skipped. */
  signal?: AbortSignal | undefined;
}

export interface LoaderHost {
  readonly homeDir: string | undefined;
  readonly baseDir: string;
  readonly canLoadTypeScript: boolean;
  readonly guard?: TimeGuard | undefined;
}

interface Run {
  readonly options: PluginLoaderOptions;
  readonly host: LoaderHost;
  readonly logger: Required<PluginLogger>;
  readonly target: CommitTarget;
  readonly seen: Map<string, string>;
}

/**
 * Never throws for a plugin's fault: every one that was found, or named and not found, has a row.
 * Throws a ToolInputError for options that cannot be meant, before anything is loaded.
 */
export async function loadPluginsFrom(
  options: PluginLoaderOptions,
  host: LoaderHost,
): Promise<LoadedPlugin[]> {
  assertLoaderOptions(options);
  const run = createRun(options, host);
  const rows: LoadedPlugin[] = [];
  for (const [index, path] of listSearchPaths(options.searchPaths).entries()) {
    rows.push(...(await loadAll({ path, place: `searchPaths[${index}]` }, run)));
  }
  rows.push(...findAbsent(run));
  return rows;
}

function createRun(options: PluginLoaderOptions, host: LoaderHost): Run {
  const { logger, toolRegistry, connectorRegistry, searchProviderRegistry } = options;
  const { optionalTools } = options;
  return {
    options,
    host: {
      homeDir: options.homeDir ?? host.homeDir,
      baseDir: options.baseDir ?? host.baseDir,
      canLoadTypeScript: options.canLoadTypeScript ?? host.canLoadTypeScript,
      guard: host.guard,
    },
    logger: toSafeLogger(logger),
    target: {
      ...{ toolRegistry, connectorRegistry, searchProviderRegistry, optionalTools },
      claims: new Map(),
    },
    seen: new Map(),
  };
}

interface SearchPath {
  readonly path: unknown;
  readonly place: string;
}

async function loadAll({ path, place }: SearchPath, run: Run): Promise<LoadedPlugin[]> {
  const rows: LoadedPlugin[] = [];
  try {
    assertSearchPath(path, place);
    const folders = await findPluginFolders(expandPath(path, run.host));
    if (folders.length === 0) run.logger.info(`no plugin is in ${path}.`);
    for (const folder of folders) rows.push(report(await loadOne(folder, run), run));
  } catch (error) {
    const failure = toPluginError(error);
    const text = typeof path === "string" ? path : "";
    const id = failure.problem === "search_path_invalid" ? place : basename(text);
    rows.push(report(toFailedRow({ id, path: text, ignored: [] }, failure), run));
  }
  return rows;
}

async function loadOne(path: string, run: Run): Promise<LoadedPlugin> {
  const attempt: Attempt = { id: basename(path), path, ignored: [] };
  try {
    if (run.options.signal?.aborted) {
      throw new PluginError("loading was stopped before this plugin.", { problem: "stopped" });
    }
    const folder = await openFolder(path);
    const manifest = await identify({ folder, attempt, run });
    return await start({ folder, manifest, attempt, run });
  } catch (error) {
    return toFailedRow(attempt, toPluginError(error));
  }
}

async function openFolder(path: string): Promise<string> {
  const folder = await realPathOf(path).catch((error: unknown) => {
    const message = `${path} cannot be read: ${toToolError(error).message}`;
    throw new PluginError(message, { problem: "manifest_unreadable", cause: error });
  });
  return folder ?? path;
}

interface Step {
  readonly folder: string;
  readonly attempt: Attempt;
  readonly run: Run;
}

async function identify(step: Step): Promise<PluginManifest> {
  const { attempt, run } = step;
  const { manifest, unknownKeys } = await readManifest(step.folder);
  attempt.id = manifest.id;
  attempt.manifest = manifest;
  for (const name of unknownKeys) {
    attempt.ignored.push({ kind: "manifest", name, reason: "the manifest key is not known here" });
  }
  const earlier = run.seen.get(manifest.id.toLowerCase());
  if (earlier !== undefined) {
    throw new PluginError(
      `the id "${manifest.id}" of ${attempt.path} belongs to ${earlier}, which came first.`,
      { problem: "id_duplicate" },
    );
  }
  run.seen.set(manifest.id.toLowerCase(), attempt.path);
  assertEnabled(manifest.id, run.options);
  if (run.target.toolRegistry?.has(manifest.id)) {
    throw new PluginError(
      `the plugin id "${manifest.id}" is the name of a tool, so rules for the tool would hold for the plugin: rename it.`,
      { problem: "id_is_tool_name" },
    );
  }
  return manifest;
}

async function start(step: Step & { readonly manifest: PluginManifest }): Promise<LoadedPlugin> {
  const { folder, manifest, attempt, run } = step;
  const { signal, registerTimeoutMs } = run.options;
  const { homeDir, canLoadTypeScript, guard } = run.host;
  const pluginConfig = await checkPluginConfig({ manifest, source: run.options, guard });
  const entry = await findEntry({ folder, canLoadTypeScript });
  attempt.source = entry.file;
  for (const name of entry.others) {
    attempt.ignored.push({ kind: "extension", name, reason: "only the first entry is loaded" });
  }
  const limits = { timeoutMs: registerTimeoutMs ?? DEFAULT_REGISTER_TIMEOUT_MS, signal };
  const register = await loadRegister(entry.file, limits);
  const { ignored } = attempt;
  const { logger } = run;
  const host = createPluginHost({ manifest, folder, homeDir, pluginConfig, logger, ignored });
  try {
    await callRegister(register, { ...limits, api: host.api });
  } finally {
    host.close();
  }
  return toLoadedRow(attempt, commitOrFail(host, step));
}

function commitOrFail(
  host: PluginHost,
  step: { readonly manifest: PluginManifest; readonly run: Run },
): Committed {
  const { manifest, run } = step;
  try {
    return commit({ manifest, collected: host.collected, target: run.target });
  } catch (error) {
    throw new PluginError(`what it registers is refused: ${toToolError(error).message}`, {
      problem: "register_failed",
      cause: error,
    });
  }
}

/** A program that asks for a plugin by id must learn that there is none; config only warns. */
function findAbsent(run: Run): LoadedPlugin[] {
  const rows: LoadedPlugin[] = [];
  for (const { id, place } of listNamedIds(run.options)) {
    if (run.seen.has(id.toLowerCase())) continue;
    const message = `${place} names the plugin "${id}", which is in no search path.`;
    if (place === "enabledPlugins") {
      const error = new PluginError(message, { problem: "not_found" });
      rows.push(report(toFailedRow({ id, path: "", ignored: [] }, error), run));
    } else {
      run.logger.warn(message);
    }
  }
  return rows;
}

function report(row: LoadedPlugin, run: Run): LoadedPlugin {
  const { logger } = run;
  const title = `plugin "${row.id}" (${row.path})`;
  if (row.status === "loaded") {
    const tools = row.tools.length + row.toolDefinitions.length + row.toolFactories.length;
    logger.info(`${title} is loaded (tools: ${tools}, connectors: ${row.connectors.length}).`);
  } else if (row.problem === "disabled") {
    logger.info(`${title} is skipped: ${row.reason}`);
  } else if (row.status === "skipped") {
    logger.warn(`${title} is skipped: ${row.reason}`);
  } else {
    logger.error(`${title} failed: ${row.reason}`);
  }
  for (const { kind, name, reason } of row.ignored) {
    logger.warn(
      `${title}: ${kind}${name === undefined ? "" : ` "${name}"`} is ignored: ${reason}.`,
    );
  }
  return row;
}

function toPluginError(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  return new PluginError(toToolError(error).message, { problem: "unexpected", cause: error });
}
