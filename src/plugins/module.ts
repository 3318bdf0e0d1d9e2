// Loads the code of a plugin and calls its register function, each within a time limit.

import { pathToFileURL } from "node:url";
import { toToolError } from "../core/index.js";
import type { PluginApi } from "./host.js";
import { PluginError, type PluginProblem } from "./problem.js";

export const DEFAULT_REGISTER_TIMEOUT_MS = 15_000;
const ENDED_WAITS: ReadonlySet<PluginProblem> = new Set(["register_timeout", "stopped"]);

export interface WaitLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

type Register = (api: PluginApi) => unknown;

/** Imports `file` and finds what it exports to register with. Throws a PluginError. */
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

/** Waits for an asynchronous register too. Throws a PluginError. */
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
