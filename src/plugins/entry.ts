// The file and the exports of a plugin: where its entry is, and what it gives.
import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { toToolError } from "../core/index.js";
import { isBelow } from "../lib/paths.js";
import type { PluginApi } from "./host.js";
import {
  isPlainObject,
  isTextList,
  PluginError,
  type PluginProblem,
  parseJsonText,
  readContainedFile,
  realPathOf,
} from "./manifest.js";

const MAX_PACKAGE_BYTES = 256 * 1024;
const CANDIDATES = [
  "index.ts",
  "index.js",
  "index.mts",
  "index.mjs",
  "src/index.ts",
  "src/index.js",
] as const;
const TYPESCRIPT_ENDINGS = new Set([".ts", ".mts", ".cts"]);

interface EntryRequest {
  readonly folder: string;
  readonly canLoadTypeScript: boolean;
}

/**
 * `openclaw.extensions[0]` of package.json, else the first usual name that is there. A TypeScript
 * file that this Node cannot load gives way to a built one next to it. Throws a PluginError.
 */
export async function findEntry(request: EntryRequest) {
  const [named, ...others] = await readExtensions(request.folder);
  if (named !== undefined) return { file: await resolveNamed(request, named), others };
  let unloadable: string | undefined;
  for (const name of CANDIDATES) {
    const file = await resolveInside(request.folder, name);
    if (file === undefined) continue;
    if (canLoad(request, file)) return { file, others };
    unloadable ??= name;
  }
  if (unloadable !== undefined) throw needsNewerNode(unloadable);
  throw new PluginError(
    `${request.folder} has no entry: name one in package.json under openclaw.extensions, or add ${CANDIDATES.join(", ")}.`,
    { problem: "entry_missing" },
  );
}

async function resolveNamed(request: EntryRequest, name: string): Promise<string> {
  const file = await resolveInside(request.folder, name);
  if (file === undefined) {
    throw new PluginError(
      `${request.folder}/package.json names the entry "${name}", which does not exist.`,
      { problem: "entry_missing" },
    );
  }
  if (!canLoad(request, file)) throw needsNewerNode(name);
  return file;
}

function canLoad(request: EntryRequest, file: string): boolean {
  return request.canLoadTypeScript || !TYPESCRIPT_ENDINGS.has(extname(file));
}

/** Undefined when no regular file is there; a link that leaves the folder is an error. */
async function resolveInside(folder: string, name: string): Promise<string | undefined> {
  const file = await realPathOf(join(folder, name));
  if (file === undefined) return undefined;
  if (!isBelow(file, folder)) {
    throw new PluginError(
      `the entry "${name}" leads to ${file}, which is outside the plugin folder ${folder}.`,
      { problem: "entry_outside_folder" },
    );
  }
  return (await stat(file)).isFile() ? file : undefined;
}

async function readExtensions(folder: string): Promise<readonly string[]> {
  const file = join(folder, "package.json");
  const read = await readContainedFile({
    folder,
    name: "package.json",
    maxBytes: MAX_PACKAGE_BYTES,
  });
  if (read.kind === "missing") return [];
  if (read.kind !== "text") {
    throw new PluginError(
      `${file} must be a regular file in the plugin folder of at most ${MAX_PACKAGE_BYTES} bytes.`,
      { problem: "package_invalid" },
    );
  }
  const parsed = parseJsonText({ text: read.text, file, problem: "package_invalid" });
  const section = isPlainObject(parsed) ? parsed.openclaw : undefined;
  const extensions = isPlainObject(section) ? section.extensions : undefined;
  if (extensions === undefined) return [];
  if (!isTextList(extensions) || extensions.includes("")) {
    throw new PluginError(`${file}: openclaw.extensions must be a list of paths.`, {
      problem: "package_invalid",
    });
  }
  return extensions;
}

function needsNewerNode(name: string): PluginError {
  return new PluginError(
    `the entry "${name}" is TypeScript: it needs Node 22.18 or later, or a built .js entry.`,
    { problem: "entry_needs_newer_node" },
  );
}

export const DEFAULT_REGISTER_TIMEOUT_MS = 15_000;
const ENDED_WAITS: ReadonlySet<PluginProblem> = new Set(["register_timeout", "stopped"]);

interface WaitLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

type Register = (api: PluginApi) => unknown;

export async function loadRegister(file: string, limits: WaitLimits): Promise<Register> {
  const loaded: unknown = await within(import(/* @vite-ignore */ pathToFileURL(file).href), {
    ...limits,
    what: `importing ${file}`,
  }).catch((error: unknown) => {
    if (error instanceof PluginError) throw error;
    throw new PluginError(`${file} cannot be imported: ${toToolError(error).message}`, {
      problem: "import_failed",
      cause: error,
    });
  });
  const register = findRegister(loaded);
  if (register !== undefined) return register;
  throw new PluginError(
    `${file} exports no register function: export register(api), activate(api), or a default with one of them.`,
    { problem: "no_register" },
  );
}

export async function callRegister(
  register: Register,
  call: WaitLimits & { readonly api: PluginApi },
): Promise<void> {
  try {
    const ended = Promise.resolve(register(call.api));
    await within(ended, { ...call, what: "its register function" });
  } catch (error) {
    // The members of the API throw PluginErrors of their own, which are the plugin's failure.
    if (error instanceof PluginError && ENDED_WAITS.has(error.problem)) throw error;
    throw new PluginError(`its register function failed: ${toToolError(error).message}`, {
      problem: "register_failed",
      cause: error,
    });
  }
}

/** The default export first, then the module; a CommonJS build may wrap the default twice. */
function findRegister(loaded: unknown): Register | undefined {
  const main = readMember(loaded, "default");
  for (const holder of [main, loaded, readMember(main, "default")]) {
    if (typeof holder === "function") return (api) => holder(api);
    for (const name of ["register", "activate"]) {
      const method = readMember(holder, name);
      if (typeof method === "function") return (api) => method.call(holder, api);
    }
  }
  return undefined;
}

function readMember(holder: unknown, name: string): unknown {
  return typeof holder === "object" && holder !== null ? Reflect.get(holder, name) : undefined;
}

/** Stops waiting, not working: code that is already running cannot be taken back. */
async function within<T>(work: Promise<T>, wait: WaitLimits & { what: string }): Promise<T> {
  const { timeoutMs, signal, what } = wait;
  let end = (): void => undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(new PluginError(`${what} was stopped.`, { problem: "stopped" }));
    if (signal?.aborted) stop();
    const timer = setTimeout(() => {
      const message = `${what} did not end within ${timeoutMs} ms.`;
      reject(new PluginError(message, { problem: "register_timeout" }));
    }, timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    };
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    end();
  }
}
