// `npm start`: prints what this version can do. Set-up has run before.

import { readFileSync } from "node:fs";
import { describeStart } from "../dist/cli/start.js";

const MAX_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const width = Math.min(process.stdout.columns ?? DEFAULT_COLUMNS, MAX_COLUMNS);
const lines = describeStart({ root: process.cwd(), width, version });

process.stdout.on("error", ({ code, message }) => {
  // The reader has seen enough, as in `npm start | head`.
  if (code === "EPIPE") return;
  console.error(`The output could not be written (${code ?? message}).`);
  process.exitCode = 1;
});
process.stdout.write(`${lines.join("\n")}\n`);
