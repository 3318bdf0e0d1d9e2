// Runs one job in a thread that ends with it, at the latest when its time is over.

import { Worker } from "node:worker_threads";
import { abortError, ToolError } from "../../core/index.js";

const MAX_MEMORY_MB = 512;
/** A thread has no module of its own to start with, so it is told which to import. */
const BOOT = `
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.moduleUrl)
  .then((module) => module.thread.work(workerData.job))
  .then((answer) => parentPort.postMessage({ answer }))
  .catch((error) => parentPort.postMessage({ problem: String(error?.message ?? error), code: error?.code }));
`;

export interface OffThreadRequest {
  readonly job: object;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with `timeout`, with `failed` when the job or its thread broke, or with the abort. */
export async function runOffThread(request: OffThreadRequest): Promise<unknown> {
  const { job, timeoutMs, signal } = request;
  // Only behind import() the module has a file of its own in the build, with its exports.
  const { thread } = await import("./worker.js");
  if (signal.aborted) throw abortError(signal);
  const worker = new Worker(BOOT, {
    eval: true,
    // It reads text of strangers, and needs nothing of this process.
    env: {},
    execArgv: [],
    workerData: { moduleUrl: thread.moduleUrl, job },
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
      // What comes after the end is nobody's; without a listener it would end the process.
      worker.on("error", () => undefined);
      worker.terminate().then(settle, reject);
    };
    signal.addEventListener("abort", onAbort);
    worker.once("message", (message: unknown) => end(() => settleBy({ message, resolve, reject })));
    worker.once("error", (cause) => end(() => reject(broken(String(cause.message), cause))));
    worker.once("exit", () => end(() => reject(broken("the thread ended early"))));
  });
}

interface Settling {
  readonly message: unknown;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function settleBy({ message, resolve, reject }: Settling): void {
  if (typeof message !== "object" || message === null) reject(broken("the thread gave no answer"));
  else if ("answer" in message) resolve(message.answer);
  else if ("code" in message && message.code === "unavailable" && "problem" in message) {
    reject(new ToolError("unavailable", String(message.problem), { reason: "package_missing" }));
  } else reject(broken("problem" in message ? String(message.problem) : "no answer"));
}

function late(timeoutMs: number): ToolError {
  return new ToolError("timeout", `Reading the page took longer than ${timeoutMs} ms.`, {
    reason: "page_timeout",
  });
}

function broken(what: string, cause?: unknown): ToolError {
  return new ToolError("failed", `The page could not be read: ${what}.`, {
    reason: "page_unreadable",
    cause,
  });
}
