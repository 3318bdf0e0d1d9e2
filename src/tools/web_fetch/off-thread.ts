// Runs one job in a thread of its own, with limits on time and memory. Few run at once; the time of a
// job begins when its thread does.

import { Worker } from "node:worker_threads";
import { abortError, isToolError, ToolError, type ToolErrorOptions } from "../../core/index.js";

import type { ThreadJob } from "./worker.js";

const MAX_MEMORY_MB = 512;
const TOO_LARGE_EXIT = 7;
/** For the whole process, whose memory and processors they share. */
const runInSlot = createSlots(2);
/** Buffers are counted at once when large: a decoder does not return to the event loop. */
const BOOT = `
const { parentPort, workerData } = require("node:worker_threads");
const check = () => {
  if (process.memoryUsage().arrayBuffers > ${MAX_MEMORY_MB * 2 ** 20}) process.exit(${TOO_LARGE_EXIT});
};
setInterval(check, 10).unref();
for (const name of ["ArrayBuffer", "Uint8Array", "Uint16Array", "Uint32Array", "Int32Array", "Float32Array"]) {
  const guarded = new Proxy(globalThis[name], {
    construct(target, args, made) {
      const value = Reflect.construct(target, args, made);
      if (value.byteLength > 1e6) check();
      return value;
    },
  });
  guarded.prototype.constructor = guarded;
  globalThis[name] = guarded;
}
import(workerData.moduleUrl)
  .then((module) => module.thread[workerData.job.kind](workerData.job))
  .then((answer) => parentPort.postMessage({ answer }))
  .catch((error) => parentPort.postMessage({
    problem: String(error?.message ?? error), name: error?.name,
  }));
`;
/** A problem's own words may quote the document, so they stay in details. */
const DAMAGED = "it is damaged, or of a kind that is not known";
const LOCKED = "it is locked with a password";

export interface OffThreadRequest {
  readonly job: ThreadJob;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The answer, or the code of what went wrong for a caller that can do with less. */
export async function tryOffThread(
  request: OffThreadRequest,
): Promise<{ readonly answer: unknown } | { readonly problem: string }> {
  try {
    return { answer: await runOffThread(request) };
  } catch (error) {
    if (request.signal.aborted || !isToolError(error)) throw error;
    return { problem: error.code };
  }
}

/** Rejects with `timeout`, `limit` (memory), `failed` (job or thread) or the abort. */
export async function runOffThread(request: OffThreadRequest): Promise<unknown> {
  // Only behind import() the module has a file of its own in the build, with its exports.
  const { thread } = await import("./worker.js");
  return runInSlot(() => runThread(request, thread.moduleUrl), request.signal);
}

function runThread({ job, timeoutMs, signal }: OffThreadRequest, moduleUrl: string) {
  const worker = new Worker(BOOT, {
    eval: true,
    // It reads text of strangers, and needs nothing of this process.
    env: {},
    execArgv: [],
    workerData: { moduleUrl, job },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  return new Promise<unknown>((resolve, reject) => {
    const onAbort = () => end(() => reject(abortError(signal)));
    const timer = setTimeout(() => end(() => reject(late(timeoutMs))), timeoutMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      // Without a listener, an error after the end would crash the process.
      worker.on("error", () => undefined);
      worker.terminate().then(settle, reject);
    };
    signal.addEventListener("abort", onAbort);
    worker.once("message", ({ answer, problem, name }: Message) =>
      end(() => {
        if (problem === undefined) resolve(answer);
        else {
          const why = name === "PasswordException" ? LOCKED : DAMAGED;
          reject(broken(why, { details: { problem } }));
        }
      }),
    );
    worker.once("error", (cause: unknown) => end(() => reject(brokenThread(cause))));
    worker.once("exit", (code) =>
      end(() => reject(code === TOO_LARGE_EXIT ? tooLarge() : broken("its thread ended early"))),
    );
  });
}

/** What BOOT posts. */
interface Message {
  readonly answer?: unknown;
  readonly problem?: string;
  readonly name?: string;
}

function brokenThread(cause: unknown): ToolError {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY"
    ? tooLarge(cause)
    : broken("its thread broke", { cause });
}

function late(timeoutMs: number): ToolError {
  return new ToolError("timeout", `Reading the page took longer than ${timeoutMs} ms.`, {
    reason: "page_timeout",
  });
}

function tooLarge(cause?: unknown): ToolError {
  return new ToolError("limit", `Reading the page takes more than ${MAX_MEMORY_MB} MB of memory.`, {
    reason: "page_memory",
    cause,
  });
}

function broken(why: string, more: Pick<ToolErrorOptions, "cause" | "details"> = {}): ToolError {
  return new ToolError("failed", `The page could not be read: ${why}.`, {
    reason: "page_unreadable",
    ...more,
  });
}

export function createSlots(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Answer>(job: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    // A job that ends hands its slot over, so the count stays.
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (signal.aborted) throw abortError(signal);
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
