// Runs the configured update command, with a deadline, and keeps the end of what it printed.

import { spawn } from "node:child_process";

const BASH_FLAGS = ["--noprofile", "--norc", "-p", "-c"];
const KEPT_CHARS = 4_000;
const KILL_AFTER_MS = 2_000;

export interface UpdateResult {
  readonly status: "ok" | "error";
  /** Why it failed; "" when it did not. */
  readonly reason: string;
  readonly output: string;
  readonly durationMs: number;
}

export function runUpdate(request: {
  readonly command: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<UpdateResult> {
  const beganMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn("bash", [...BASH_FLAGS, request.command], {
      stdio: ["ignore", "pipe", "pipe"],
      // Its own group, so that what it started ends with it.
      detached: true,
    });
    let output = "";
    let why = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-KEPT_CHARS);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const kill = (signal: NodeJS.Signals) => {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && isRunning) process.kill(-child.pid, signal);
    };
    const stop = (reason: string) => {
      why = reason;
      kill("SIGTERM");
      setTimeout(() => kill("SIGKILL"), KILL_AFTER_MS).unref();
    };
    const timer = setTimeout(
      () => stop(`it took longer than ${request.timeoutMs} ms`),
      request.timeoutMs,
    );
    const onAbort = () => stop("the request was cancelled");
    request.signal.addEventListener("abort", onAbort);
    const end = (reason: string) => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", onAbort);
      const durationMs = Math.round(performance.now() - beganMs);
      resolve({ status: reason === "" ? "ok" : "error", reason, output, durationMs });
    };
    child.once("error", (error) => end(`bash cannot be started (${error.message})`));
    child.once("close", (code) =>
      end(why !== "" ? why : code === 0 ? "" : `exit code ${code ?? "none"}`),
    );
  });
}
