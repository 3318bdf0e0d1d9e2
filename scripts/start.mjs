// `npm start`: runs the gateway, which serves MCP too, on this machine until ^C. Set-up has run before.

import { readFileSync } from "node:fs";
import { startServer, watchParent } from "../dist/cli/start.js";

const MAX_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;
/** A tool that does not end is left to the end of the process. */
const MAX_CLOSE_MS = 5_000;

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const width = Math.min(process.stdout.columns ?? DEFAULT_COLUMNS, MAX_COLUMNS);

/** npm passes ^C on, so it comes twice; of its own death it passes nothing on. */
function untilStopped() {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
    watchParent(resolve);
    process.stdout.on("error", ({ code, message }) => {
      resolve();
      // The reader has gone, as in `npm start | head`; nobody has seen the token.
      if (code === "EPIPE") return;
      console.error(`The output could not be written (${code ?? message}).`);
      process.exitCode = 1;
    });
  });
}

try {
  const stopped = untilStopped();
  const server = await startServer({ root: process.cwd(), width, version });
  process.stdout.write(`${server.lines.join("\n")}\n`);
  await stopped;
  setTimeout(() => process.exit(), MAX_CLOSE_MS).unref();
  await server.close();
} catch (error) {
  console.error(error.message);
  process.exitCode = error.exitCode ?? 1;
}
// The listeners of the signals would keep nothing alive, but a tool might.
process.exit();
