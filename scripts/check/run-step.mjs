// Runs one checking command and keeps what it prints until somebody asks.
import { spawn } from "node:child_process";

/** Resolves with the exit code also when the command cannot be started or was killed. */
export function runStep({ name, args, cwd }) {
  const startedMs = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    const finish = (code) => {
      const output = Buffer.concat(chunks).toString("utf8");
      resolve({ name, code, durationMs: Date.now() - startedMs, output });
    };
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) => {
      chunks.push(Buffer.from(error.message));
      finish(1);
    });
    child.once("close", (code, signal) => {
      if (signal) chunks.push(Buffer.from(`ended by ${signal}`));
      finish(code ?? 1);
    });
  });
}
