// `npm start`: prints what this version can do. Set-up has run before.

import { readFileSync } from "node:fs";
import { describeStart } from "../dist/cli/start.js";

const MAX_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const width = Math.min(process.stdout.columns ?? DEFAULT_COLUMNS, MAX_COLUMNS);
for (const line of describeStart({ root: process.cwd(), width, version })) console.log(line);
