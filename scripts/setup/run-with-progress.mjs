// Runs one command of the set-up: shows that time passes, and shows what the command printed only
// when it failed. On a terminal one line counts the seconds; elsewhere a line now and then.
import { spawn } from "node:child_process";
import { SetupError } from "./setup-error.mjs";

const TERMINAL_TICK_MS = 1_000;
const PLAIN_TICK_MS = 15_000;

/** Rejects with SetupError, which holds the output, when the command cannot start or fails. */
export async function runWithProgress({ label, command, args, cwd, env }, stream) {
  const startedMs = Date.now();
  const elapsed = () => `${Math.round((Date.now() - startedMs) / 1_000)} s`;
  const isTerminal = stream.isTTY === true;
  stream.write(isTerminal ? `${label} ...` : `${label} ...\n`);
  const ticker = setInterval(
    () => stream.write(isTerminal ? `\r${label} ... ${elapsed()}` : `${label}: ${elapsed()}\n`),
    isTerminal ? TERMINAL_TICK_MS : PLAIN_TICK_MS,
  );
  const { code, output } = await collect({ command, args, cwd, env }).finally(() =>
    clearInterval(ticker),
  );
  const verdict = code === 0 ? "done" : "failed";
  stream.write(`${isTerminal ? "\r" : ""}${label}: ${verdict} in ${elapsed()}\n`);
  if (code === 0) return;
  throw new SetupError(`${output.trimEnd()}\n"${[command, ...args].join(" ")}" failed (${code}).`);
}

function collect({ command, args, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) =>
      reject(new SetupError(`"${command}" cannot be started: ${error.message}.`)),
    );
    child.once("close", (code, signal) =>
      resolve({ code: code ?? signal, output: Buffer.concat(chunks).toString("utf8") }),
    );
  });
}
