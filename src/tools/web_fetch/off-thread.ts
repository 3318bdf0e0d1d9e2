// Runs one job in a thread that ends with it, at the latest when its time is over. Few run at once;
// the time of a job begins when its thread does.

import { Worker } from "node:worker_threads";
import { abortError, ToolError, type ToolErrorOptions } from "../../core/index.js";

/** Of the heap of a thread, and of its buffers, which are not in the heap. */
const MAX_MEMORY_MB = 512;
const TOO_LARGE_EXIT = 7;
const DEFAULT_MAX_WAIT_MS = 60_000;
/** Of the whole process, whose memory and processors they share. */
const SLOTS = createSlots({ maxRunning: 2, maxWaiting: 32 });
/**
 * A thread has no module to start with, so it is given one to import. Buffers are counted when a large
 * one is made, because a decoder does not return to the event loop, and every few milliseconds.
 */
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
  .then((module) => module.thread.work(workerData.job))
  .then((answer) => parentPort.postMessage({ answer }))
  .catch((error) => parentPort.postMessage({
    problem: String(error?.message ?? error), name: error?.name,
  }));
`;
/** What is said of a problem; its own words may hold some of the document's, and stay in details. */
const DAMAGED = "it is damaged, or of a kind that is not known";
const BY_NAME: ReadonlyMap<unknown, string> = new Map([
  ["PasswordException", "it is locked with a password"],
]);

export interface OffThreadRequest {
  readonly job: object;
  readonly timeoutMs: number;
  /** How long to wait for a thread, which is not part of the time above. */
  readonly maxWaitMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Rejects with `timeout`, with `limit` when it takes too much memory, with `failed` when the job or
 * its thread broke, with `unavailable` when too many others are before it, or with the abort.
 */
export async function runOffThread(request: OffThreadRequest): Promise<unknown> {
  const { maxWaitMs = DEFAULT_MAX_WAIT_MS, signal } = request;
  // Only behind import() the module has a file of its own in the build, with its exports.
  const { thread } = await import("./worker.js");
  return SLOTS.run(() => runThread(request, thread.moduleUrl), { maxWaitMs, signal });
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
    worker.once("message", (message: unknown) => end(() => settleBy({ message, resolve, reject })));
    worker.once("error", (cause: unknown) => end(() => reject(brokenThread(cause))));
    worker.once("exit", (code) =>
      end(() => reject(code === TOO_LARGE_EXIT ? tooLarge() : broken("its thread ended early"))),
    );
  });
}

interface Settling {
  readonly message: unknown;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function settleBy({ message, resolve, reject }: Settling): void {
  if (typeof message !== "object" || message === null) reject(broken("its thread gave no answer"));
  else if ("answer" in message) resolve(message.answer);
  else {
    const name = "name" in message ? message.name : undefined;
    const problem = "problem" in message ? String(message.problem) : "";
    reject(broken(BY_NAME.get(name) ?? DAMAGED, { details: { problem } }));
  }
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

interface SlotLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

interface Turn {
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
}

interface Slots {
  /** Runs the job when it is its turn. Rejects with `unavailable` when that does not come. */
  run<Answer>(job: () => Promise<Answer>, turn: Turn): Promise<Answer>;
}

export function createSlots({ maxRunning, maxWaiting }: SlotLimits): Slots {
  const waiting: (() => void)[] = [];
  let running = 0;

  const waitForTurn = ({ maxWaitMs, signal }: Turn) =>
    new Promise<void>((resolve, reject) => {
      const leave = (why: () => Error) => {
        waiting.splice(waiting.indexOf(begin), 1);
        end();
        reject(why());
      };
      const onAbort = () => leave(() => abortError(signal));
      const timer = setTimeout(() => leave(tooMany), maxWaitMs);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const begin = () => {
        end();
        resolve();
      };
      signal.addEventListener("abort", onAbort);
      waiting.push(begin);
    });

  return {
    async run(job, turn) {
      if (turn.signal.aborted) throw abortError(turn.signal);
      if (running < maxRunning) running++;
      else if (waiting.length >= maxWaiting) throw tooMany();
      // Anyone who ends hands its place over, so the count stays.
      else await waitForTurn(turn);
      try {
        return await job();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

function tooMany(): ToolError {
  return new ToolError(
    "unavailable",
    "Too many large pages are being read at the same time; try again when some are done.",
    { reason: "page_busy" },
  );
}
